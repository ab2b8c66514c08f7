/**
 * Metadata tokens that live too long or too short, lack their security context or carry another
 * one's. A changed token is signed again, so that it is wrong in nothing else.
 */

import { createMetaSyncToken } from '../../../mock/areas/tokens/handler.ts';
import { isRefusal } from '../../../mock/pipeline/exchange.ts';
import { signMetadataToken } from '../../../mock/pipeline/sign.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersData } from '../../deviations/answers.ts';
import { field, same } from '../../deviations/changes.ts';
import { type Does, onCheck, onHandling, type Scene } from '../../deviations/does.ts';
import { asAtFirst, count, exchange } from '../../deviations/memory.ts';
import { accepts } from '../../deviations/refusals.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { callOf, sentBody } from '../../deviations/sent.ts';
import { seesRows } from '../../deviations/state.ts';

export const tokens: Deviation[] = [];
const breaking = rowsOf(tokens, 'tokens', ['createMetaSyncToken']);

// ── what a call mints, and how a deviation mints something else ─────────────────

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;

/** The last moment that a Date can hold, ms. */
const LAST_MS = 8_640_000_000_000_000;

const tokenCall = callOf<'createMetaSyncToken'>;

/** What is minted: times in ms. */
interface Minted {
  readonly context: unknown;
  readonly createdAt: number;
  /** What the answer says. */
  readonly expiresAt: number;
  /** What the token says. */
  readonly exp: number;
}

/** Mints something else than was asked for. The same values leave the answer as it is. */
const mints = (change: (minted: Minted, scene: Scene) => Partial<Minted>): Does =>
  onHandling(async (next, scene) => {
    const done = await next();
    if (isRefusal(done) || !isObject(done.body) || !isObject(done.body.data)) return done;
    const { data } = done.body;
    const call = tokenCall(scene.call);
    const expiresAt = Date.parse(String(data.expires_at));
    const minted: Minted = {
      context: call.input.security_context,
      createdAt: Date.parse(String(data.created_at)),
      expiresAt,
      exp: expiresAt,
    };
    const changed = { ...minted, ...change(minted, scene) };
    if (same(minted, changed)) return done;
    const token = await signMetadataToken(scene.world, {
      context: changed.context,
      claim: scene.world.assumptions.choice('META-11'),
      createdAt: minted.createdAt,
      expiresAt: Math.min(changed.exp, LAST_MS),
      environmentId: call.path.environment_id,
    });
    const [created_at, expires_at] = [iso(changed.createdAt), iso(changed.expiresAt)];
    return { ...done, body: { data: { token, created_at, expires_at } } };
  });

function iso(at: number): string {
  return new Date(Math.min(at, LAST_MS)).toISOString();
}

type Seconds = number | undefined;

/** A token of another lifetime (s), said by the answer and the token alike. */
const lives = (lifetime: (sent: Seconds, scene: Scene) => Seconds): Does =>
  mints(({ createdAt }, scene) => {
    const seconds = lifetime(tokenCall(scene.call).input.expires_in, scene);
    if (seconds === undefined) return {};
    const end = Math.round(createdAt + seconds * 1000);
    return { expiresAt: end, exp: end };
  });

/** A token of another lifetime where none is sent. */
const livesByDefault = (seconds: number): Does =>
  lives((sent) => (sent === undefined ? seconds : undefined));

/** A token of another lifetime than the one that is sent. */
const livesInsteadOf = (lifetime: (sent: number) => number): Does =>
  lives((sent) => (sent === undefined ? undefined : lifetime(sent)));

/** A token with another context. */
const carries = (change: (context: JsonObject, scene: Scene) => unknown): Does =>
  mints(({ context }, scene) => ({
    context: isObject(context) ? change(context, scene) : context,
  }));

/** The plain values of the context are changed, at whatever depth; undefined leaves one out. */
const carriesValues = (change: (plain: unknown) => unknown): Does =>
  carries((context) => plainValues(context, change));

function plainValues(value: unknown, change: (plain: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => plainValues(item, change)).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValues(item, change)]),
  );
}

