/** Reads scenario files. Errors are LoadErrors: file:line:column, what was expected, what is near. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/nearest.ts';
import { LoadError, YamlSource } from '../../spec/base/yaml-source.ts';
import type { Effect } from '../../spec/contract.ts';
import { checkReferences } from './load-references.ts';
import { loadSteps, type StepContext } from './load-step.ts';
import { allSteps, type Confirm, type Scenario, type Suite } from './scenario.ts';
import { bindingFields, credentialNames, effects, featureNames, worse } from './vocabulary.ts';

/** The scenarios that come with Lockstep. */
export const scenariosFolder: string = fileURLToPath(new URL('../scenarios/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface ScenarioFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** All YAML files under a folder, in the order of their names. */
export function readScenarioFiles(folder: string = scenariosFolder): ScenarioFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') || name.endsWith('.yml'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      return {
        name: relative(root, file).split(sep).join('/'),
        text: readFileSync(file, 'utf8'),
      };
    });
}

/** Loads files and families of scenarios into one suite. Throws the first LoadError. */
export function loadSuite(
  files: readonly ScenarioFile[],
  family: readonly Scenario[] = [],
  familyDigest = '',
): Suite {
  const scenarios = [...files.map((file) => loadScenario(file.name, file.text)), ...family];
  const titles = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    const other = titles.get(scenario.title);
    if (other !== undefined) {
      const { file, line } = other.location;
      throw new LoadError(
        `the title "${scenario.title}" is taken by ${file}:${line}`,
        scenario.location,
      );
    }
    titles.set(scenario.title, scenario);
  }
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.name}\0${file.text}\0`);
  return { scenarios, sha256: hash.update(familyDigest).digest('hex') };
}

const scenarioKeys = [
  'scenario',
  'about',
  'effect',
  'needs',
  'confirm',
  'extra',
  'let',
  'steps',
  'undo',
];

/** Loads one scenario. */
export function loadScenario(file: string, text: string): Scenario {
  const source = new YamlSource(file, text);
  return scenarioFrom(source, source.value);
}

/** Makes a scenario of plain data; `source` gives the positions. */
export function scenarioFrom(source: YamlSource, value: unknown): Scenario {
  if (!isObject(value))
    return source.fail('a scenario is a mapping with scenario, effect and steps', value);
  source.known(value, scenarioKeys, 'a scenario');
  if (typeof value.scenario !== 'string')
    source.fail('scenario: the title is missing', value, 'scenario');
  const title = String(value.scenario);
  const effect = effectOf(source, value);
  const confirm = confirmOf(source, value);
  if (value.extra !== undefined && value.extra !== true) {
    source.fail('extra is true, or is left out', value, 'extra');
  }
  if (!Array.isArray(value.steps) || value.steps.length === 0) {
    source.fail('steps is a list of at least one step', value, 'steps');
  }
  if (value.let !== undefined && !isObject(value.let))
    source.fail('let is a mapping', value, 'let');
  const variables = isObject(value.let) ? value.let : {};
  const context: StepContext = { source, ids: new Set(), count: { value: 0 } };
  const steps = loadSteps(context, value.steps);
  const undo = value.undo === undefined ? [] : loadSteps(context, value.undo);
  const every = [...allSteps(steps), ...allSteps(undo)];
  const worst = every.reduce<Effect>(
    (most, step) => (worse(step.effect, most) ? step.effect : most),
    'none',
  );
  if (effect !== worst) {
    source.fail(`effect is ${effect}, and the worst of the steps is ${worst}`, value, 'effect');
  }
  const needs = new Set(declaredNeeds(source, value));
  const scenario = {
    title,
    about: typeof value.about === 'string' ? value.about : undefined,
    effect,
    confirm,
    extra: value.extra === true,
    let: variables,
    steps,
    undo,
    location: source.at(value, 'scenario'),
    reads: new Set<string>(),
    writes: new Set<string>(),
    statements: new Set<string>(),
  };
  for (const step of every) {
    const lock = step.operation?.lock;
    if (lock?.reads !== undefined) scenario.reads.add(lock.reads);
    if (lock?.writes !== undefined) scenario.writes.add(lock.writes);
    for (const check of step.checks) scenario.statements.add(check.statement);
    for (const observe of step.observes) scenario.statements.add(observe.statement);
    if (step.plain) needs.add('https');
  }
  for (const need of checkReferences(source, variables, steps, undo, confirm)) needs.add(need);
  return { ...scenario, needs: [...needs] };
}

function confirmOf(source: YamlSource, value: JsonObject): Confirm {
  const { confirm = 1 } = value;
  const times = isObject(confirm) ? confirm.times : confirm;
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > 5) {
    source.fail('confirm is a whole number from 2 to 5, or { times, unless }', value, 'confirm');
  }
  if (!isObject(confirm)) return { times: Number(times), unless: [] };
  source.known(confirm, ['times', 'unless'], 'confirm');
  const { unless } = confirm;
  if (!Array.isArray(unless) || unless.length === 0) {
    return source.fail('unless is a list of { value, is }', confirm, 'unless');
  }
  const conditions = unless.map((item: unknown, index): Confirm['unless'][number] => {
    if (!isObject(item) || !('value' in item) || !('is' in item)) {
      return source.fail('a condition is { value, is }', unless, index);
    }
    source.known(item, ['value', 'is'], 'a condition');
    return item as typeof item & Confirm['unless'][number];
  });
  return { times: Number(times), unless: conditions };
}

function effectOf(source: YamlSource, value: Readonly<Record<string, unknown>>): Effect {
  const effect = effects.find((item) => item === value.effect);
  if (effect === undefined) {
    const near = hint(String(value.effect), effects);
    source.fail(`effect is one of ${effects.join(', ')}${near}`, value, 'effect');
  }
  return effect ?? 'none';
}

function declaredNeeds(source: YamlSource, value: Readonly<Record<string, unknown>>): string[] {
  if (value.needs === undefined) return [];
  if (!Array.isArray(value.needs)) source.fail('needs is a list of names', value, 'needs');
  const list = value.needs as unknown[];
  const known = [...credentialNames, ...Object.keys(bindingFields), ...featureNames, 'https'];
  return list.map((item, index) => {
    const name = String(item);
    if (name.startsWith('!') && featureNames.includes(name.slice(1))) return name;
    const [head = '', next] = name.split('.');
    const fields = bindingFields[head];
    if (!known.includes(head))
      source.fail(`nothing is called ${name}${hint(head, known)}`, list, index);
    if (next !== undefined && !fields?.includes(next)) {
      source.fail(`${head} has no field ${next}${hint(next, fields ?? [])}`, list, index);
    }
    return name;
  });
}
