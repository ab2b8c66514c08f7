/** Tokens that lack their security context, or carry a changed or another one's. */
import type { Deviation } from '../../../deviations/deviation.ts';
import {
  count,
  type Handle,
  isRecord,
  type Json,
  mapData,
} from '../../../deviations/transforms.ts';
import { deviation, type Minting, mints, tokenCall } from './minting.ts';

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

const CONTEXT_LOST = ['META-7'];

export const context: readonly Deviation[] = [
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
];

/** Every array with its first item alone. */
function firstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstItems);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, firstItems(item)]));
}
