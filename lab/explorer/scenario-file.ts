/** Writes a failing walk as a scenario that `certify` can replay. */

import { stringify } from 'yaml';
import type { ScenarioFile } from '../../conformance/language/load.ts';
import type { Step } from '../../conformance/language/scenario.ts';
import { resolve } from '../../conformance/language/template.ts';
import { worst } from '../../conformance/language/vocabulary.ts';
import { isObject, mapStrings } from '../../spec/base/json.ts';
import { statement } from '../../spec/contract.ts';
import type { Contradiction, Note } from './contradiction.ts';

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
): ScenarioFile {
  const { check, message } = contradiction;
  const rename = (value: unknown): unknown =>
    mapStrings(value, (text) => text.replaceAll(runId, '{run.id}'));
  const effect = worst(entries.map(({ step }) => step.operation?.effect ?? 'none'));
  const { text } = statement(check.statement);
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

function stepOf({ id, step, waited, names }: Note, failing: Contradiction): unknown {
  const { as, operation, path, query, body, list, mode } = step;
  const { check, entry, message } = failing;
  // A name became the value that was counted.
  const counts = Object.entries(check.atLeast).filter(
    ([counted]) => ![...names.keys()].some((name) => `${counted}.`.startsWith(`${name}.`)),
  );
  const checks = {
    [check.statement]: {
      ...check.conditions,
      only: check.only[0],
      atLeast: counts.length === 0 ? undefined : Object.fromEntries(counts),
      because: check.because ?? message.slice(0, 300),
    },
  };
  // What is undefined is not written.
  const text = {
    id,
    ...(operation && { as, call: operation.id, path, body, list }),
    query: Object.keys(query).length === 0 ? undefined : query,
    ...verbOf(mode),
    ...(waited && { [waited === 'throughout' ? 'stays' : waited]: true }),
    checks: id === entry.id ? checks : undefined,
  };
  return withValues(text, names);
}

function verbOf(mode: Step['mode']): object {
  if (mode === undefined) return {};
  if (mode.kind === 'repeat') return { repeat: { times: mode.times } };
  return { [mode.kind]: { [mode.kind === 'scimList' ? 'count' : 'limit']: mode.size } };
}

const reference = /\{([A-Za-z][\w-]*)(?:\.([\w-]+))?[^{}]*\}/g;

/** Puts values in the place of names, and the ids of entries in the place of those of steps. */
function withValues(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withValues(item, names));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      const steps = namesSteps(key) ? withEntries(item, names) : item;
      return [withValues(key, names), withValues(steps, names)];
    });
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

/** Conditions that name steps by their ids alone, or have them as keys. */
const namesSteps = (key: string): boolean => ['since', 'same set', 'answered'].includes(key);

function withEntries(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  const entryOf = (id: string): string => String(names.get(`steps.${id}`) ?? id);
  if (typeof value === 'string') return entryOf(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([id, item]) => [entryOf(id), item]));
}

function literal(value: unknown): unknown {
  return mapStrings(value, (text) => text.replaceAll('{', '{{').replaceAll('}', '}}'));
}
