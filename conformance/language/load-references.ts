/**
 * Checks where references point before anything runs, and finds what a scenario needs by them.
 * A write may only name objects that are known before the first call: that is what makes the
 * printed plan complete.
 */

import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { answerFields } from './answer.ts';
import { type Conditions, type Confirm, isWrite, type Step } from './scenario.ts';
import { compile, heads } from './template.ts';
import { bindingFields, credentialNames } from './vocabulary.ts';

const runFields: Readonly<Record<string, readonly string[]>> = {
  run: ['id', 'startedAt'],
  missing: ['id', 'name', 'email'],
  actors: credentialNames,
};
const reserved = [
  'steps',
  'credentials',
  'firstTry',
  ...Object.keys(runFields),
  ...answerFields,
  ...Object.keys(bindingFields),
];

interface Names {
  /** Names from let, capture and forEach, each with whether it is known before the first call. */
  readonly values: Map<string, boolean>;
  readonly steps: Set<string>;
  readonly needs: Set<string>;
  /** Whether an earlier try of the scenario can be referred to. */
  readonly tried?: boolean;
  /** Literal lists of forEach, for finding the actors in them. */
  readonly lists: Map<string, unknown>;
}

/** Throws a LoadError for a reference to nothing; answers with the needs. */
export function checkReferences(
  source: YamlSource,
  variables: Readonly<Record<string, unknown>>,
  steps: readonly Step[],
  undo: readonly Step[],
  confirm: Confirm,
): ReadonlySet<string> {
  const names: Names = { values: new Map(), steps: new Set(), needs: new Set(), lists: new Map() };
  for (const [name, value] of Object.entries(variables)) {
    const early = checkValue(source, names, value, variables, name, false);
    declare(source, names, variables, name, early);
  }
  walkSteps(source, names, steps);
  walkSteps(source, names, undo);
  for (const condition of confirm.unless) {
    const { value, is } = condition;
    checkValue(source, { ...names, tried: true }, { value, is }, condition, '', false);
  }
  return names.needs;
}

function walkSteps(source: YamlSource, names: Names, steps: readonly Step[]): void {
  for (const step of steps) {
    for (const condition of step.require) {
      checkValue(source, names, [condition.value, condition.is], step, '', false);
    }
    if (step.forEach !== undefined) {
      const early = checkValue(source, names, step.forEach.list, step.forEach, 'list', false);
      declare(source, names, step.forEach, step.forEach.name, early);
      names.lists.set(step.forEach.name, step.forEach.list);
      walkSteps(source, names, step.steps);
      continue;
    }
    checkActor(source, names, step);
    const request: [unknown, string][] = [
      [step.path, 'path'],
      [step.query, 'query'],
      [step.headers, 'headers'],
      [step.body?.value, 'body'],
      [step.rawBody, 'rawBody'],
      [step.request?.path, 'request'],
    ];
    for (const [value, key] of request) checkValue(source, names, value, step, key, false);
    if (isWrite(step)) checkTarget(source, names, step);
    checkSteps(source, names, step);
    names.steps.add(step.id);
    checkValue(source, names, step.list, step, 'list', true);
    checkValue(source, names, step.expect, step, 'expect', true);
    for (const [name, value] of Object.entries(step.capture)) {
      checkValue(source, names, value, step.capture, name, true);
      declare(source, names, step.capture, name, false);
    }
    for (const check of step.checks) {
      checkValue(source, names, [check.conditions, check.only], check, '', true);
    }
    for (const observe of step.observes) {
      checkValue(source, names, [observe.cases, observe.value?.template], observe, '', true);
    }
  }
}

/** Steps that conditions name without a reference must come before. */
function checkSteps(source: YamlSource, names: Names, step: Step): void {
  const conditions = [
    ...(step.expect === undefined ? [] : [step.expect]),
    ...step.checks.flatMap((check) => [check.conditions, ...check.only]),
    ...step.observes.flatMap((observe) => Object.values(observe.cases)),
  ];
  for (const [id, parent] of conditions.flatMap(stepsNamed)) {
    if (names.steps.has(id)) continue;
    source.fail(`no step before this one is called ${id}${hint(id, names.steps)}`, parent);
  }
}

/** The steps that conditions name, each with what names it. */
function stepsNamed(conditions: Conditions): [string, object][] {
  const { unchanged, changed, answered } = conditions;
  const set = conditions['same set'];
  return [
    ...[unchanged, changed].flatMap((item): [string, object][] =>
      isObject(item) ? [[String(item.since), item]] : [],
    ),
    ...(typeof set === 'string' && !set.includes('{')
      ? [[set, conditions] as [string, object]]
      : []),
    ...(isObject(answered) ? Object.keys(answered) : []).map((id): [string, object] => [
      id,
      answered as object,
    ]),
  ];
}

function declare(
  source: YamlSource,
  names: Names,
  parent: object,
  name: string,
  early: boolean,
): void {
  if (reserved.includes(name))
    source.fail(`${name} is a word of the language; choose another name`, parent, name);
  names.values.set(name, early && names.values.get(name) !== false);
}

