/**
 * Checks the references of a scenario before anything runs, and collects its needs from them.
 * A write may only name objects that are known before the first call, so that the printed plan
 * is complete.
 */

import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { answerFields } from './answer.ts';
import { type Conditions, isWrite, type Scenario, type Step } from './scenario.ts';
import { heads, referencesIn } from './template.ts';
import { bindingFields, credentialNames } from './vocabulary.ts';

/** The roots whose values are known before the first call, with their fields. */
const early: Readonly<Record<string, readonly string[]>> = {
  ...bindingFields,
  run: ['id', 'startedAt', 'target'],
  /** The number of a copy (`$copies`). */
  copy: [],
  missing: ['id', 'name', 'email'],
  actors: credentialNames,
};
const reserved = ['mail', 'steps', 'credentials', ...Object.keys(early), ...answerFields];

/** The position of a value in the file. */
type Place = readonly [parent: unknown, key?: string | undefined];

/** Collects the needs. Throws a LoadError for a reference that leads nowhere. */
export function checkReferences(
  source: YamlSource,
  scenario: Pick<Scenario, 'let' | 'steps' | 'undo'>,
): ReadonlySet<string> {
  const references = new References(source);
  for (const [name, value] of Object.entries(scenario.let)) {
    references.declare(name, references.check(value, [scenario.let, name]), scenario.let);
  }
  references.checkSteps(scenario.steps);
  references.checkSteps(scenario.undo);
  return references.needs;
}

