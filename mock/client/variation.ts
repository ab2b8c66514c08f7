/** The ways in which the service can differ from the plain mock. */
import { contract } from '../../spec/contract.ts';
import { type Assumption, otherChoices } from '../world/assumptions.ts';
import type { DeviationRecord } from '../world/deviations.ts';
import type { FaultCall, FaultOrder } from '../world/fault.ts';
import { lossPhases } from './loss-phases.ts';
import { requestOf, type SentRequest } from './losses-judge.ts';

export const kinds = ['sweep', 'loss', 'mutant'] as const;

/** One difference of a run's mock from the plain one. */
export interface Variation {
  /** `STAGE-16:bad-request`, `updateFolder#2:after-commit`, or the id of a deviation. */
  readonly id: string;
  readonly kind: (typeof kinds)[number];
  /** The behaviour of the service, in a sentence. */
  readonly text: string;
  /** The silence that is answered differently, or the promises that are broken. */
  readonly statements: readonly string[];
  readonly assumptions?: Readonly<Record<string, string>>;
  readonly deviation?: string;
  readonly loss?: Loss;
}

/** A request of the plain run that another run loses. */
export interface Loss {
  readonly request: SentRequest;
  readonly fingerprint: string;
  /** Its number among the requests that are the same to the byte. */
  readonly nth: number;
  /**
   * Its number among the requests for its operation, and the fingerprints of all these requests.
   */
  readonly number: number;
  readonly known: readonly string[];
  readonly order: FaultOrder;
}

/** Every other choice at the silences on which answers rested. */
export function sweepOf(
  sent: readonly SentRequest[],
  silences: readonly Assumption[],
): readonly Variation[] {
  const met = new Set(sent.flatMap(({ assumed }) => assumed));
  return silences
    .filter(({ statement }) => met.has(statement))
    .flatMap((assumption) =>
      otherChoices(assumption).map((other) => ({
        ...{ kind: 'sweep' as const, statements: [assumption.statement] },
        id: `${assumption.statement}:${other.id}`,
        text: `${assumption.text} Otherwise: ${other.text}.`,
        assumptions: { [assumption.statement]: other.id },
      })),
    );
}

/** Each request, lost in each way; writes come first. */
export function lossesOf(sent: readonly SentRequest[]): readonly Variation[] {
  const made = sent.flatMap((request) => {
    const { operation, method, path, fingerprint } = request;
    const alike = sent.filter((other) => other.operation === operation);
    const number = alike.indexOf(request) + 1;
    const known = alike.map((other) => other.fingerprint);
    const { nth } = requestOf(request, sent);
    return Object.entries(lossPhases).map(
      ([phase, order]): Variation => ({
        id: `${operation}${number === 1 ? '' : `#${number}`}:${phase}`,
        ...{ kind: 'loss', statements: [] },
        loss: { request, fingerprint, nth, number, known, order },
        text: `${method} ${path} is lost: ${phase}.`,
      }),
    );
  });
  return made.toSorted((a, b) => Number(isRead(a)) - Number(isRead(b)));
}

/**
 * The faults that lose the request, once in all worlds that they are added to. A request that differs in each
 * run, perhaps by a random id, is found by its number.
 */
export function faultsOf({ request, fingerprint, nth, number, known, order }: Loss) {
  let equal = 0;
  let calls = 0;
  let isLost = false;
  const isEqual = (): boolean => {
    equal += 1;
    isLost ||= equal === nth;
    return equal === nth;
  };
  const isNew = (call: FaultCall): boolean => {
    calls += 1;
    return calls === number && !isLost && !known.includes(call.fingerprint);
  };
  return [
    { ...order, fingerprint, when: isEqual },
    { ...order, operation: request.operation, when: isNew },
  ];
}

const isRead = ({ loss }: Variation): boolean => loss?.request.method === 'GET';

/** The broken promises. The list begins with the first deviation of each promise. */
export function mutantsOf(
  deviations: readonly Pick<DeviationRecord, 'id' | 'text' | 'breaks'>[],
): readonly Variation[] {
  const seen = new Map<string, number>();
  const ranked = deviations.map(({ id, text, breaks }) => {
    const ranks = breaks.map((statement) => {
      const rank = seen.get(statement) ?? 0;
      seen.set(statement, rank + 1);
      return rank;
    });
    const own = { id, kind: 'mutant' as const, text, statements: breaks, deviation: id };
    return { own, rank: Math.min(...ranks) };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ own }) => own);
}

/** Takes one of each kind in turn, so that a budget leaves out variations of all kinds. */
export function inTurns(lists: readonly (readonly Variation[])[]): readonly Variation[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

export const textOfStatement = (id: string): string => contract.statements.get(id)?.text ?? '';