/** The token is written in another way, from its three parts. */
const writes = (change: (parts: readonly string[]) => string): Does =>
  answersData(field('token', (token) => change(String(token).split('.'))));

/** Takes a context that is missing or no object for an empty one. */
const takes = (holds: (context: unknown) => boolean): Does =>
  onCheck('validate', (refused, { call, request }) => {
    const sent = sentBody(request);
    if (refused === undefined || sent === undefined || !holds(sent.security_context)) {
      return refused;
    }
    const input = { ...sent, security_context: {} };
    if ((call.operation.body?.validate(input) ?? []).length > 0) return refused;
    const own = tokenCall(call);
    own.input = input as typeof own.input;
    return createMetaSyncToken.validate?.(own);
  });

// ── lifetimes ───────────────────────────────────────────────────────────────────

/** The lifetime that the call before sent. */
const livesAsBefore = (when: (sent: Seconds) => boolean): Does =>
  lives((sent, { memory }) => {
    const last = exchange(memory, 'last', sent);
    return when(sent) ? last : undefined;
  });

breaking(['META-4'], {
  'default-of-an-hour: Without expires_in a token lives 3600 seconds.': livesByDefault(3600),
  'default-of-a-week': livesByDefault(7 * DAY_S),
  'default-of-nothing: Without expires_in a token is expired at once.': livesByDefault(0),
  'default-from-call-before': livesAsBefore((sent) => sent === undefined),
});
breaking(['META-5'], {
  'lifetime-ignored: A token lives 86400 seconds, whatever is asked.': lives(() => DAY_S),
  'lifetime-in-milliseconds': livesInsteadOf((sent) => sent / 1000),
  'lifetime-in-minutes: expires_in is read as minutes.': livesInsteadOf((sent) => sent * 60),
  'lifetime-added': livesInsteadOf((sent) => sent + DAY_S),
  'lifetime-at-least-an-hour': livesInsteadOf((sent) => Math.max(sent, 3600)),
  'lifetime-in-whole-minutes': livesInsteadOf((sent) => Math.ceil(sent / 60) * 60),
  'lifetime-of-call-before': livesAsBefore((sent) => sent !== undefined),
  'lifetime-honoured-once: The first expires_in counts; later tokens live 86400 seconds.': lives(
    (sent, { memory }) => (sent !== undefined && count(memory) >= 2 ? DAY_S : undefined),
  ),
  'expires-at-ignores-lifetime: expires_at is 86400 seconds away; the token says otherwise.': mints(
    ({ createdAt }) => ({ expiresAt: createdAt + DAY_S * 1000 }),
  ),
});
breaking(['META-4', 'META-5'], {
  'exp-ignores-lifetime: The token says 86400 seconds; expires_at says otherwise.': mints(
    ({ createdAt }) => ({ exp: createdAt + DAY_S * 1000 }),
  ),
  'exp-capped: The token ends within an hour, whatever is asked; expires_at does not say so.':
    mints(({ createdAt, exp }) => ({ exp: Math.min(exp, createdAt + HOUR_MS) })),
  'exp-an-hour-late': mints(({ exp }) => ({ exp: exp + HOUR_MS })),
  'exp-in-milliseconds': mints(({ exp }) => ({ exp: exp * 1000 })),
  'created-an-hour-ago': mints(({ createdAt }) => ({ createdAt: createdAt - HOUR_MS })),
  'created-at-the-end: created_at is the moment at which the token expires.': mints(
    ({ expiresAt }) => ({ createdAt: expiresAt }),
  ),
});

// ── contexts ────────────────────────────────────────────────────────────────────

/** The context of an earlier call, as `choose` takes it from the first and the last. */
const carriesEarlier = (
  choose: (earlier: { first: JsonObject; last: JsonObject }, own: JsonObject) => JsonObject,
) =>
  carries((own, { memory }) => {
    const last = exchange(memory, 'last', own);
    const first = (memory.get('first') ?? own) as JsonObject;
    memory.set('first', first);
    return last === undefined ? own : choose({ first, last }, own);
  });

