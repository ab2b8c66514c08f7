/** Writes a failing walk as a scenario that `certify` can replay. */

import { stringify } from 'yaml';
import { mapStrings } from '../../spec/base/json.ts';
import { contract, type Effect } from '../../spec/contract.ts';
import { worse } from '../language/vocabulary.ts';
import type { Contradiction, Entry } from './contradiction.ts';

export interface ScenarioText {
  /** For a file of this name. */
  readonly name: string;
  readonly text: string;
}

export interface Origin {
  readonly seed: number;
  readonly path: string;
  /** The run id that the walk was played with; it becomes `{run.id}`. */
  readonly runId: string;
}

export function scenarioFile(
  entries: readonly Entry[],
  contradiction: Contradiction,
  { seed, path, runId }: Origin,
): ScenarioText {
  const { statement, entry, conditions, message } = contradiction;
  const rename = (value: unknown): unknown =>
    mapStrings(value, (text) => text.replaceAll(runId, '{run.id}'));
  const steps = entries.map((item) =>
    stepOf(item, item.id === entry.id ? contradiction : undefined),
  );
  const effect = entries
    .map(({ data }): Effect => contract.operations.get(data.call)?.effect ?? 'none')
    .reduce((most, next) => (worse(next, most) ? next : most), 'none' as Effect);
  const text = contract.statements.get(statement)?.text ?? '';
  const document = {
    scenario: `Found by the explorer against ${statement}, seed ${seed}, path ${path}`,
    about: `${text} But ${message.replaceAll(runId, '{run.id}')}.`,
    effect,
    steps: rename(steps),
  };
  void conditions;
  return {
    name: `explore-${statement.toLowerCase()}-${seed}.yaml`,
    text: `# yaml-language-server: $schema=../../scenario.schema.json\n${stringify(document, {
      lineWidth: 100,
      aliasDuplicateObjects: false,
    })}`,
  };
}

function stepOf(entry: Entry, failing: Contradiction | undefined): Record<string, unknown> {
  const { data, id, verbs } = entry;
  const { as, call, path, query, body } = data;
  return {
    id,
    as,
    call,
    ...(path === undefined ? {} : { path }),
    ...(query === undefined || Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...verbs,
    ...(failing === undefined
      ? {}
      : {
          checks: {
            [failing.statement]: { ...failing.conditions, because: failing.message },
          },
        }),
  };
}
