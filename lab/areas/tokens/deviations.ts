/** Metadata tokens that live too long or too short, or lack their security context or carry another. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { count, exchange, isScoped } from '../../deviations/conditions.ts';
import { type Asked, type Does, trial } from '../../deviations/does.ts';
import { GONE, plainValues, same } from '../../deviations/places.ts';
import { accepts } from '../../deviations/refusals.ts';
import { body, field } from '../../deviations/replies.ts';
import { byDefault, reads, sees } from '../../deviations/requests.ts';
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
const asIf = (lifetime: (sent: number) => number): Does =>
  reads('expires_in', (sent: number) => lifetime(sent));
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
const once = lives((sent, { target }) =>
  sent !== undefined && count(target.memory) >= 2 ? DAY_S : undefined,
);

// ── contexts ────────────────────────────────────────────────────────────────────

/** A token with another context. */
const carries = (change: (context: JsonObject, asked: Asked) => unknown): Does =>
  reads('security_context', (context: JsonObject, asked) => change(context, asked));
const values = (change: (plain: unknown) => unknown) =>
  carries((context) => plainValues(context, change));
const texts = (change: (text: string) => unknown) =>
  values((plain) => (typeof plain === 'string' ? change(plain) : plain));
const asText = (type: 'number' | 'boolean') =>
  values((plain) => (typeof plain === type ? String(plain) : plain));
/** The context of an earlier call, chosen from the first and the last. */
const earlier = (choose: (first: JsonObject, last: JsonObject, own: JsonObject) => JsonObject) =>
  carries((own, { target }) => {
    const last = exchange(target.memory, 'last', own);
    const first = (target.memory.get('first') ?? own) as JsonObject;
    target.memory.set('first', first);
    return last === undefined ? undefined : choose(first, last, own);
  });
const firstItems = (context: JsonObject): unknown =>
  JSON.parse(
    JSON.stringify(context, (_key, value) => (Array.isArray(value) ? value.slice(0, 1) : value)),
  );
const flat = (context: JsonObject) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => !isObject(value)));
const laterEmpty = carries((_context, { target }) => (count(target.memory) >= 2 ? {} : undefined));

// ── the form of a token, and of a request ───────────────────────────────────────

const writes = (change: (parts: readonly string[]) => string): Does =>
  field('data.token', (token) => change(String(token).split('.')));
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Other claims, under the old signature. */
const claims = (change: (own: JsonObject, asked: Asked) => unknown): Does =>
  field('data.token', (token, done) => {
    const [head, own = '', signature] = String(token).split('.');
    const read = JSON.parse(Buffer.from(own, 'base64url').toString()) as JsonObject;
    return [head, encoded(change(read, done)), signature].join('.');
  });
const withoutContext = claims((own, { call }) =>
  Object.fromEntries(
    Object.entries(own).filter(([, value]) => !same(value, call.body.security_context)),
  ),
);
const padded = (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '=');
const firstToken = field('data', (data, { call, target }) => {
  const key = JSON.stringify(call.path);
  if (!target.memory.has(key)) target.memory.set(key, data);
  return target.memory.get(key);
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
  'META-4': {
    'default-of-an-hour': byDefault('expires_in', 3600),
    'default-of-a-week': byDefault('expires_in', 7 * DAY_S),
    'default-of-a-second': byDefault('expires_in', 1),
    'default-from-call-before': asBefore((sent) => sent === undefined),
  },
  'META-5': {
    'lifetime-ignored: A token lives 86400 seconds, whatever is asked.': asIf(() => DAY_S),
    'lifetime-in-minutes': asIf((sent) => sent * 60),
    'lifetime-in-milliseconds': asIf((sent) => Math.max(1, Math.floor(sent / 1000))),
    'lifetime-added': asIf((sent) => sent + DAY_S),
    'lifetime-at-least-an-hour': asIf((sent) => Math.max(sent, 3600)),
    'lifetime-in-whole-minutes': asIf((sent) => Math.ceil(sent / 60) * 60),
    'lifetime-of-call-before': asBefore((sent) => sent !== undefined),
    'lifetime-honoured-once': once,
    'expires-at-ignores-lifetime': time('expires_at', (data) => made(data) + DAY_S * 1000),
  },
  'META-4 META-5': {
    'exp-ignores-lifetime': tokenOf(() => DAY_S),
    'exp-capped: The token ends within an hour, whatever expires_at says.': tokenOf((sent) =>
      Math.min(sent, 3600),
    ),
    'exp-an-hour-late': tokenOf((sent) => sent + 3600),
    'exp-in-milliseconds': claims((own) => ({ ...own, exp: Number(own.exp) * 1000 })),
    'created-an-hour-ago': time('created_at', (data) => made(data) - HOUR_MS),
    'created-at-the-end': time('created_at', (data) => Date.parse(String(data.expires_at))),
  },
  'META-7': {
    'context-missing': withoutContext,
    'context-empty': carries(() => ({})),
    'context-of-call-before': earlier((_first, last) => last),
    'context-of-first-call': earlier((first) => first),
    'context-mixed': earlier((_first, last, own) => ({ ...last, ...own })),
    'context-first-key': carries((context) =>
      Object.fromEntries(Object.entries(context).slice(0, 1)),
    ),
    'context-of-second-call-missing': laterEmpty,
    'context-flat: What is nested in the context is left out.': carries(flat),
    'context-arrays-cut': carries(firstItems),
    'context-numbers-as-text': asText('number'),
    'context-booleans-as-text': asText('boolean'),
    'context-text-as-numbers': texts((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
    'context-falsy-lost': values((plain) => plain || GONE),
    'context-in-small-letters': texts((text) => text.toLowerCase()),
    'context-in-ascii': texts((text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
  },
  'META-7 META-5': {
    'token-of-call-before': firstToken,
  },
  'META-2': {
    'two-parts: The token lacks its signature.': writes((parts) => parts.slice(0, 2).join('.')),
    'opaque: The token is no JWT.': writes((parts) => `mst_${parts[2]?.slice(0, 40)}`),
    'claims-alone': writes((parts) => parts[1] ?? ''),
    'padded: The parts are padded with =.': writes((parts) => parts.map(padded).join('.')),
    'bearer-before-it': writes((parts) => `Bearer ${parts.join('.')}`),
    'claims-not-json': writes(([head, , signature]) => [head, 'Y2xhaW1z', signature].join('.')),
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