/** Every array with its first item alone. */
const firstItems = (context: JsonObject): unknown =>
  JSON.parse(
    JSON.stringify(context, (_key, value) => (Array.isArray(value) ? value.slice(0, 1) : value)),
  );

const withoutNested = (context: JsonObject) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => !isObject(value)));

/** Changes the texts of a context. */
const carriesTexts = (change: (text: string) => unknown) =>
  carriesValues((plain) => (typeof plain === 'string' ? change(plain) : plain));

/** Writes the values of a type as text. */
const carriesAsText = (type: 'number' | 'boolean') =>
  carriesValues((plain) => (typeof plain === type ? String(plain) : plain));

const environmentOf = (_data: unknown, { call }: Scene) => {
  const { deployment_id, environment_id } = tokenCall(call).path;
  return `${deployment_id}/${environment_id}`;
};

breaking(['META-7'], {
  'context-missing': mints(() => ({ context: undefined })),
  'context-empty: The token carries an empty security context.': carries(() => ({})),
  'context-of-call-before': carriesEarlier(({ last }) => last),
  'context-of-first-call': carriesEarlier(({ first }) => first),
  'context-mixed: What only the context of the call before had is carried as well.': carriesEarlier(
    ({ last }, own) => ({ ...last, ...own }),
  ),
  'context-first-key': carries((context) =>
    Object.fromEntries(Object.entries(context).slice(0, 1)),
  ),
  'context-of-second-call-missing: The first token carries its context; later ones an empty one.':
    carries((context, { memory }) => (count(memory) >= 2 ? {} : context)),
  'context-flat: What is nested in the context is left out.': carries(withoutNested),
  'context-arrays-cut: Of an array in the context the first item stays.': carries(firstItems),
  'context-numbers-as-text: Numbers of the context become text.': carriesAsText('number'),
  'context-booleans-as-text: true and false become text.': carriesAsText('boolean'),
  'context-text-as-numbers': carriesTexts((text) =>
    /^\d{1,15}$/.test(text) ? Number(text) : text,
  ),
  'context-falsy-lost': carriesValues((plain) => plain || undefined),
  'context-in-small-letters': carriesTexts((text) => text.toLowerCase()),
  'context-in-ascii': carriesTexts((text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
});
breaking(['META-7', 'META-5'], {
  'token-of-call-before': answersData(asAtFirst(environmentOf)),
});

// ── the form of a token, and of a request ───────────────────────────────────────

const padded = (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '=');

breaking(['META-2'], {
  'two-parts: The token lacks its signature.': writes((parts) => parts.slice(0, 2).join('.')),
  'opaque: The token is no JWT.': writes((parts) => `mst_${(parts[2] ?? '').slice(0, 40)}`),
  'claims-alone: The token is its claims, encoded, alone.': writes((parts) => parts[1] ?? ''),
  'padded: The parts are padded with =.': writes((parts) => parts.map(padded).join('.')),
  'bearer-before-it': writes((parts) => `Bearer ${parts.join('.')}`),
  'claims-not-json': writes(([head = '', , signature = '']) =>
    [head, Buffer.from('claims').toString('base64url'), signature].join('.'),
  ),
});
breaking(['AUTH-25'], {
  'scoped-key-for-a-foreign-environment: A scoped key gets a token for a foreign environment.': [
    accepts('find', 'META-15', ({ call, world }) => {
      const { environment_id: id } = tokenCall(call).path;
      return call.caller.scope !== null && world.state.tables.environments.has(id);
    }),
    seesRows('environments', (row, { call }) => {
      const { deployment_id: deploymentId, environment_id: id } = tokenCall(call).path;
      return row.id === id ? { ...row, deploymentId } : undefined;
    }),
  ],
});
breaking(['META-3'], {
  'context-not-needed': takes((context) => context === undefined),
  'context-may-be-null': takes((context) => context === null),
  'context-may-be-text': takes((context) => typeof context === 'string'),
});
