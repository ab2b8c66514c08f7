/**
 * Reads, compares and puts back the object of a write, as the contract says (`x-restore`). An area gives
 * the special cases.
 *
 * Answers are read leniently: a target that breaks a promise must not be left changed either.
 */

import { equal, isObject, type JsonObject, objectsIn } from '../../spec/base/json.ts';
import type { Restore } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import type { TenantObject } from '../target/call.ts';
import type { Restorer, SafetyFacts } from './areas.ts';

/** Undefined for a write after which nothing is to be put back. */
export function restorerOf(
  { operation }: TenantObject,
  special: SafetyFacts['restore'],
): Restorer | undefined {
  if (operation?.restore === undefined) return undefined;
  const own = special[operation.id] ?? {};
  return { ...plainRestorer(operation.restore, own.state), ...own };
}

/** The object in an answer, as a state; undefined if the answer does not show exactly one. */
export function stateIn(
  { body }: Answer,
  object: TenantObject,
  { state }: Pick<Restorer, 'state'>,
): unknown {
  const found = [...objectsIn(body)]
    .filter((item) => isFound(item, object) || (item === body && isBare(item, object)))
    .filter((item) => state(item) !== undefined);
  // A field inside the object only names it, like the end of its own path.
  const named = new Set(
    found.flatMap((item) => [...objectsIn(item)].filter((one) => one !== item)),
  );
  const shown = found.filter((item) => !named.has(item)).map(state);
  const [first] = shown;
  return shown.every((other) => equal(other, first)) ? first : undefined;
}

/** Whether a write changes nothing, because it is the contract's way to read the object. */
export function isReading({ operation }: TenantObject, sent: unknown): boolean {
  const read = operation?.restore?.read;
  return read?.call === operation?.id && equal(sent, read?.body);
}

/** Whether every field that a write changes can be put back afterwards. */
export function isKnown({ operation }: TenantObject, before: unknown, sent: unknown): boolean {
  // An object that does not exist needs nothing.
  if (before === null) return true;
  const changed = Object.keys(operation?.restore?.put ?? {}).filter(
    (name) => isObject(sent) && name in sent,
  );
  return isObject(before) && changed.every((name) => name in before);
}

function plainRestorer(restore: Restore, own: Restorer['state'] | undefined): Restorer {
  const { read, put } = restore;
  const state = own ?? ((found: JsonObject) => fieldsOf(found, put));
  return {
    read: async (object, ask) => {
      const answer = await ask(read.call, object.parameters, { body: read.body });
      if (answer.status === 404) return null;
      return answer.ok ? stateIn(answer, object, { state }) : undefined;
    },
    state,
    same: equal,
    ours: (now, before, sent) =>
      isObject(now) &&
      isObject(before) &&
      Object.keys(put).every(
        (name) =>
          equal(now[name], before[name]) ||
          sent.some((body) => isObject(body) && name in body && equal(now[name], body[name])),
      ),
    answersShow: true,
    bodies: ({ fields }, before) => {
      if (!isObject(before)) return [];
      const names = Object.keys(put).filter((name) => name in before);
      return [{ ...fields, ...Object.fromEntries(names.map((name) => [name, before[name]])) }];
    },
  };
}

/** The fields of an object that put it back, by the names of the body. */
function fieldsOf(found: JsonObject, put: Restore['put']): JsonObject | undefined {
  const shown = Object.entries(put)
    .map(([name, field]) => [name, found[field]] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/** One matching field is enough. */
export function isFound(item: JsonObject, object: TenantObject): boolean {
  const values = { ...object.parameters, ...object.fields };
  return Object.entries(findOf(object)).some(([field, wanted]) => {
    const name = typeof wanted === 'string' ? /^\{(\w+)\}$/.exec(wanted)?.[1] : undefined;
    if (name === undefined) return equal(item[field], wanted);
    const value = values[name];
    if (value === undefined || item[field] === undefined) return false;
    // An identifier may be a number on one side and its digits on the other.
    return String(item[field]) === String(value);
  });
}

/** An answer without any of the identifying fields still counts: the description allows leaving them out. */
function isBare(item: JsonObject, object: TenantObject): boolean {
  return Object.keys(findOf(object)).every((field) => item[field] === undefined);
}

function findOf({ operation }: TenantObject): Restore['find'] {
  return operation?.restore?.find ?? {};
}
