/** Small changes to a call, the likeliest first, and calls that may precede it. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import type { Asked } from '../deviations/does.ts';
import { listed, reading } from '../deviations/objects.ts';
import {
  type Field,
  fieldsOf,
  isFreeObject,
  isFreeText,
  sentIn,
} from '../deviations/only-if/fields.ts';
import { pagingOf } from '../deviations/pages.ts';
import { objectsOf } from '../deviations/places.ts';
import { type Call, callerOf, deploymentOf, type Other, otherCall } from '../deviations/wire.ts';

/** Ids of objects, each with the id of a similar object in another deployment. */
export type Elsewhere = Readonly<Record<string, string>>;

export interface Change extends Other {
  readonly headers?: Readonly<Record<string, string>>;
  /** The new text, and the text that it replaces. */
  readonly text?: { readonly now: string; readonly before: string };
}

export async function changesOf(asked: Asked, elsewhere: Elsewhere): Promise<readonly Change[]> {
  const { call, target } = asked;
  const { authorization = '' } = call.headers;
  const isLetIn = callerOf(call, target)?.expired === false;
  const callers = isLetIn ? target.callers.filter(({ expired }) => !expired) : [];
  const there = await inElsewhere(asked, elsewhere);
  const alone = Object.entries(call.body).map(([name, value]) => ({ body: { [name]: value } }));
  return [
    ...callers.map(({ secret }) => ({ secret })),
    { secret: authorization.replace(/^bearer/i, 'Api-Key') },
    ...(there === undefined ? [] : [there]),
    ...fieldsOf(call.operation).flatMap((field) => ofField(call, field)),
    ...withTwo(call),
    ...(alone.length > 1 ? alone : []),
    { headers: { accept: '' } },
    { headers: { accept: 'application/json' } },
    { headers: { 'content-type': 'application/json; charset=utf-8' } },
  ];
}

/**
 * Calls that may precede a call: the same call, the same call by another caller, a refused call.
 */
export function preludesTo({ call, target }: Asked): readonly Call[] {
  const own = callerOf(call, target);
  const peers = target.callers.filter(
    ({ expired, kind, secret }) => !expired && kind === own?.kind && secret !== own.secret,
  );
  const { idempotent } = call.operation;
  const again = idempotent ? [call, ...peers.map(({ secret }) => otherCall(call, { secret }))] : [];
  return [...again, otherCall(call, { secret: 'nobody' })];
}

// ── fields ──────────────────────────────────────────────────────────────────────

/** The call with another value in a field; undefined leaves it out. */
function withField(call: Call, { name, list }: Field, value: unknown): Change {
  const isQuery = call.operation.parameters.some((one) => one.in === 'query' && one.name === name);
  if (isQuery) {
    return { query: { ...call.query, [name]: value === undefined ? undefined : String(value) } };
  }
  if (list === undefined) return { body: { ...call.body, [name]: value } };
  const items = objectsOf(call.body[list]).map((item) => ({ ...item, [name]: value }));
  return { body: { ...call.body, [list]: items } };
}

/** One value of each type of JSON. */
const ofEachType = [null, true, 7, 'text', [], {}];

function ofField(call: Call, field: Field): readonly Change[] {
  const [own] = sentIn(call, field);
  if (own === undefined) {
    return samplesOf(call, field).map((value) => withField(call, field, value));
  }
  const others = othersOf(field, own).map((value): Change => {
    const isText = typeof value === 'string' && typeof own === 'string' && own !== '';
    const text = isText && value !== '' ? { text: { now: value, before: own } } : {};
    return { ...withField(call, field, value), ...text };
  });
  return [
    withField(call, field, undefined),
    ...others,
    ...ofEachType.map((value) => withField(call, field, value)),
  ];
}

/** Values for a field that is not sent. */
function samplesOf(call: Call, field: Field): readonly unknown[] {
  const [offset, limit] = pagingOf(call).sent;
  if (field.name === offset) return [1, 0, 1000];
  if (field.name === limit) return [1, 20, 100];
  const { examples = [], enum: names = [] } = field.schema as Record<string, readonly unknown[]>;
  const own = isFreeObject(field) ? othersOf(field, {}) : [];
  return [...examples, ...names, ...own, isFreeText(field) ? 'Other' : '2020-01-01'];
}

/** Samples for an object that may hold anything. */
const inObjects: readonly JsonObject[] = [
  ...['long '.repeat(30), '', 'a', '\u00df\u4e2d', 'AB', 'a b', '12'].map((text) => ({ text })),
  ...[
    { inner: { a: 1 } },
    { inner: {} },
    { none: null },
    { count: 1 },
    { on: true },
    { list: ['a'] },
  ],
  ...[{ Key: 1 }, { a: 1, b: 2 }],
];

/** Other values for a field that is sent. */
function othersOf(field: Field, own: unknown): readonly unknown[] {
  if (isFreeObject(field)) return [...inObjects.map((more) => ({ ...Object(own), ...more })), {}];
  if (Array.isArray(own)) return [own.slice(0, 1), [...own, ...own]];
  const text = String(own);
  const numbers = /^\d+$/.test(text) ? [text, Number(text), 1, 100] : [];
  if (!isFreeText(field)) return numbers;
  const version = text.replace(/^.*:/, '').replace(/^v/, '');
  return [
    ...numbers,
    ...[`${text} ${'long '.repeat(30)}`, '', 'ab', `${text}\u00df\u4e2d`, `${text}AND`],
    ...[`${text} and`, '12345', version, `v${version}`],
  ];
}

/** The call with two optional fields sent together. */
function withTwo(call: Call): readonly Change[] {
  const optional = fieldsOf(call.operation).filter(
    ({ required, list }) => !required && list === undefined,
  );
  const valueFor = (field: Field) => sentIn(call, field)[0] ?? samplesOf(call, field)[0];
  return optional.flatMap((first, index) =>
    optional.slice(index + 1).map((second) => {
      const one = otherCall(call, withField(call, first, valueFor(first)));
      return withField(one, second, valueFor(second));
    }),
  );
}

// ── another deployment ──────────────────────────────────────────────────────────

async function inElsewhere(asked: Asked, elsewhere: Elsewhere): Promise<Change | undefined> {
  const { call } = asked;
  const other = elsewhere[deploymentOf(call)];
  if (other === undefined) return undefined;
  const path = Object.fromEntries(
    Object.entries(call.path).map(([name, id]) => [name, elsewhere[id] ?? id]),
  );
  const fields = call.operation.object?.fields ?? [];
  const reader = reading(call)?.operation?.id;
  if (reader === undefined || fields.length === 0) return { path };
  // Objects of two deployments are paired by their position in the list.
  const own = await listed(asked, reader);
  const names = Object.entries(call.operation.restore?.find ?? {}).map(
    ([of, name]) => [of, String(name).slice(1, -1)] as const,
  );
  const place = own.findIndex((item) =>
    names.some(([of, name]) => name in call.body && String(item[of]) === String(call.body[name])),
  );
  const there = (await listed(asked, reader, other))[place];
  if (!isObject(there)) return { path };
  const named = names.filter(([, name]) => name in call.body);
  const body = Object.fromEntries(named.map(([of, name]) => [name, there[of]]));
  return { path, body: { ...call.body, ...body } };
}
