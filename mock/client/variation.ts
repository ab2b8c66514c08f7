/** In which ways the service that a client meets can differ from the plain one. */
import { contract } from '../../spec/contract.ts';
import { type Assumption, otherChoices } from '../world/assumptions.ts';
import type { DeviationRecord } from '../world/deviations.ts';
import type { FaultOrder } from '../world/fault.ts';
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
  /** The n-th request that is the same to the byte is lost. */
  readonly loss?: {
    readonly request: SentRequest;
    readonly fingerprint: string;
    readonly nth: number;
    readonly order: FaultOrder;
  };
}

/** Every other choice that the service might make at a silence that answers rested on. */
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
  const counts = new Map<string, number>();
  const made = sent.flatMap((request) => {
    const { operation, method, path, fingerprint } = request;
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const { nth } = requestOf(request, sent);
    return Object.entries(lossPhases).map(
      ([phase, order]): Variation => ({
        id: `${operation}${count === 1 ? '' : `#${count}`}:${phase}`,
        ...{ kind: 'loss', statements: [], loss: { request, fingerprint, nth, order } },
        text: `${method} ${path} is lost: ${phase}.`,
      }),
    );
  });
  return made.toSorted((a, b) => Number(isRead(a)) - Number(isRead(b)));
}

const isRead = ({ loss }: Variation): boolean => loss?.request.method === 'GET';

/** Broken promises; the first of each promise come first. */
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

/** One of each kind in turn, so that a budget cuts off variations of all kinds. */
export function inTurns(lists: readonly (readonly Variation[])[]): readonly Variation[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** The text of a statement. */
export const textOfStatement = (id: string): string => contract.statements.get(id)?.text ?? '';
