/**
 * Small pieces that hand-written deviations are made of: reading and changing calls and answers,
 * passing over refusals, restoring what a handler wrote, and remembering how often something
 * happened.
 */
import type { OperationId } from '../../spec/contract.ts';
import { Call } from '../pipeline/call.ts';
import type { ExchangeRequest, Refusal, Reply } from '../pipeline/exchange.ts';
import { isRefusal, refusal } from '../pipeline/exchange.ts';
import type { State, TableName } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Memory, Scene, Stage } from './deviation.ts';

export type Handled = Reply | Refusal;
export type Handle = NonNullable<Deviation['handle']>;
export type StageHook = NonNullable<Deviation['stage']>;
export type RefusedHook = NonNullable<Deviation['refused']>;

/** A JSON object of an answer or a request. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** What a deviation does: any of its hooks, and what it breaks besides. */
export type Hooks = Omit<Deviation, 'id' | 'text' | 'breaks' | 'operations' | 'equivalent'>;

/** Makes the deviations of an area whose calls are all of one operation. */
export function deviationOf(area: string, operation: OperationId) {
  return (
    name: string,
    text: string,
    breaks: readonly string[],
    { collateral = [], ...hooks }: Hooks,
  ): Deviation => {
    const further = collateral.filter((statement) => !breaks.includes(statement));
    const base = { id: `${area}:${name}`, text, breaks, operations: [operation], ...hooks };
    return further.length === 0 ? base : { ...base, collateral: further };
  };
}

// ── calls ───────────────────────────────────────────────────────────────────────

/** A call of an operation that is known: that of the area, as no other reaches its deviations. */
export function callOf<K extends OperationId>(call: Call): Call<K> {
  return call as unknown as Call<K>;
}

/**
 * The same call, maybe for another path, without its query and its body. What it assumes is no part
 * of the answer's basis.
 */
export function trialOf<K extends OperationId>(
  call: Call,
  path: Call<K>['path'] = callOf<K>(call).path,
): Call<K> {
  const { operation, caller, rawQuery } = call;
  return callOf<K>(new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() }));
}

