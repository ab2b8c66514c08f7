/** Reads scenario files. A LoadError says file:line:column, what was expected, and what is similar. */

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../spec/base/json.ts';
import { LoadError, YamlSource } from '../../spec/base/yaml-source.ts';
import { contract } from '../../spec/contract.ts';
import { mayBeSuccess } from './evaluate.ts';
import { checkReferences } from './load-references.ts';
import { loadSteps, type StepContext } from './load-step.ts';
import {
  everyStep,
  isWrite,
  type Scenario,
  type Step,
  type Suite,
  scenarioGrammar,
} from './scenario.ts';
import { refuseUnknown, worst } from './vocabulary.ts';

/** The folder that holds `conformance/`: the checkout, or `dist/` of an installed package. */
export const suiteFolder: string = fileURLToPath(new URL('../../', import.meta.url));

export interface ScenarioFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** The scenarios that come with Lockstep, in the order of their names. */
export function readScenarioFiles(): ScenarioFile[] {
  return globSync('conformance/scenarios/**/*.{yaml,yml}', { cwd: suiteFolder })
    .sort()
    .map((file) => {
      const name = file.split(sep).join('/');
      return { name, text: readFileSync(join(suiteFolder, file), 'utf8') };
    });
}

/** Loads files and families of scenarios into one suite. Throws the first LoadError. */
export function loadSuite(
  files: readonly ScenarioFile[],
  family: readonly Scenario[] = [],
  familyDigest = '',
): Suite {
  return suiteOf(loadScenarios(files), files, family, familyDigest);
}

export const loadScenarios = (files: readonly ScenarioFile[]): readonly Scenario[] =>
  files.map((file) => loadScenario(file.name, file.text));

/** Combines loaded scenarios and a family of scenarios to a suite. */
export function suiteOf(
  own: readonly Scenario[],
  files: readonly ScenarioFile[],
  family: readonly Scenario[],
  familyDigest: string,
): Suite {
  const scenarios = [...own, ...family];
  refuseSameTitles(scenarios);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.name}\0${file.text}\0`);
  return { scenarios, sha256: hash.update(familyDigest).digest('hex') };
}

/** Throws a LoadError at the second of two scenarios that have the same title. */
export function refuseSameTitles(scenarios: readonly Scenario[]): void {
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
}

export function loadScenario(file: string, text: string): Scenario {
  const source = new YamlSource(file, text);
  return scenarioFrom(source, source.value);
}

/** Makes a scenario from plain data; `source` gives the positions. */
export function scenarioFrom(source: YamlSource, value: unknown): Scenario {
  const text = scenarioGrammar.check(source, value);
  const context: StepContext = { source, defaults: text, known: new Map() };
  const steps = loadSteps(context, text.steps);
  const undo = loadSteps(context, text.undo ?? []);
  const every = everyStep({ steps, undo });
  // A path parameter at the top of the scenario that no step has is a typing mistake.
  const used = every.flatMap(({ path }) => Object.keys(path));
  for (const name of Object.keys(text.path ?? {}))
    refuseUnknown(source, 'no step has a path parameter', name, used, text.path, name);
  const effect = worst(every.map((step) => step.effect));
  // If a file declares its effect, it must declare the worst of its steps.
  if (text.effect !== undefined && text.effect !== effect)
    source.fail(
      `effect is ${text.effect}, and the worst of the steps is ${effect}`,
      text,
      'effect',
    );
  const scenario = {
    title: text.scenario,
    effect,
    confirm: text.confirm ?? 1,
    extra: text.extra === true,
    let: text.let ?? {},
    steps,
    undo,
    location: source.at(text, 'scenario'),
    reads: every.every(asksStatusAlone)
      ? new Set<string>()
      : new Set(every.flatMap(({ operation }) => operation?.lock?.reads ?? [])),
    writes: new Set(every.flatMap(areasWritten)),
    writesUntil: undo.length > 0 ? steps.length : writesUntil(steps),
    namesHead: JSON.stringify(value).includes('walk.head'),
    operations: every.some(({ request }) => request !== undefined)
      ? undefined
      : new Set(every.flatMap(({ operation }) => operation?.id ?? [])),
    statements: statementsOf(every.flatMap(({ checks, observes }) => [...checks, ...observes])),
    standing: statementsOf(every.flatMap(({ standing }) => standing)),
  };
  const https = every.some(({ plain }) => plain) ? ['https'] : [];
  const needs = new Set([...(text.needs ?? []), ...https, ...checkReferences(source, scenario)]);
  return { ...scenario, needs: [...needs] };
}

function statementsOf(judged: readonly { readonly statement: string }[]): Set<string> {
  return new Set(judged.map(({ statement }) => statement));
}

/** If a write has no operation, its effect is unknown, so it locks every area. */
function areasWritten({ effect, method, operation, request }: Step): readonly string[] {
  const own = effect === 'none' || (method === undefined && request === undefined);
  const operations = own ? [operation] : [...contract.operations.values()];
  return operations.flatMap((item) => item?.lock?.writes ?? []);
}

/** The number of steps up to the last write, or to the last step that waits until a write shows. */
function writesUntil(steps: readonly Step[]): number {
  const last = steps.findLastIndex(mayBeDone);
  const waits = steps.findLastIndex(({ timing }) => timing?.kind === 'eventually');
  return last === -1 ? 0 : 1 + Math.max(last, waits);
}

/**
 * Whether a correct service may carry out the write of a step. A write that names its object in a
 * second way always counts, because it is protected like a write to another object.
 */
function mayBeDone(step: Step): boolean {
  const { body, checks, expect = {}, operation, steps } = step;
  const [, ...others] = operation?.object?.fields ?? [];
  if (others.some((name) => isObject(body) && name in body)) return true;
  const always = checks.filter(({ only }) => only.length === 0);
  const must = [expect, ...always.map(({ conditions }) => conditions)];
  const refused = must.some(({ status }) => status !== undefined && !mayBeSuccess(status));
  return (isWrite(step) && !refused) || steps.some(mayBeDone);
}

/** Whether a step looks only at statuses. Changes by other users do not affect them. */
function asksStatusAlone({ capture, checks, expect = {}, observes, timing }: Step): boolean {
  const conditions = [
    expect,
    ...checks.flatMap((check) => [check.conditions, check.atLeast, ...check.only]),
    ...observes.flatMap(({ cases }) => Object.values(cases)),
  ];
  return (
    timing === undefined &&
    Object.keys(capture).length === 0 &&
    conditions.every((all) => Object.keys(all).every((name) => name === 'status'))
  );
}
