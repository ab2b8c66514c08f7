/**
 * The knowledge of a walk about the target: its own writes, and the first entry of each read.
 *
 * It follows from the contract. `x-restore` names the call that shows the effect of a write.
 * `x-lock` names the reads that a write can change; all others must stay the same. A refused call
 * changes nothing.
 */

import type { ConditionsText } from '../../conformance/language/scenario.ts';
import { resolve, type Scope } from '../../conformance/language/template.ts';
import { canonical, type JsonObject } from '../../spec/base/json.ts';
import { type Operation, statement } from '../../spec/contract.ts';
import type { Call, Entry, Known, Rule, Sent, WalkMemory } from './call.ts';

/** The known facts about an object that can be written. */
interface KnownObject {
  readonly operation: Operation;
  /** The deployment that it belongs to. */
  readonly home: string;
  /** The fields that identify the object in an answer, with their values. */
  readonly find: JsonObject;
  /** The known values, by field of the body. */
  readonly fields: Map<string, Known>;
  state?: string | undefined;
}

export class Model implements WalkMemory {
  /** The areas' own notes. */
  readonly notes = new Map<string, unknown>();
  readonly #scope: Scope;
  readonly #objects = new Map<string, KnownObject>();
  /**
   * The first entry of each key. A key is, for example, a read and the state that the read depends
   * on.
   */
  readonly #first = new Map<string, string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  known(call: Call, field: string, binding?: string): unknown {
    return this.#object(call, binding).fields.get(field)?.value;
  }

  /**
   * Learns from an answer, and returns the rules for it. `sure`: the caller is known to be
   * permitted.
   */
  learn(entry: Entry, call: Call, sent: Sent | undefined, sure: boolean): Rule[] {
    const { ok, status } = entry.answer;
    const isRead = call.operation.effect === 'none';
    if (!ok) {
      // After a 5xx the write may have taken effect or not, so the object's state is unknown.
      if (!isRead && status >= 500) {
        const object = this.#object(call, sent?.binding);
        object.fields.clear();
        object.state = `unknown after ${entry.id}`;
      }
      const again = isRead && this.#first.has(this.#reading(call)) ? blameOf(call) : undefined;
      const promise = sent?.serves ?? again;
      return sure && promise !== undefined ? [[promise, { status: { not: 'refused' } }]] : [];
    }
    if (sent?.sets !== undefined) {
      const object = this.#object(call, sent.binding);
      for (const [name, value] of Object.entries(sent.sets)) object.fields.set(name, value);
      object.state = sent.state;
    }
    const shown = this.#shown(call);
    return isRead ? [...shown, ...this.#alike(entry, call)] : shown;
  }

  /** Makes the rules that the answer shows an object as it was written. */
  #shown({ operation, path }: Call): Rule[] {
    const home = this.#home(operation, path);
    const shows = [...this.#objects.values()].filter((object) => {
      const reads = object.operation.restore?.read.call;
      return object.home === home && (reads === operation.id || object.operation === operation);
    });
    return shows.flatMap(({ find, fields, operation: { restore } }) =>
      [...fields].flatMap(([name, { value, statement }]) =>
        Object.entries(find).map(([key, is]): Rule => {
          const field = restore?.put[name] ?? name;
          const contrary = { [key]: is, [field]: { $present: true, $not: value } };
          return [statement, { body: { $not: { $anywhere: contrary } } }];
        }),
      ),
    );
  }

  /** Makes the rules that the same read shows the same, unless something that it depends on has changed. */
  #alike(entry: Entry, call: Call): Rule[] {
    const since = this.since(this.#reading(call), entry);
    const blamed = blameOf(call);
    if (since === undefined || blamed === undefined) return [];
    return alikeSince(call, since).map((conditions) => [blamed, conditions]);
  }

  since(key: string, { id }: Entry): string | undefined {
    const since = this.#first.get(key);
    if (since === undefined) this.#first.set(key, id);
    return since;
  }

  #object(call: Call, binding?: string): KnownObject {
    const { operation, path } = call;
    const key = this.#place(call, binding ?? '');
    const found = this.#objects.get(key);
    if (found !== undefined) return found;
    const find = Object.entries(operation.restore?.find ?? {}).map(([field, is]) => {
      const name = /^\{(\w+)\}$/.exec(String(is))?.[1];
      const value = binding === undefined ? path[name ?? ''] : `{${binding}.${field}}`;
      return [field, name === undefined ? is : value];
    });
    const home = this.#home(operation, path);
    const object = { operation, home, find: Object.fromEntries(find), fields: new Map() };
    this.#objects.set(key, object);
    return object;
  }

  /** A key for a read and the state that it depends on. */
  #reading(call: Call): string {
    const { operation, path, query } = call;
    const area = operation.lock?.reads;
    const home = this.#home(operation, path);
    const states = [...this.#objects.values()]
      .filter((object) => object.operation.lock?.writes === area && object.home === home)
      .filter(({ state, fields }) => state !== undefined || fields.size > 0)
      .map(({ state, fields }) => state ?? canonical([...fields.values()]));
    // A list of a deployment is the same for all callers; other lists depend on the caller.
    const who = operation.requires.deployment === undefined ? call.as : '';
    return canonical([this.#place(call, who), query, area === undefined ? [] : states]);
  }

  #place({ operation, path }: Call, of: string): string {
    return canonical([operation.id, resolve(path, this.#scope), of]);
  }

  #home({ requires }: Operation, path: Call['path']): string {
    return String(resolve(path[requires.deployment ?? ''] ?? '', this.#scope));
  }
}

/** The conditions for a later answer; none if the description does not show its shape. */
function alikeSince({ operation, pages }: Call, since: string): ConditionsText[] {
  const response = operation.responseFor(200);
  // An export may have its rows in any order, and the description does not name its columns.
  if (response?.mediaType === 'text/csv') {
    return [{ csv: { rows: { $length: `{steps.${since}.csv.rows.length}` } } }];
  }
  const { required = [] } = response?.schema ?? {};
  const promised = Array.isArray(required) ? required.map(String) : [];
  if (operation.items === undefined) return unchanged(since, promised);
  const total = pages === undefined ? [] : [{ walk: { total: `{steps.${since}.walk.total}` } }];
  return [{ 'same set': since }, ...total];
}

const unchanged = (since: string, of: readonly string[]): ConditionsText[] =>
  of.length === 0 ? [] : [{ unchanged: { since, of } }];

/**
 * The statement that a wrong read breaks: the statement of its query, or of its success if the query has
 * none.
 */
function blameOf({ operation: { parameters, success }, query }: Call): string | undefined {
  const sent = parameters.filter(({ name }) => query[name] !== undefined);
  const named = sent.flatMap(({ statements }) => statements);
  const promise = named.find((id) => statement(id).level !== 'silent');
  return promise ?? (success === 'none' ? undefined : success);
}
