/**
 * Metadata tokens that live too long or too short, lack their security context or carry another
 * one's. A changed token is signed again, so that it is wrong in nothing else.
 */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersData } from '../../deviations/answers.ts';
import type { Deviation } from '../../deviations/deviation.ts';
import { count, exchange } from '../../deviations/memory.ts';
import { accepts } from '../../deviations/refusals.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { seesState } from '../../deviations/state.ts';
import {
  carries,
  carriesValues,
  DAY_S,
  HOUR_MS,
  lives,
  livesByDefault,
  livesInsteadOf,
  mints,
  takes,
  tokenCall,
  writes,
} from './minting.ts';

const breaking = rowsOf('tokens', ['createMetaSyncToken']);

// ── lifetimes ───────────────────────────────────────────────────────────────────

const asBeforeByDefault = lives((sent, { memory }) => {
  const last = exchange(memory, 'last', sent);
  return sent === undefined ? last : undefined;
});

const asSentBefore = lives((sent, { memory }) => {
  const last = exchange(memory, 'last', sent);
  return sent === undefined ? undefined : last;
});

const honouredOnce = lives((sent, { memory }) =>
  sent !== undefined && count(memory) >= 2 ? DAY_S : undefined,
);

const lifetimes: readonly Deviation[] = [
  ...breaking(['META-4'], {
    'default-of-an-hour': ['Without expires_in a token lives 3600 seconds.', livesByDefault(3600)],
    'default-of-a-week': livesByDefault(7 * DAY_S),
    'default-of-nothing': ['Without expires_in a token is expired at once.', livesByDefault(0)],
    'default-from-call-before': asBeforeByDefault,
  }),
  ...breaking(['META-5'], {
    'lifetime-ignored': ['A token lives 86400 seconds, whatever is asked.', lives(() => DAY_S)],
    'lifetime-in-milliseconds': livesInsteadOf((sent) => sent / 1000),
    'lifetime-in-minutes': ['expires_in is read as minutes.', livesInsteadOf((sent) => sent * 60)],
    'lifetime-added': livesInsteadOf((sent) => sent + DAY_S),
    'lifetime-at-least-an-hour': livesInsteadOf((sent) => Math.max(sent, 3600)),
    'lifetime-in-whole-minutes': livesInsteadOf((sent) => Math.ceil(sent / 60) * 60),
    'lifetime-of-call-before': asSentBefore,
    'lifetime-honoured-once': [
      'The first expires_in counts; from the second on a token lives 86400 seconds.',
      honouredOnce,
    ],
  }),
  ...breaking(['META-5'], {
    'expires-at-ignores-lifetime': [
      'expires_at is 86400 seconds away, whatever is asked; the token itself says otherwise.',
      mints(({ createdAt }) => ({ expiresAt: createdAt + DAY_S * 1000 })),
    ],
  }),
  ...breaking(['META-4', 'META-5'], {
    'exp-ignores-lifetime': [
      'The token says 86400 seconds, whatever is asked; expires_at says otherwise.',
      mints(({ createdAt }) => ({ exp: createdAt + DAY_S * 1000 })),
    ],
    'exp-capped': [
      'The token ends within an hour, whatever is asked; expires_at does not say so.',
      mints(({ createdAt, exp }) => ({ exp: Math.min(exp, createdAt + HOUR_MS) })),
    ],
    'exp-an-hour-late': mints(({ exp }) => ({ exp: exp + HOUR_MS })),
    'exp-in-milliseconds': mints(({ exp }) => ({ exp: exp * 1000 })),
  }),
  ...breaking(['META-4', 'META-5'], {
    'created-an-hour-ago': mints(({ createdAt }) => ({ createdAt: createdAt - HOUR_MS })),
    'created-at-the-end': [
      'created_at is the moment at which the token expires.',
      mints(({ expiresAt }) => ({ createdAt: expiresAt })),
    ],
  }),
];

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
function firstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstItems);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, firstItems(item)]));
}

const withoutNested = (context: JsonObject) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => !isObject(value)));