class References {
  readonly needs = new Set<string>();
  readonly #source: YamlSource;
  /** Names from let, capture and forEach, each with whether it is known before the first call. */
  readonly #values = new Map<string, boolean>();
  readonly #steps = new Set<string>();
  /** Lists of forEach that are written out; they may contain actors. */
  readonly #lists = new Map<string, unknown>();
  /** Whether the value that is being checked may refer to the step's own answer. */
  #seesAnswer = false;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  declare(name: string, isEarly: boolean, parent: unknown): void {
    if (reserved.includes(name))
      this.#source.fail(`${name} is a word of the language; choose another name`, parent, name);
    this.#values.set(name, isEarly && this.#values.get(name) !== false);
  }

  checkSteps(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#seesAnswer = false;
      for (const { value, is } of step.require) this.check([value, is], [step]);
      if (step.forEach === undefined) {
        this.#checkCall(step);
        this.#seesAnswer = true;
        this.#checkAnswer(step);
        continue;
      }
      const { name, list } = step.forEach;
      this.declare(name, this.check(list, [step]), step);
      this.#lists.set(name, list);
      this.checkSteps(step.steps);
    }
  }

  #checkCall(step: Step): void {
    const { path, query, headers, body, rawBody, request, operation } = step;
    if (step.as !== undefined) this.#checkActor(step.as, step);
    this.check([path, query, headers, body, rawBody, request?.path], [step]);
    if (!isWrite(step)) return;
    // The target of a write must be known before the first call.
    const fields = isObject(body) ? body : {};
    const named = (operation?.object?.fields ?? []).map((name) => fields[name]);
    if (this.check([path, request?.path, ...named], [path])) return;
    this.#source.fail(
      `${step.id}: the target of a write must be known before the first call: refer to bindings, missing, run, let or forEach, not to answers`,
      path,
    );
  }

  #checkAnswer(step: Step): void {
    const conditions = [
      ...(step.expect === undefined ? [] : [step.expect]),
      ...step.checks.flatMap((check) => [check.conditions, ...check.only]),
      ...step.observes.flatMap((observe) => Object.values(observe.cases)),
    ];
    for (const [id, parent] of conditions.flatMap(stepsNamed)) {
      if (!this.#steps.has(id)) this.#source.fail(this.#noStep(id), parent);
    }
    this.#steps.add(step.id);
    this.check([step.list, step.expect], [step]);
    for (const [name, value] of Object.entries(step.capture)) {
      this.check(value, [step.capture, name]);
      this.declare(name, false, step.capture);
    }
    for (const check of step.checks) this.check([check.conditions, check.only], [check]);
    for (const item of step.observes) this.check([item.cases, item.value], [item]);
  }

  /** Checks every reference in a value; true if all are known before the first call. */
  check(value: unknown, place: Place): boolean {
    const found = [...this.#textsIn(value, place)].flatMap(([text, ...at]) =>
      this.#referencesIn(text, at).map((reference) => this.#isEarly(reference, at)),
    );
    return !found.includes(false);
  }

  /** The texts in a value, including keys, each with its nearest known position. */
  *#textsIn(value: unknown, place: Place): Generator<readonly [string, ...Place]> {
    if (typeof value === 'string') yield [value, ...place];
    if (typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      const below: Place = this.#source.has(value, name) ? [value, name] : place;
      if (!Array.isArray(value)) yield [name, ...below];
      yield* this.#textsIn(item, below);
    }
  }

  #referencesIn(text: string, [parent, key]: Place): readonly string[] {
    try {
      return referencesIn(text);
    } catch (error) {
      return this.#source.fail((error as Error).message, parent, key);
    }
  }

  /** Whether a reference leads to something that is known before the first call. */
  #isEarly(reference: string, [parent, key]: Place): boolean {
    const fail = (problem: string): never =>
      this.#source.fail(`{${reference}}: ${problem}`, parent, key);
    const { root, next = '' } = heads(reference);
    const known = this.#values.get(root);
    if (known !== undefined) return known;
    if (root === 'steps') return this.#steps.has(next) ? false : fail(this.#noStep(next));
    const own = this.#seesAnswer ? answerFields : [];
    if (own.includes(root)) return false;
    // The name of a generated mail address is free.
    if (root === 'mail') return next !== '' || fail('a name is missing, such as {mail.new}');
    const fields = early[root];
    if (fields === undefined) {
      const words = [...this.#values.keys(), 'mail', 'steps', ...Object.keys(early), ...own];
      const secret = root === 'credentials';
      const more = secret ? ': only the header of `as` can refer to a secret' : hint(root, words);
      return fail(`nothing here is called ${root}${more}`);
    }
    if (next !== '' && !fields.includes(next))
      return fail(`${root} has no field ${next}${hint(next, fields)}`);
    if (root in bindingFields) this.needs.add(next === '' ? root : `${root}.${next}`);
    return true;
  }

  #noStep(id: string): string {
    return `no step before this one is called ${id}${hint(id, this.#steps)}`;
  }

  #checkActor(as: unknown, parent: object): void {
    const variable = typeof as === 'string' ? /^\{(\w[\w-]*)\}$/.exec(as)?.[1] : undefined;
    if (variable !== undefined) {
      if (!this.#values.has(variable))
        this.#source.fail(`as: nothing here is called ${variable}`, parent);
      const list = this.#lists.get(variable);
      if (Array.isArray(list)) for (const item of list) this.#needActor(item, list);
    } else this.#needActor(as, parent);
  }

  #needActor(as: unknown, parent: object): void {
    if (as === 'none') return;
    if (typeof as === 'string') {
      this.#needCredential(as, 'as: there is no actor', parent);
      return;
    }
    const { header } = isObject(as) ? as : {};
    if (typeof header !== 'string')
      this.#source.fail('as is a credential, none, or { header }', parent);
    const secret = /\{credentials\.([\w-]+)\}/g;
    for (const [whole, name = ''] of header.matchAll(secret))
      this.#needCredential(name, `${whole}: there is no credential`, parent);
    this.check(header.replaceAll(secret, ''), [parent]);
  }

  #needCredential(name: string, lead: string, parent: object): void {
    if (!credentialNames.includes(name))
      this.#source.fail(`${lead} ${name}${hint(name, [...credentialNames, 'none'])}`, parent);
    this.needs.add(name);
  }
}

/** The steps that conditions name without a reference, each with the condition. */
function stepsNamed(conditions: Conditions): [string, object][] {
  const { unchanged, changed, answered = {}, 'same set': set } = conditions;
  const found: [unknown, object][] = [unchanged, changed]
    .filter(isObject)
    .map((item) => [item.since, item]);
  if (typeof set === 'string' && !set.includes('{')) found.push([set, conditions]);
  for (const id of Object.keys(answered as object)) found.push([id, answered as object]);
  return found.map(([id, parent]) => [String(id), parent]);
}
