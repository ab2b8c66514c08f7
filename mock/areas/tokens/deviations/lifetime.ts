/** Tokens that live too long or too short, or say so. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count, type Handle } from '../../../deviations/transforms.ts';
import { DAY_S, deviation, type Minting, mints } from './minting.ts';

/** A token of another lifetime (s), said by the answer and the token alike. */
function lives(lifetime: (minting: Minting) => number | undefined): Handle {
  return mints(({ createdAt }, minting) => {
    const seconds = lifetime(minting);
    if (seconds === undefined) return {};
    const end = Math.round(createdAt + seconds * 1000);
    return { expiresAt: end, exp: end };
  });
}

export const lifetime: readonly Deviation[] = [
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
];
