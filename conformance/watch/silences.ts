/** Finds the answers to silences, by those observations of the suite that apply to any answer. */

import { isObject } from '../../spec/base/json.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import { isSuccess } from '../judge/gateway.ts';
import type { Observation } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import { conditionsHold } from '../language/evaluate.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { everyStep, type Observe, type Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt } from '../language/template.ts';
import { silencesAsked } from './asked.ts';
import type { Attributed } from './caller.ts';

let known: ReadonlyMap<string, readonly Observe[]> | undefined;

/** Facets that depend only on the answer itself. */
const ownFacets = ['body', 'csv', 'media', 'headers', 'jwt'];

function looksAtAnswer({ cases }: Observe): boolean {
  const all = Object.values(cases);
  const facets = all.flatMap((one) => Object.keys(one));
  return (
    all.length > 0 &&
    facets.every((name) => ownFacets.includes(name)) &&
    !JSON.stringify(all).includes('"{')
  );
}

/** Whether a step sends nothing on which its answer depends. */
const isPlain = ({ body, rawBody, method }: Step): boolean =>
  (body === undefined || (isObject(body) && Object.keys(body).length === 0)) &&
  rawBody === undefined &&
  method === undefined;

function observesOf(operation: string): readonly Observe[] {
  known ??= Map.groupBy(
    loadOwnSuite().scenarios.flatMap((scenario) =>
      everyStep(scenario).flatMap((step) =>
        step.operation !== undefined && isPlain(step)
          ? step.observes
              .filter(looksAtAnswer)
              .map((item) => ({ ...item, operation: step.operation?.id }))
          : [],
      ),
    ),
    ({ operation: id }) => id ?? '',
  );
  return known.get(operation) ?? [];
}

/** Refusals of a request for how it is written. */
const ofRequest = [400, 405, 413, 415, 422];

/** The choice that a status shows, if a request meets one silence by how it is written. */
function choiceAsked({ call, request, status, ending }: Attributed): [string, string][] {
  const [statement = '', ...more] = silencesAsked(call, request);
  if (more.length > 0 || ending !== 'whole') return [];
  const fitting = Object.entries(contract.statuses[statement] ?? {}).filter(([, one]) =>
    isSuccess(status) ? one === 0 || one === status : one === status && ofRequest.includes(status),
  );
  return fitting.length === 1 ? fitting.map(([choice]) => [statement, choice]) : [];
}

/** The choices about a caller of whom the table says nothing. A 401 may be the end of its credential. */
function choicesOfCaller({ caller, status }: Attributed, answer: Answer): [string, string][] {
  if (!answer.ok && status !== 403) return [];
  return caller.cells.flatMap(({ step, scope, same }) =>
    (same ? step.observes : []).flatMap(({ statement, cases }): [string, string][] => {
      const holds = (name: string) =>
        scope.of(answer, () => attempt(() => conditionsHold(cases[name] ?? {}, scope)));
      const choice = Object.keys(cases).find((name) => holds(name) === true);
      return choice === undefined ? [] : [[statement, choice]];
    }),
  );
}

export function silencesShown(
  operation: Operation,
  exchange: Attributed,
  answer: Answer | undefined,
  evidence: readonly string[],
): Observation[] {
  const asked = choiceAsked(exchange);
  // If a request meets another silence, its answer shows nothing of the caller.
  const ofCaller =
    answer === undefined || silencesAsked(exchange.call, exchange.request).length > 0
      ? []
      : choicesOfCaller(exchange, answer);
  const about = { operation: operation.id, value: null, count: 1, evidence: evidence.slice(0, 1) };
  const known = [...asked, ...ofCaller].map(
    ([statement, choice]): Observation => ({ kind: 'silence', statement, choice, ...about }),
  );
  return [...known, ...silencesIn(operation, answer, about)];
}

function silencesIn(
  operation: Operation,
  answer: Answer | undefined,
  about: Pick<Observation, 'operation' | 'value' | 'count' | 'evidence'>,
): Observation[] {
  if (answer?.ok !== true) return [];
  const scope = new ScenarioScope(
    { kind: 'tenant', bindings: {}, credentials: new Map() },
    { id: 'traffic', startedAt: '' },
  );
  return observesOf(operation.id).flatMap(({ statement, cases }): Observation[] => {
    const holds = (name: string) =>
      scope.of(answer, () => attempt(() => conditionsHold(cases[name] ?? {}, scope)));
    const choice = Object.keys(cases).find((name) => holds(name) === true) ?? 'other';
    return [{ kind: 'silence', statement, choice, ...about }];
  });
}
