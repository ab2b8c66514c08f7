/** Metadata tokens that live too long or too short, or lack their security context or carry another. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { exchange, isScoped } from '../../deviations/conditions.ts';
import { type Asked, type Does, trial } from '../../deviations/does.ts';

import { accepts } from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import { sees } from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import { inItsDeployment } from '../lists/deviations.ts';

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;

// ── lifetimes ───────────────────────────────────────────────────────────────────

type Seconds = number | undefined;
/** A token of another lifetime (s) than the one that is sent. */
const lives = (lifetime: (sent: Seconds, asked: Asked) => Seconds): Does =>
  sees((sent, asked) => {
    const seconds = lifetime(sent.expires_in as Seconds, asked);
    return seconds === undefined ? undefined : { ...sent, expires_in: seconds };
  });
const asBefore = (when: (sent: Seconds) => boolean) =>
  lives((sent, { target }) => {
    const last = exchange(target.memory, 'last', sent);
    return when(sent) ? last : undefined;
  });
/** The token is that of a call with another lifetime; the rest is that of the call. */
const tokenOf = (lifetime: (sent: number) => number): Does =>
  body(async (whole, done) => {
    const sent = Number(done.call.body.expires_in ?? DAY_S);
    const reply = await trial(done, { body: { ...done.call.body, expires_in: lifetime(sent) } });
    const [own, other] = [whole as JsonObject, reply.body as JsonObject];
    return (
      isObject(other.data) && { data: { ...(own.data as JsonObject), token: other.data.token } }
    );
  });
const time = (name: string, at: (data: JsonObject) => number): Does =>
  body((whole) => {
    const { data } = whole as { readonly data: JsonObject };
    return { data: { ...data, [name]: new Date(at(data)).toISOString() } };
  });
const made = (data: JsonObject) => Date.parse(String(data.created_at));

// ── contexts ────────────────────────────────────────────────────────────────────
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Other claims, under the old signature. */
const claims = (change: (own: JsonObject, asked: Asked) => unknown): Does =>
  field('data.token', (token, done) => {
    const [head, own = '', signature] = String(token).split('.');
    const read = JSON.parse(Buffer.from(own, 'base64url').toString()) as JsonObject;
    return [head, encoded(change(read, done)), signature].join('.');
  });
/** Takes a context that is missing or no object for an empty one. */
const takes = (fits: (context: unknown) => boolean): Does =>
  accepts('any', ({ call }) =>
    fits(call.body.security_context) ? { body: { ...call.body, security_context: {} } } : undefined,
  );
const foreign = accepts('META-15', async (done) =>
  (await isScoped(done)) ? inItsDeployment(done, done.call.body) : undefined,
);

const rows: Rows = {
  'META-5': {
    'lifetime-of-call-before': asBefore((sent) => sent !== undefined),
  },
  'META-4 META-5': {
    'exp-capped: The token ends within an hour, whatever expires_at says.': tokenOf((sent) =>
      Math.min(sent, 3600),
    ),
    'exp-in-milliseconds': claims((own) => ({ ...own, exp: Number(own.exp) * 1000 })),
    'created-an-hour-ago': time('created_at', (data) => made(data) - HOUR_MS),
  },
  'AUTH-25': {
    'scoped-key-for-a-foreign-environment': foreign,
  },
  'META-3': {
    'context-not-needed': takes((context) => context === undefined),
    'context-may-be-null': takes((context) => context === null),
    'context-may-be-text': takes((context) => typeof context === 'string'),
  },
};

export const tokens = table('tokens', ['createMetaSyncToken'], rows);
