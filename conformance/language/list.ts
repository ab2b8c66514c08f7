/** Which checks judge a statement. */

import { contract } from '../../spec/contract.ts';
import { allSteps, type Step, type Suite } from './scenario.ts';
import { standingChecks } from './standing.ts';

/** Every statement and the checks of it, for `certify --list`. */
export function list(suite: Suite) {
  const standing = { id: 'all', checks: standingChecks(), observes: [] };
  const found = [
    ...placesIn('Every answer', [standing]),
    ...suite.scenarios.flatMap(({ title, steps, undo }) =>
      placesIn(title, [...allSteps(steps), ...allSteps(undo)]),
    ),
  ];
  const places = Map.groupBy(found, ({ statement }) => statement);
  return [...contract.statements.values()].map(({ id, level, text, unobservable }) => ({
    id,
    level,
    text,
    ...(unobservable === undefined ? {} : { unobservable }),
    checks: (places.get(id) ?? []).map(({ statement: _statement, ...check }) => check),
  }));
}

function placesIn(scenario: string, steps: readonly Pick<Step, 'id' | 'checks' | 'observes'>[]) {
  return steps.flatMap(({ id: step, checks, observes }) =>
    [...checks, ...observes].map(({ statement, location: { file, line, column } }) => {
      return { statement, scenario, step, place: `${file}:${line}:${column}` };
    }),
  );
}
