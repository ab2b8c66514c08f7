/** Operators on replies: they change a field, a list, a header or the status. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { answers, answersServed, type Does, type Done } from './does.ts';
import { changeAt, objectsOf, pathOf, same } from './places.ts';
import { type Call, isRefused, type Reply } from './wire.ts';

/** Changes the body of a success. */
export const body = (change: (body: unknown, done: Done) => unknown): Does =>
  answersServed(async (done) => withBody(done.reply, await change(done.reply.body, done)));

/** Changes the value at a place in the body of a success; `GONE` leaves it out. */
export const field = (place: string, change: (old: unknown, done: Done) => unknown): Does =>
  body((whole, done) => changeAt(whole, pathOf(place), (old) => change(old, done)));

/** Puts a fixed value at a place in the body of each success. */
export const sets = (place: string, value: unknown): Does => field(place, () => value);

type Items = readonly JsonObject[];

/** Changes the items of a list in the body of a success. */
export const items = (place: string, change: (items: Items, done: Done) => unknown): Does =>
  field(place, (list, done) => change(objectsOf(list), done));

export const errors = (change: (body: JsonObject) => unknown): Does =>
  answers(({ reply }) =>
    isRefused(reply) && isObject(reply.body) ? withBody(reply, change(reply.body)) : undefined,
  );

/** The reply with another body; undefined if the body would be the same. */
export function withBody(reply: Reply, body: unknown): Reply | undefined {
  return body === undefined || same(body, reply.body) ? undefined : { ...reply, body };
}

/** Gives a success another status. */
export const status = (code: number): Does =>
  answersServed(({ reply }) => (reply.status === code ? undefined : { ...reply, status: code }));

/** Changes the value of a header; undefined leaves it out. */
export const header = (
  name: string,
  value: (old: string, done: Done) => string | undefined,
): Does =>
  answers((done) => {
    const { reply } = done;
    const own = Object.keys(reply.headers).find((key) => key.toLowerCase() === name.toLowerCase());
    if (own === undefined) return undefined;
    const { [own]: old = '', ...rest } = reply.headers;
    const changed = value(old, done);
    if (changed === old) return undefined;
    return { ...reply, headers: changed === undefined ? rest : { ...rest, [own]: changed } };
  });

/** An error in the form of the call's surface. */
export function refusal({ operation }: Call, status: number, why: string): Reply {
  const message = 'This was not expected here';
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  const isScim = operation.requires.surface === 'scim';
  const type = isScim ? 'application/scim+json' : 'application/json; charset=utf-8';
  return {
    status,
    headers: { 'Content-Type': type, ...challenge },
    body: isScim ? { schemas, status: String(status), detail: message } : { error: message },
    why,
  };
}