/** The JSON body of a request; undefined where it has none that can be read. */
export function sentBody(request: ExchangeRequest): Json | undefined {
  if (request.body === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(request.body));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// ── answers ─────────────────────────────────────────────────────────────────────

/** Applies a change to what a handler returns, now or later. */
export function whenDone(
  result: Handled | Promise<Handled>,
  change: (done: Handled) => Handled,
): Handled | Promise<Handled> {
  return result instanceof Promise ? result.then(change) : change(result);
}

/** Changes what a handler answers; refusals pass. Undefined leaves the answer as it is. */
export function changeAnswer(change: (answer: Reply, scene: Scene) => Reply | undefined): Handle {
  return (next, scene) =>
    whenDone(next(), (done) => (isRefusal(done) ? done : (change(done, scene) ?? done)));
}

/** Changes the JSON body of a successful answer. Undefined leaves it as it is. */
export function mapBody(change: (body: Json, scene: Scene) => unknown): Handle {
  return changeAnswer((answer, scene) => {
    if (answer.status >= 300 || !isRecord(answer.body)) return undefined;
    const body = change(answer.body, scene);
    return body === undefined || body === answer.body ? undefined : { ...answer, body };
  });
}

/** Changes what stands under `data` in a successful answer. Undefined leaves it as it is. */
export function mapData(change: (data: unknown, scene: Scene) => unknown): Handle {
  return mapBody((body, scene) => {
    const data = change(body.data, scene);
    return data === undefined || data === body.data ? undefined : { ...body, data };
  });
}

/** Changes the items of an array under `data`. The same items leave the answer as it is. */
export function mapItems(
  change: (items: readonly Json[], scene: Scene) => readonly Json[],
): Handle {
  return mapData((data, scene) => {
    if (!Array.isArray(data)) return undefined;
    const items = data.filter(isRecord);
    const changed = change(items, scene);
    return same(items, changed) ? undefined : changed;
  });
}

/** Whether two values have the same JSON text. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

// ── refusals ────────────────────────────────────────────────────────────────────

/** Passes over what a stage refuses by a statement. */
export function passesOver(
  stage: Stage,
  statement: string,
  when: (scene: Parameters<StageHook>[2]) => boolean = () => true,
): StageHook {
  return (at, refused, scene) =>
    at === stage && refused?.statement === statement && when(scene) ? undefined : refused;
}

/** Passes over what a stage refuses by a statement, once it has refused a call by it. */
export function refusesOnce(stage: Stage, statement: string): Pick<Hooks, 'stage' | 'refused'> {
  return {
    stage: passesOver(stage, statement, ({ memory }) => memory.has('refused')),
    refused: remembersRefusal(statement),
  };
}

/** Refuses with 400 what is valid. */
export function refusesValid(
  statement: string,
  message: string,
  when: (call: Call) => boolean,
): StageHook {
  return (stage, refused, { call }) =>
    stage === 'validate' && refused === undefined && when(call)
      ? refusal(400, statement, message)
      : refused;
}

/** Remembers that a call was refused by a statement, as `refused`. */
export function remembersRefusal(by: string): RefusedHook {
  return ({ statement }, { memory }) => {
    if (statement === by) memory.set('refused', true);
  };
}

// ── state ───────────────────────────────────────────────────────────────────────

/** Makes the tables of a world what they were in an earlier state; true where that changed any. */
export function restoreTables(
  world: World,
  before: State,
  ...names: readonly TableName[]
): boolean {
  let changed = false;
  for (const name of names) {
    const now = world.state.tables[name] as Rows;
    const then = before.tables[name] as Rows;
    const keys = new Set([...now.changes().keys(), ...then.changes().keys()]);
    for (const key of keys) {
      const row = then.get(key);
      if (now.get(key) === row) continue;
      changed = true;
      if (row === undefined) now.delete(key);
      else now.put(key, row);
    }
  }
  return changed;
}

interface Rows {
  get(key: unknown): unknown;
  put(key: unknown, row: unknown): void;
  delete(key: unknown): void;
  changes(): ReadonlyMap<unknown, unknown>;
}

/** Answers as the handler does and undoes what it wrote to these tables. */
export function forgets(when: (scene: Scene) => boolean, ...names: readonly TableName[]): Handle {
  return (next, scene) => {
    if (!when(scene)) return next();
    return whenDone(next(), (done) => {
      if (!isRefusal(done) && restoreTables(scene.world, scene.before, ...names)) scene.took();
      return done;
    });
  };
}

/** Does something with the state once a call was served; true where that changed it. */
export function afterwards(act: (scene: Scene, answer: Reply) => boolean): Handle {
  return (next, scene) =>
    whenDone(next(), (done) => {
      if (!isRefusal(done) && act(scene, done)) scene.took();
      return done;
    });
}

/** Does something that leaves no event in the audit log. */
export function unlogged<Result>({ state }: World, act: () => Result): Result {
  const events = state.audit.length;
  const result = act();
  state.audit.length = events;
  return result;
}

/** Lets a handler that answers at once see another state than the world's. */
export function seeing(change: (state: State, scene: Scene) => void): Handle {
  return (next, scene) => {
    const { world } = scene;
    const own = world.state;
    const honest = bodyOf(next());
    const shown = own.clone();
    change(shown, scene);
    world.state = shown;
    try {
      const result = next();
      if (!same(honest, bodyOf(result))) scene.took();
      return result;
    } finally {
      world.state = own;
    }
  };
}

function bodyOf(result: Handled | Promise<Handled>): unknown {
  if (result instanceof Promise || isRefusal(result)) return undefined;
  return result.body;
}

// ── memory ──────────────────────────────────────────────────────────────────────

/** Counts an occurrence under a key: 1 for the first. */
export function count(memory: Memory, key: string): number {
  const times = Number(memory.get(key) ?? 0) + 1;
  memory.set(key, times);
  return times;
}

/**
 * The number of the call that a stage is asked for, 1 for the first: a refused call asks its stages
 * more than once, and counts once.
 */
export function countCall(memory: Memory, call: object, key = 'calls'): number {
  const last = `${key}:last`;
  if (memory.get(last) === call) return Number(memory.get(key));
  memory.set(last, call);
  return count(memory, key);
}

/** A set that a deviation keeps under a key. */
export function setIn(memory: Memory, key: string): Set<string> {
  let set = memory.get(key);
  if (!(set instanceof Set)) {
    set = new Set<string>();
    memory.set(key, set);
  }
  return set as Set<string>;
}