/** Checks every reference in a value; true where all are known before the first call. */
function checkValue(
  source: YamlSource,
  names: Names,
  value: unknown,
  parent: unknown,
  key: string | number,
  own: boolean,
): boolean {
  if (Array.isArray(value)) {
    let early = true;
    for (const [index, item] of value.entries()) {
      if (!checkValue(source, names, item, value, index, own)) early = false;
    }
    return early;
  }
  if (isObject(value)) {
    let early = true;
    for (const [name, item] of Object.entries(value)) {
      if (!checkString(source, names, name, value, name, own)) early = false;
      if (!checkValue(source, names, item, value, name, own)) early = false;
    }
    return early;
  }
  return typeof value !== 'string' || checkString(source, names, value, parent, key, own);
}

function checkString(
  source: YamlSource,
  names: Names,
  text: string,
  parent: unknown,
  key: string | number,
  own: boolean,
): boolean {
  let references: readonly string[];
  try {
    references = compile(text).references;
  } catch (error) {
    return source.fail((error as Error).message, parent, key);
  }
  let early = true;
  for (const reference of references) {
    if (!checkReference(source, names, reference, parent, key, own)) early = false;
  }
  return early;
}

function checkReference(
  source: YamlSource,
  names: Names,
  reference: string,
  parent: unknown,
  key: string | number,
  own: boolean,
): boolean {
  const { root, next } = heads(reference);
  if (root === 'firstTry' && names.tried === true) {
    if (next !== undefined && names.values.has(next)) return false;
    const near = hint(next ?? '', names.values.keys());
    return source.fail(`{${reference}}: nothing captures ${next}${near}`, parent, key);
  }
  const known = names.values.get(root);
  if (known !== undefined) return known;
  if (root === 'steps') {
    if (next === undefined || !names.steps.has(next)) {
      source.fail(
        `{${reference}}: no step before this one is called ${next}${hint(next ?? '', names.steps)}`,
        parent,
        key,
      );
    }
    return false;
  }
  if (own && answerFields.includes(root)) return false;
  const fields = bindingFields[root] ?? runFields[root];
  if (fields === undefined) {
    const words = [
      ...names.values.keys(),
      'steps',
      ...Object.keys(bindingFields),
      ...Object.keys(runFields),
      ...(own ? answerFields : []),
    ];
    const more =
      root === 'credentials'
        ? ': only the header of `as` can refer to a secret'
        : hint(root, words);
    return source.fail(`{${reference}}: nothing here is called ${root}${more}`, parent, key);
  }
  if (next !== undefined && !fields.includes(next)) {
    source.fail(`{${reference}}: ${root} has no field ${next}${hint(next, fields)}`, parent, key);
  }
  if (root in bindingFields) names.needs.add(next === undefined ? root : `${root}.${next}`);
  return true;
}

function checkActor(source: YamlSource, names: Names, step: Step): void {
  const { as } = step;
  if (as === undefined) return;
  const variable = typeof as === 'string' ? /^\{(\w[\w-]*)\}$/.exec(as)?.[1] : undefined;
  if (variable !== undefined) {
    if (!names.values.has(variable)) source.fail(`as: nothing here is called ${variable}`, step);
    const list = names.lists.get(variable);
    if (Array.isArray(list)) for (const item of list) actorNeeds(source, names, item, list);
    return;
  }
  actorNeeds(source, names, as, step);
}

function actorNeeds(source: YamlSource, names: Names, as: unknown, parent: unknown): void {
  if (as === 'none') return;
  if (typeof as === 'string' || (isObject(as) && typeof as.credential === 'string')) {
    const name = typeof as === 'string' ? as : String(isObject(as) ? as.credential : '');
    if (isObject(as)) checkValue(source, names, as.scheme, parent, 'scheme', false);
    if (!credentialNames.includes(name)) {
      source.fail(
        `as: there is no actor ${name}${hint(name, [...credentialNames, 'none'])}`,
        parent,
      );
    }
    names.needs.add(name);
    return;
  }
  const header = isObject(as) ? as.header : undefined;
  if (typeof header !== 'string') {
    source.fail('as is a credential, none, { credential, scheme } or { header }', parent);
    return;
  }
  for (const reference of compile(header).references) {
    const { root, next } = heads(reference);
    if (root !== 'credentials') checkReference(source, names, reference, parent, 'header', false);
    else if (next === undefined || !credentialNames.includes(next)) {
      source.fail(
        `{${reference}}: there is no credential ${next}${hint(next ?? '', credentialNames)}`,
        parent,
      );
    } else names.needs.add(next);
  }
}

/** What a write is done to must be known before the first call. */
function checkTarget(source: YamlSource, names: Names, step: Step): void {
  const body = isObject(step.body?.value) ? step.body.value : {};
  const target: unknown[] = [step.path, step.request?.path];
  if (step.operation?.id === 'setStagingEnvironment') target.push(body.branchName, body.branchId);
  for (const value of target) {
    if (!checkValue(source, names, value, step.path, '', false)) {
      source.fail(
        `${step.id}: what a write is done to must be known before the first call: refer to bindings, missing, run, let or forEach, not to answers`,
        step.path,
      );
    }
  }
}
