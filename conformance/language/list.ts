/** Which checks judge a statement. */

import { contract } from '../../spec/contract.ts';
import type { Scenario, Suite } from './scenario.ts';
import { standingChecks } from './standing.ts';

/** Statement -> the checks of it, for `certify --list`. */
export interface ListedStatement {
  readonly id: string;
  readonly level: string;
  readonly text: string;
  readonly unobservable?: string;
  readonly checks: readonly {
    readonly scenario: string;
    readonly step: string;
    readonly place: string;
  }[];
}

export function list(suite: Suite): ListedStatement[] {
  const places = new Map<string, { scenario: string; step: string; place: string }[]>();
  for (const { statement, location } of standingChecks()) {
    const { file, line, column } = location;
    const known = places.get(statement) ?? [];
    known.push({ scenario: 'Every answer', step: 'all', place: `${file}:${line}:${column}` });
    places.set(statement, known);
  }
  const visit = (scenario: Scenario, steps: Scenario['steps']): void => {
    for (const step of steps) {
      for (const item of [...step.checks, ...step.observes]) {
        const { file, line, column } = item.location;
        const known = places.get(item.statement) ?? [];
        known.push({ scenario: scenario.title, step: step.id, place: `${file}:${line}:${column}` });
        places.set(item.statement, known);
      }
      visit(scenario, step.steps);
    }
  };
  for (const scenario of suite.scenarios) {
    visit(scenario, scenario.steps);
    visit(scenario, scenario.undo);
  }
  return [...contract.statements.values()].map(({ id, level, text, unobservable }) => ({
    id,
    level,
    text,
    ...(unobservable === undefined ? {} : { unobservable }),
    checks: places.get(id) ?? [],
  }));
}
