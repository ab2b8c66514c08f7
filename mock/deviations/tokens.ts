/**
 * Metadata tokens that live too long or too short, lack their security context or carry another
 * one's. A changed token is signed again, so that it is wrong in nothing else.
 */
import type { Call } from '../call.ts';
import { isRefusal } from '../exchange.ts';
import { createMetaSyncToken } from '../operations/environments.ts';
import { signMetadataToken } from '../sign.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import {
  count,
  deviationOf,
  type Handle,
  isRecord,
  type Json,
  mapData,
  same,
  sentBody,
} from './transforms.ts';

type TokenCall = Call<'createMetaSyncToken'>;

const DAY_S = 86_400;
/** The last moment that a Date can hold, ms. */
const LAST_MS = 8_640_000_000_000_000;

const deviation = deviationOf('tokens', 'createMetaSyncToken');

function tokenCall(call: Call): TokenCall {
  return call as unknown as TokenCall;
}

/** What is minted: times in ms. */
interface Minted {
  readonly context: unknown;
  readonly createdAt: number;
  /** What the answer says. */
  readonly expiresAt: number;
  /** What the token says. */
  readonly exp: number;
}

interface Minting {
  /** Seconds; undefined where it was not sent. */
  readonly sent: number | undefined;
  readonly memory: Memory;
  readonly scene: Scene;
}

/** Mints something else than was asked for. The same values leave the answer as it is. */
function mints(change: (minted: Minted, minting: Minting) => Partial<Minted>): Handle {
  return async (next, scene) => {
    const done = await next();
    const data = isRefusal(done) || !isRecord(done.body) ? undefined : done.body.data;
    if (isRefusal(done) || !isRecord(data)) return done;
    const call = tokenCall(scene.call);
    const { security_context: context, expires_in: sent } = call.input;
    const expiresAt = Date.parse(String(data.expires_at));
    const minted: Minted = {
      context,
      createdAt: Date.parse(String(data.created_at)),
      expiresAt,
      exp: expiresAt,
    };
    const changed = { ...minted, ...change(minted, { sent, memory: scene.memory, scene }) };
    if (same(minted, changed)) return done;
    const token = await signMetadataToken(scene.world, {
      context: changed.context,
      claim: scene.world.assumptions.choice('META-11'),
      createdAt: minted.createdAt,
      expiresAt: Math.min(changed.exp, LAST_MS),
      environmentId: call.path.environment_id,
    });
    const answer = {
      token,
      created_at: iso(changed.createdAt),
      expires_at: iso(changed.expiresAt),
    };
    return { ...done, body: { data: answer } };
  };
}

function iso(at: number): string {
  return new Date(Math.min(at, LAST_MS)).toISOString();
}

/** A token of another lifetime (s), said by the answer and the token alike. */
function lives(lifetime: (minting: Minting) => number | undefined): Handle {
  return mints(({ createdAt }, minting) => {
    const seconds = lifetime(minting);
    if (seconds === undefined) return {};
    const end = Math.round(createdAt + seconds * 1000);
    return { expiresAt: end, exp: end };
  });
}

/** A token with another context. */
function carries(change: (context: Json, minting: Minting) => unknown): Handle {
  return mints(({ context }, minting) => ({
    context: isRecord(context) ? change(context, minting) : context,
  }));
}

/** The context of an earlier call, as `choose` takes it from the first and the last. */
function carriesEarlier(choose: (earlier: { first: Json; last: Json }, own: Json) => Json): Handle {
  return carries((own, { memory }) => {
    const last = memory.get('last') as Json | undefined;
    const first = (memory.get('first') ?? own) as Json;
    memory.set('first', first);
    memory.set('last', own);
    return last === undefined ? own : choose({ first, last }, own);
  });
}

/** Changes every plain value of a context, at whatever depth; undefined leaves one out. */
function plainValues(value: unknown, change: (plain: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => plainValues(item, change)).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValues(item, change)]),
  );
}

/** Changes the token as it is written. */
function writes(change: (parts: readonly string[]) => string): Handle {
  return async (next, scene) => {
    const done = await next();
    return mapData((data) =>
      isRecord(data) ? { ...data, token: change(String(data.token).split('.')) } : data,
    )(() => done, scene);
  };
}

function padded(part: string): string {
  return part.padEnd(Math.ceil(part.length / 4) * 4, '=');
}

/** Takes a context that is missing or no object. */
function takes(context: (sent: Json) => boolean): NonNullable<Deviation['stage']> {
  return (stage, refused, { call, request }) => {
    const sent = sentBody(request);
    if (stage !== 'validate' || refused === undefined || sent === undefined || !context(sent)) {
      return refused;
    }
    const input = { ...sent, security_context: {} };
    if ((call.operation.body?.validate(input) ?? []).length > 0) return refused;
    const own = tokenCall(call);
    own.input = input as TokenCall['input'];
    return createMetaSyncToken.validate?.(own);
  };
}

const CONTEXT_LOST = ['META-7'];

