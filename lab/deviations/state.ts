/** Operators on what a target remembers: what is lost, comes late, is taken back, or happens twice. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import { type Asked, answersServed, type Does, type Done, makes, type When } from './does.ts';
import { objectsOf } from './places.ts';
import { field } from './replies.ts';
import { type Call, isServed, type Other, otherCall, type Reply } from './wire.ts';

/** The call is answered as it should be, and nothing comes of it. */
export const lost: Does = async (call, target) => {
  const before = target.snapshot();
  const reply = await target.handle(call);
  if (!isServed(reply)) return reply;
  target.restore(before);
  target.took();
  return reply;
};

/** The call is answered as it should be, and another one is made in its place. */
export const instead =
  (other: (asked: Asked) => Other | undefined | Promise<Other | undefined>): Does =>
  async (call, target) => {
    const wanted = await other({ call, target });
    return wanted === undefined
      ? target.handle(call)
      : both(call, target, () => makes({ call, target }, [wanted]));
  };

async function both(call: Call, target: Asked['target'], then: () => Promise<void>) {
  const reply = await lost(call, target);
  if (isServed(reply)) await then();
  return reply;
}

/** Once the call was served, others are made too. */
export const besides = (
  others: (done: Done) => readonly Other[] | Promise<readonly Other[]>,
): Does =>
  answersServed(async (done) => {
    await makes(done, await others(done));
    return undefined;
  });

/** Others are made before the call. */
export const first =
  (others: (asked: Asked) => readonly Other[] | Promise<readonly Other[]>): Does =>
  async (call, target) => {
    await makes({ call, target }, await others({ call, target }));
    return target.handle(call);
  };

/** The reply is that of another call, made before. */
export const answersAsOther =
  (other: (asked: Asked) => Other | undefined): Does =>
  async (call, target) => {
    const wanted = other({ call, target });
    const before = target.snapshot();
    const shown = wanted && (await target.handle(otherCall(call, wanted)));
    target.restore(before);
    const reply = await target.handle(call);
    return shown !== undefined && isServed(shown) && isServed(reply) ? shown : reply;
  };

/** Reads are answered as if other calls had been made before. */
export const asIf =
  (others: (asked: Asked) => readonly Other[] | Promise<readonly Other[]>): Does =>
  async (call, target) => {
    const before = target.snapshot();
    await makes({ call, target }, await others({ call, target }));
    const reply = await target.handle(call);
    target.restore(before);
    return reply;
  };

// ── the object of a write, read and put back (`x-restore`) ──────────────────────

/** The text with what a call sends in the place of names in braces. */
const filled = (template: unknown, { path, body }: Call): unknown =>
  typeof template === 'string'
    ? template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name] ?? body[name] ?? ''))
    : template;

/** The call that reads what a write is about. */
export function reading({ operation, path }: Call): Other | undefined {
  const { read } = operation.restore ?? {};
  const reader = read && contract.operations.get(read.call);
  if (reader === undefined) return undefined;
  const values = Object.values(path);
  const names = [...reader.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const own = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  return { operation: reader, path: own, query: {}, body: read?.body };
}

/** The object of a write as it is read. */
export async function objectOf({ call, target }: Asked): Promise<JsonObject | undefined> {
  const read = reading(call);
  if (read === undefined) return undefined;
  return found(call, await target.handle(otherCall(call, read)));
}

function found(call: Call, { body }: Reply): JsonObject | undefined {
  const find = Object.entries(call.operation.restore?.find ?? {});
  return listIn(body).find((item) =>
    find.some(([name, wanted]) => String(item[name]) === String(filled(wanted, call))),
  );
}

/** The objects that a body shows, in whichever envelope; the body itself where it holds no list. */
export function listIn(body: unknown): readonly JsonObject[] {
  const data = isObject(body) && body.data !== undefined ? body.data : body;
  const isList = (value: unknown) => objectsOf(value).length > 0;
  return objectsOf(isObject(data) ? (Object.values(data).find(isList) ?? [data]) : data);
}

/** The reply shows a field as it was before the call. */
export const showsOld =
  (name: string, place = name): Does =>
  async (call, target) => {
    const old = await objectOf({ call, target });
    return field(place, () => old?.[name])(call, target);
  };

/** The write that puts its object back as it is now. */
export async function puttingBack(asked: Asked): Promise<Other | undefined> {
  const { call } = asked;
  const object = await objectOf(asked);
  if (object === undefined) return undefined;
  const put = Object.entries(call.operation.restore?.put ?? {});
  const now = Object.fromEntries(put.map(([name, from]) => [name, object[from]]));
  return { operation: call.operation, path: call.path, query: {}, body: { ...call.body, ...now } };
}

// ── what happens later ──────────────────────────────────────────────────────────

interface Held {
  readonly call: Call;
  /** When it was held back. */
  readonly at: number;
}
/** Whether what was held back happens before a call. */
export type Due = (asked: Asked, held: Held) => boolean;

const heldIn = ({ target }: Asked): readonly Held[] =>
  (target.memory.get('held') as readonly Held[] | undefined) ?? [];

function hold({ target }: Asked, call: Call): void {
  const others = heldIn({ call, target }).filter((one) => one.call.target !== call.target);
  target.memory.set('held', [...others, { call, at: target.now() }]);
}

async function release(asked: Asked, due: Due): Promise<void> {
  const { target } = asked;
  const { now = [], later = [] } = Object.groupBy(heldIn(asked), (held) =>
    due(asked, held) ? 'now' : 'later',
  );
  target.memory.set('held', later);
  for (const { call } of now) await target.handle(call);
  if (now.length > 0) target.took();
}

/** The writes of these operations are answered at once, and made when they are due. */
export const late =
  (ids: readonly string[], due: Due, when: When = () => true): Does =>
  async (call, target) => {
    const asked = { call, target };
    await release(asked, due);
    if (!ids.includes(call.operation.id) || !(await when(asked))) return target.handle(call);
    const reply = await lost(call, target);
    if (isServed(reply)) hold(asked, call);
    return reply;
  };

/** The writes of these operations are made, and taken back when that is due. */
export const undone =
  (ids: readonly string[], due: Due, when: When = () => true): Does =>
  async (call, target) => {
    const asked = { call, target };
    await release(asked, due);
    if (!ids.includes(call.operation.id) || !(await when(asked))) return target.handle(call);
    const back = await puttingBack(asked);
    const reply = await target.handle(call);
    if (isServed(reply) && back !== undefined) hold(asked, otherCall(call, back));
    return reply;
  };

/** Once this time has passed, ms. */
export const afterMs =
  (ms: number): Due =>
  ({ target }, { at }) =>
    target.now() >= at + ms;

/** At the next call of these operations. */
export const atNext =
  (...ids: readonly string[]): Due =>
  ({ call }) =>
    ids.includes(call.operation.id);

/** Reads are answered as they would have been before the last write of these operations. */
export const stale =
  (ids: readonly string[], reads: When): Does =>
  async (call, target) => {
    const { memory } = target;
    if (ids.includes(call.operation.id)) {
      memory.set('before', target.snapshot());
      return target.handle(call);
    }
    const before = memory.get('before');
    if (before === undefined || !(await reads({ call, target }))) return target.handle(call);
    const now = target.snapshot();
    target.restore(before);
    const reply = await target.handle(call);
    target.restore(now);
    target.took();
    return reply;
  };
