/** Finds the answers to silences, by those observations of the suite that apply to any answer. */

import { isObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { Observation } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import { conditionsHold } from '../language/evaluate.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { everyStep, type Observe, type Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt } from '../language/template.ts';

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

export function silencesShown(
  operation: Operation,
  answer: Answer,
  evidence: readonly string[],
): Observation[] {
  if (!answer.ok) return [];
  const scope = new ScenarioScope(
    { kind: 'tenant', bindings: {}, credentials: new Map() },
    { id: 'traffic', startedAt: '' },
  );
  return observesOf(operation.id).flatMap(({ statement, cases }): Observation[] => {
    const holds = (name: string) =>
      scope.of(answer, () => attempt(() => conditionsHold(cases[name] ?? {}, scope)));
    const choice = Object.keys(cases).find((name) => holds(name) === true) ?? 'other';
    const about = {
      operation: operation.id,
      value: null,
      count: 1,
      evidence: evidence.slice(0, 1),
    };
    return [{ kind: 'silence', statement, choice, ...about }];
  });
}