/** Changes the texts of a context. */
const carriesTexts = (change: (text: string) => unknown) =>
  carriesValues((plain) => (typeof plain === 'string' ? change(plain) : plain));

/** Writes the values of a type as text. */
const carriesAsText = (type: 'number' | 'boolean') =>
  carriesValues((plain) => (typeof plain === type ? String(plain) : plain));

const oneToken = answersData((data, { call, memory }) => {
  const { path } = tokenCall(call);
  const key = `answer of ${path.deployment_id}/${path.environment_id}`;
  return memory.has(key) ? memory.get(key) : void memory.set(key, data);
});

const contexts: readonly Deviation[] = [
  ...breaking(['META-7'], {
    'context-missing': mints(() => ({ context: undefined })),
    'context-empty': ['The token carries an empty security context.', carries(() => ({}))],
    'context-of-call-before': carriesEarlier(({ last }) => last),
    'context-of-first-call': carriesEarlier(({ first }) => first),
    'context-mixed': [
      'What the security context of the call before had and this one has not is carried as well.',
      carriesEarlier(({ last }, own) => ({ ...last, ...own })),
    ],
    'context-first-key': carries((context) =>
      Object.fromEntries(Object.entries(context).slice(0, 1)),
    ),
    'context-of-second-call-missing': [
      'The first token carries its context; from the second on it is empty.',
      carries((context, { memory }) => (count(memory) >= 2 ? {} : context)),
    ],
    'context-flat': ['What is nested in the context is left out.', carries(withoutNested)],
    'context-arrays-cut': ['Of an array in the context the first item stays.', carries(firstItems)],
    'context-numbers-as-text': ['Numbers of the context become text.', carriesAsText('number')],
    'context-booleans-as-text': ['true and false become text.', carriesAsText('boolean')],
    'context-text-as-numbers': carriesTexts((text) =>
      /^\d{1,15}$/.test(text) ? Number(text) : text,
    ),
    'context-falsy-lost': carriesValues((plain) => plain || undefined),
    'context-in-small-letters': carriesTexts((text) => text.toLowerCase()),
    'context-in-ascii': carriesTexts((text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
  }),
  ...breaking(['META-7', 'META-5'], {
    'token-of-call-before': oneToken,
  }),
];

// ── the form of a token, and of a request ───────────────────────────────────────

const padded = (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '=');

const forms: readonly Deviation[] = [
  ...breaking(['META-2'], {
    'two-parts': ['The token lacks its signature.', writes((parts) => parts.slice(0, 2).join('.'))],
    opaque: [
      'The token is no JWT but a name for one.',
      writes((parts) => `mst_${(parts[2] ?? '').slice(0, 40)}`),
    ],
    'claims-alone': ['The token is its claims, encoded, alone.', writes((parts) => parts[1] ?? '')],
    padded: [
      'The parts of the token are padded with =.',
      writes((parts) => parts.map(padded).join('.')),
    ],
    'bearer-before-it': writes((parts) => `Bearer ${parts.join('.')}`),
    'claims-not-json': writes(([head = '', , signature = '']) =>
      [head, Buffer.from('claims').toString('base64url'), signature].join('.'),
    ),
  }),
  ...breaking(['AUTH-25'], {
    'scoped-key-for-a-foreign-environment': [
      'A scoped key gets a token for an environment of another deployment.',
      [
        accepts('find', 'META-15', ({ call, world }) => {
          const { environment_id: id } = tokenCall(call).path;
          return call.caller.scope !== null && world.state.tables.environments.has(id);
        }),
        seesState(({ tables: { environments } }, { call }) => {
          const { deployment_id: deploymentId, environment_id: id } = tokenCall(call).path;
          const row = environments.get(id);
          if (row !== undefined) environments.put(id, { ...row, deploymentId });
        }),
      ],
    ],
  }),
  ...breaking(['META-3'], {
    'context-not-needed': takes((context) => context === undefined),
    'context-may-be-null': takes((context) => context === null),
    'context-may-be-text': takes((context) => typeof context === 'string'),
  }),
];

export const tokens: readonly Deviation[] = [...lifetimes, ...contexts, ...forms];
