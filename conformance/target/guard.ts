/**
 * The guard in the client: a write passes only if it is in the plan, letter by letter, and if all people in
 * it have agreed.
 */

import { canonical, isObject, type JsonObject } from '../../spec/base/json.ts';
import type { People } from '../../spec/contract.ts';
import { missingNames } from '../language/scope.ts';
import type { Bindings } from '../language/vocabulary.ts';
import type { TargetCall, TenantObject } from './call.ts';

/** Raised before anything unsafe is done. The run ends with exit code 5. */
export class Unsafe extends Error {}

export class Guard {
  readonly #permits = new Set<string>();
  readonly #bindings: Bindings;
  /** Texts that show that this run made up a person, or that the person does not exist. */
  readonly #marks: readonly string[];
  /** The people that an answer has reported, by binding. */
  readonly #reported = new Map<string, JsonObject[]>();

  /** Permits no write at first. `bindings` names the people who agreed; a run also makes up people. */
  constructor(bindings: Bindings = {}, runId?: string) {
    this.#bindings = bindings;
    const ofRun = runId === undefined ? [] : [runId, ...Object.values(missingNames(runId))];
    this.#marks = ofRun.map(String);
  }

  permit({ key }: TenantObject): void {
    this.#permits.add(key);
  }

  isPermitted({ key }: TenantObject): boolean {
    return this.#permits.has(key);
  }

  /** People that an answer reports are reached already, and may be named again. */
  learn({ operation }: TargetCall, answer: unknown): void {
    if (operation?.people === undefined || !isObject(answer)) return;
    const { binding } = operation.people;
    const lists = Object.values(answer).filter(Array.isArray);
    const known = this.#reported.get(binding) ?? [];
    this.#reported.set(binding, [...known, ...lists.flat().filter(isObject)]);
  }

  /** Throws Unsafe for a write that is not in the plan, or that names somebody who has not agreed. */
  check(call: TargetCall): void {
    const { request, object } = call;
    if (object === undefined) return;
    if (!this.isPermitted(object)) {
      throw new Unsafe(`${request.method} ${request.path} is not in the plan of this run`);
    }
    this.checkPeople(call);
  }

  /** Throws Unsafe if a call would reach somebody who has not agreed to it. */
  checkPeople({ operation, sent }: TargetCall): void {
    const people = operation?.people;
    if (people === undefined) return;
    const list = isObject(sent) ? sent[people.list] : undefined;
    for (const person of new Set(Array.isArray(list) ? list : [])) {
      if (!this.#allowed(person, people)) {
        throw new Unsafe(
          `refusing to write: the recipient ${canonical(person)} was neither created by this run nor listed in the tenant file`,
        );
      }
    }
  }

  /**
   * Each key of a person must belong to somebody who agreed, or be made up by this run. `within` must be
   * as agreed, unless all keys are made up.
   */
  #allowed(person: unknown, { keys, within, binding }: People): boolean {
    if (!isObject(person)) return true;
    const given = keys.filter((name) => person[name] !== undefined);
    if (given.every((name) => this.#madeUp(person[name]))) return true;
    const agreed = Object.values(this.#bindings[binding] ?? {}).flat();
    return [...agreed, ...(this.#reported.get(binding) ?? [])].some((known) => {
      if (!isObject(known)) return false;
      const alike = (name: string): boolean => same(known[name], person[name]);
      const placed = within === undefined || person[within] === undefined || alike(within);
      const fits = given.every((name) => alike(name) || this.#madeUp(person[name]));
      return placed && fits && given.some(alike);
    });
  }

  #madeUp(value: unknown): boolean {
    const text = String(value);
    return text === '' || value === null || this.#marks.some((mark) => text.includes(mark));
  }
}

/** Numbers and their digits, and the case of an email, are the same person (REQ-5, RECIP-34). */
function same(known: unknown, given: unknown): boolean {
  return known !== undefined && String(known).toLowerCase() === String(given).toLowerCase();
}
