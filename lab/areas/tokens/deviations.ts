/**
 * Deviations of metadata tokens: they expire too late or too soon, or carry no security context or
 * a wrong one.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { by, isScoped, sendsNo, sendsValue } from '../../deviations/conditions.ts';
import { all, type Does, not, trial } from '../../deviations/does.ts';
import { exchange } from '../../deviations/memory.ts';
import { inItsDeployment } from '../../deviations/objects.ts';
import { changeAt, pathOf, same, valueAt } from '../../deviations/places.ts';
import { accepts } from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import { ignores, reads, seesToo } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';

const DAY_S = 86_400;

const lifetimeOfBefore = reads(
  'expires_in',
  (sent: number, { target }) => exchange(target.memory, 'last', sent) ?? sent,
);
/** The token expires within an hour; the rest of the answer stays. */
const capped = body(async (whole, done) => {
  const { body: sent } = done.call;
  const lifetime = Math.min(Number(sent.expires_in ?? DAY_S), 3600);
  const reply = await trial(done, { body: { ...sent, expires_in: lifetime } });
  return changeAt(whole, pathOf('data.token'), () => valueAt(reply.body, pathOf('data.token')));
});
/** Changes the expiry claim and keeps the old signature. */
const inMilliseconds = field('data.token', (token) => {
  const [head, claims = '', signature] = String(token).split('.');
  const own = JSON.parse(Buffer.from(claims, 'base64url').toString()) as JsonObject;
  const changed = JSON.stringify({ ...own, exp: Number(own.exp) * 1000 });
  return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
});
/** If a refused context fits, serves the call as if the context were empty. */
const takesContext = (fits: (context: unknown) => boolean): Does =>
  accepts('any', ({ call: { body } }) =>
    fits(body.security_context) ? { body: { ...body, security_context: {} } } : undefined,
  );
const foreign = accepts('META-15', (done) => inItsDeployment(done, done.call.body));

const hasNoContext = sendsValue('security_context', (sent) => same(sent, {}));
const noContext = reads('security_context', () => ({}));
type Entry = readonly [name: string, value: unknown];
const contextOf = (entries: (of: readonly Entry[]) => readonly Entry[]): Does =>
  reads('security_context', (sent: JsonObject) =>
    Object.fromEntries(entries(Object.entries(sent))),
  );
const noNulls = contextOf((entries) => entries.filter(([, value]) => value !== null));
const lowerCase = contextOf((entries) =>
  entries.map(([name, value]) => [name.toLowerCase(), value]),
);

const isNested = (context: unknown): boolean =>
  Object.values(Object(context)).some((value) => typeof value === 'object');
const ofNested = all(sendsNo('expires_in'), sendsValue('security_context', isNested));

const rows: readonly Row[] = [
  ['context-ignored', 'META-7', noContext],
  ['context-ignored-unless-by-the-admin', 'META-7', noContext, not(by('admin'))],
  ['context-without-nulls', 'META-7', noNulls],
  ['context-names-in-lower-case', 'META-7', lowerCase],
  ['lifetime-ignored', 'META-5', ignores('expires_in')],
  ['lifetime-ignored-without-context', 'META-5', ignores('expires_in'), hasNoContext],
  ['default-of-an-hour-for-a-nested-context', 'META-4', seesToo({ expires_in: 3600 }), ofNested],
  ['lifetime-of-call-before', 'META-5', lifetimeOfBefore],
  ['exp-capped: The token ends within an hour, whatever expires_at says.', 'META-4 META-5', capped],
  ['exp-in-milliseconds', 'META-4 META-5', inMilliseconds],
  ['scoped-key-for-a-foreign-environment', 'AUTH-25', foreign, isScoped],
  ['context-not-needed', 'META-3', takesContext((context) => context === undefined)],
  ['context-may-be-null', 'META-3', takesContext((context) => context === null)],
  ['context-may-be-a-list', 'META-3', takesContext(Array.isArray)],
  ['context-may-be-text', 'META-3', takesContext((context) => typeof context === 'string')],
];

export const tokens = table('tokens', ['createMetaSyncToken'], rows);
