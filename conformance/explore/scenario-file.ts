/** Writes a failing walk as a scenario that `certify` can replay. */

import { stringify } from 'yaml';
import { isObject, mapStrings } from '../../spec/base/json.ts';
import { contract, type Effect } from '../../spec/contract.ts';
import { resolve } from '../language/template.ts';
import { worse } from '../language/vocabulary.ts';
import type { CallData, Contradiction, Note } from './contradiction.ts';
import { listVerb } from './session.ts';

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
  entries: readonly Note[],
  contradiction: Contradiction,
  { seed, path, runId }: Origin,
): ScenarioText {
  const { check, message } = contradiction;
  const rename = (value: unknown): unknown =>
    mapStrings(value, (text) => text.replaceAll(runId, '{run.id}'));
  const effect = entries
    .map(({ data }): Effect => (data && contract.operations.get(data.call)?.effect) ?? 'none')
    .reduce((most, next) => (worse(next, most) ? next : most), 'none');
  const text = contract.statements.get(check.statement)?.text ?? '';
  const document = {
    scenario: `Found by the explorer against ${check.statement}, seed ${seed}, path ${path}`,
    about: `${text} But ${message.replaceAll(runId, '{run.id}')}.`,
    effect,
    steps: rename(entries.map((entry) => stepOf(entry, contradiction))),
  };
  const yaml = stringify(document, { lineWidth: 100, aliasDuplicateObjects: false });
  return {
    name: `explore-${check.statement.toLowerCase()}-${seed}.yaml`,
    text: `# yaml-language-server: $schema=../../scenario.schema.json\n${yaml}`,
  };
}

function stepOf({ id, data, waited, names }: Note, failing: Contradiction): unknown {
  const { pages: _verb, times, query = {}, ...call } = data ?? {};
  const { check, entry, message } = failing;
  // A name became the value that was counted.
  const counts = Object.entries(check.atLeast).filter(
    ([counted]) => ![...names.keys()].some((name) => `${counted}.`.startsWith(`${name}.`)),
  );
  const checks = {
    checks: {
      [check.statement]: {
        ...check.conditions,
        ...(check.only.length === 0 ? {} : { only: check.only[0] }),
        ...(counts.length === 0 ? {} : { atLeast: Object.fromEntries(counts) }),
        because: check.because ?? message.slice(0, 300),
      },
    },
  };
  const step = {
    id,
    ...call,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(times === undefined ? {} : { repeat: { times } }),
    ...(data?.pages === undefined ? {} : verbOf(data)),
    ...(waited === undefined ? {} : { [waited === 'throughout' ? 'stays' : waited]: true }),
    ...(id === entry.id ? checks : {}),
  };
  return withValues(step, names);
}

function verbOf({ call, pages }: CallData): Record<string, unknown> {
  const verb = listVerb(call);
  const size = verb === 'scimList' ? 'count' : 'limit';
  return { [verb]: pages?.size === undefined ? {} : { [size]: pages.size } };
}

const reference = /\{([A-Za-z][\w-]*)(?:\.([\w-]+))?[^{}]*\}/g;

/** Puts values in the place of names, and the ids of entries in the place of those of steps. */
function withValues(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withValues(item, names));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, withValues(item, names)]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return value;
  const scope = { lookup: (root: string) => names.get(root) };
  const [[whole, root = ''] = []] = [...value.matchAll(reference)];
  if (whole === value && names.has(root)) return literal(resolve(value, scope));
  return value.replaceAll(reference, (text, name: string, next: string | undefined) => {
    const entry = name === 'steps' ? names.get(`steps.${next}`) : undefined;
    if (entry !== undefined) return text.replace(`{steps.${next}`, `{steps.${String(entry)}`);
    return names.has(name) ? String(literal(resolve(text, scope))) : text;
  });
}

function literal(value: unknown): unknown {
  return mapStrings(value, (text) => text.replaceAll('{', '{{').replaceAll('}', '}}'));
}