export const tokens: readonly Deviation[] = [
  // How long it lives.
  deviation('default-of-an-hour', 'Without expires_in a token lives 3600 seconds.', ['META-4'], {
    handle: lives(({ sent }) => (sent === undefined ? 3600 : undefined)),
  }),
  deviation('default-of-a-week', 'Without expires_in a token lives seven days.', ['META-4'], {
    handle: lives(({ sent }) => (sent === undefined ? 7 * DAY_S : undefined)),
  }),
  deviation('default-of-nothing', 'Without expires_in a token is expired at once.', ['META-4'], {
    handle: lives(({ sent }) => (sent === undefined ? 0 : undefined)),
  }),
  deviation(
    'default-from-call-before',
    'Without expires_in a token lives as long as the one before it.',
    ['META-4'],
    {
      handle: lives(({ sent, memory }) => {
        const last = memory.get('last') as number | undefined;
        if (sent !== undefined) memory.set('last', sent);
        return sent === undefined ? last : undefined;
      }),
    },
  ),
  deviation('lifetime-ignored', 'A token lives 86400 seconds, whatever is asked.', ['META-5'], {
    handle: lives(() => DAY_S),
  }),
  deviation('lifetime-in-milliseconds', 'expires_in is read as milliseconds.', ['META-5'], {
    handle: lives(({ sent }) => (sent === undefined ? undefined : sent / 1000)),
  }),
  deviation('lifetime-in-minutes', 'expires_in is read as minutes.', ['META-5'], {
    handle: lives(({ sent }) => (sent === undefined ? undefined : sent * 60)),
  }),
  deviation('lifetime-added', 'expires_in is added to the 86400 seconds.', ['META-5'], {
    handle: lives(({ sent }) => (sent === undefined ? undefined : sent + DAY_S)),
  }),
  deviation('lifetime-at-least-an-hour', 'A shorter lifetime is raised to an hour.', ['META-5'], {
    handle: lives(({ sent }) => (sent === undefined ? undefined : Math.max(sent, 3600))),
  }),
  deviation('lifetime-in-whole-minutes', 'expires_in is rounded up to minutes.', ['META-5'], {
    handle: lives(({ sent }) => (sent === undefined ? undefined : Math.ceil(sent / 60) * 60)),
  }),
  deviation(
    'lifetime-of-call-before',
    'A token gets the lifetime that the call before it asked for.',
    ['META-5'],
    {
      handle: lives(({ sent, memory }) => {
        const last = memory.get('last') as number | undefined;
        if (sent !== undefined) memory.set('last', sent);
        return sent === undefined ? undefined : last;
      }),
    },
  ),
  deviation(
    'lifetime-honoured-once',
    'The first expires_in counts; from the second on a token lives 86400 seconds.',
    ['META-5'],
    {
      handle: lives(({ sent, memory }) =>
        sent !== undefined && count(memory, 'lifetimes') >= 2 ? DAY_S : undefined,
      ),
    },
  ),
  deviation(
    'expires-at-ignores-lifetime',
    'expires_at is 86400 seconds away, whatever is asked; the token itself says otherwise.',
    ['META-5', 'META-14'],
    { handle: mints(({ createdAt }) => ({ expiresAt: createdAt + DAY_S * 1000 })) },
  ),
  deviation(
    'exp-ignores-lifetime',
    'The token says 86400 seconds, whatever is asked; expires_at says otherwise.',
    ['META-14'],
    {
      handle: mints(({ createdAt }) => ({ exp: createdAt + DAY_S * 1000 })),
      collateral: ['META-5'],
    },
  ),
  deviation(
    'exp-capped',
    'The token ends within an hour, whatever is asked; expires_at does not say so.',
    ['META-14'],
    {
      handle: mints(({ createdAt, exp }) => ({ exp: Math.min(exp, createdAt + 3_600_000) })),
      collateral: ['META-4', 'META-5'],
    },
  ),
  deviation('exp-an-hour-late', 'The token outlives expires_at by an hour.', ['META-14'], {
    handle: mints(({ exp }) => ({ exp: exp + 3_600_000 })),
    collateral: ['META-4', 'META-5'],
  }),
  deviation('exp-in-milliseconds', 'The exp claim counts milliseconds.', ['META-14'], {
    handle: mints(({ exp }) => ({ exp: exp * 1000 })),
    collateral: ['META-4', 'META-5'],
  }),
  deviation(
    'created-an-hour-ago',
    'created_at lies an hour in the past, so that the lifetime does not fit.',
    ['META-4', 'META-5'],
    { handle: mints(({ createdAt }) => ({ createdAt: createdAt - 3_600_000 })) },
  ),
  deviation(
    'created-at-the-end',
    'created_at is the moment at which the token expires.',
    ['META-4', 'META-5'],
    { handle: mints(({ expiresAt }) => ({ createdAt: expiresAt })) },
  ),

  // What it carries.
  deviation('context-missing', 'The token carries no security context.', CONTEXT_LOST, {
    handle: mints(() => ({ context: undefined })),
  }),
  deviation('context-empty', 'The token carries an empty security context.', CONTEXT_LOST, {
    handle: carries(() => ({})),
  }),
  deviation(
    'context-of-call-before',
    'The token carries the security context of the call before it.',
    CONTEXT_LOST,
    { handle: carriesEarlier(({ last }) => last) },
  ),
  deviation(
    'context-of-first-call',
    'Every token carries the security context of the first call.',
    CONTEXT_LOST,
    { handle: carriesEarlier(({ first }) => first) },
  ),
  deviation(
    'context-mixed',
    'What the security context of the call before had and this one has not is carried as well.',
    CONTEXT_LOST,
    { handle: carriesEarlier(({ last }, own) => ({ ...last, ...own })) },
  ),
  deviation('context-first-key', 'The token carries the first key of its context.', CONTEXT_LOST, {
    handle: carries((context) => Object.fromEntries(Object.entries(context).slice(0, 1))),
  }),
  deviation(
    'context-of-second-call-missing',
    'The first token carries its context; from the second on it is empty.',
    CONTEXT_LOST,
    { handle: carries((context, { memory }) => (count(memory, 'tokens') >= 2 ? {} : context)) },
  ),
  deviation('context-flat', 'What is nested in the context is left out.', CONTEXT_LOST, {
    handle: carries((context) =>
      Object.fromEntries(Object.entries(context).filter(([, value]) => !isRecord(value))),
    ),
  }),
  deviation(
    'context-arrays-cut',
    'Of an array in the context the first item stays.',
    CONTEXT_LOST,
    {
      handle: carries((context) => firstItems(context)),
    },
  ),
  deviation('context-numbers-as-text', 'Numbers of the context become text.', CONTEXT_LOST, {
    handle: carries((context) =>
      plainValues(context, (plain) => (typeof plain === 'number' ? String(plain) : plain)),
    ),
  }),
  deviation('context-booleans-as-text', 'true and false become text.', CONTEXT_LOST, {
    handle: carries((context) =>
      plainValues(context, (plain) => (typeof plain === 'boolean' ? String(plain) : plain)),
    ),
  }),
  deviation('context-text-as-numbers', 'Text of digits becomes a number.', CONTEXT_LOST, {
    handle: carries((context) =>
      plainValues(context, (plain) =>
        typeof plain === 'string' && /^\d{1,15}$/.test(plain) ? Number(plain) : plain,
      ),
    ),
  }),
  deviation(
    'context-falsy-lost',
    'Values of the context that are 0, false, null or empty text are left out.',
    CONTEXT_LOST,
    {
      handle: carries((context) => plainValues(context, (plain) => (plain ? plain : undefined))),
    },
  ),
  deviation('context-in-small-letters', 'Text of the context loses its capitals.', CONTEXT_LOST, {
    handle: carries((context) =>
      plainValues(context, (plain) => (typeof plain === 'string' ? plain.toLowerCase() : plain)),
    ),
  }),
  deviation(
    'context-in-ascii',
    'Letters of the context that are not ASCII become ?.',
    CONTEXT_LOST,
    {
      handle: carries((context) =>
        plainValues(context, (plain) =>
          typeof plain === 'string' ? plain.replaceAll(/[^\x20-\x7e]/gu, '?') : plain,
        ),
      ),
    },
  ),
  deviation(
    'token-of-call-before',
    'An environment gets one token; every later call is answered with it.',
    ['META-7', 'META-5'],
    {
      handle: async (next, scene) => {
        const done = await next();
        const { path } = tokenCall(scene.call);
        const key = `answer of ${path.deployment_id}/${path.environment_id}`;
        return mapData((data) => {
          const earlier = scene.memory.get(key);
          if (earlier === undefined) scene.memory.set(key, data);
          return earlier;
        })(() => done, scene);
      },
      collateral: ['META-4'],
    },
  ),

  // What it is.
  deviation('two-parts', 'The token lacks its signature.', ['META-2'], {
    handle: writes((parts) => parts.slice(0, 2).join('.')),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('opaque', 'The token is no JWT but a name for one.', ['META-2'], {
    handle: writes((parts) => `mst_${(parts[2] ?? '').slice(0, 40)}`),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('claims-alone', 'The token is its claims, encoded, alone.', ['META-2'], {
    handle: writes((parts) => parts[1] ?? ''),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('padded', 'The parts of the token are padded with =.', ['META-2'], {
    handle: writes((parts) => parts.map(padded).join('.')),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('bearer-before-it', 'The token has the word Bearer before it.', ['META-2'], {
    handle: writes((parts) => `Bearer ${parts.join('.')}`),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('claims-not-json', 'The claims of the token are no JSON.', ['META-2'], {
    handle: writes(([head = '', , signature = '']) =>
      [head, Buffer.from('claims').toString('base64url'), signature].join('.'),
    ),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),

  // What is asked for.
  deviation('context-not-needed', 'A request without a security context is served.', ['META-3'], {
    stage: takes((sent) => sent.security_context === undefined),
  }),
  deviation('context-may-be-null', 'A security context of null is taken.', ['META-3'], {
    stage: takes((sent) => sent.security_context === null),
  }),
  deviation('context-may-be-text', 'A security context that is a text is taken.', ['META-3'], {
    stage: takes((sent) => typeof sent.security_context === 'string'),
  }),
];

/** Every array with its first item alone. */
function firstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstItems);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, firstItems(item)]));
}
