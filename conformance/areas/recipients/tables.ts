import type { CoverageTables } from '../../explore/coverage.ts';

export const tables: CoverageTables = {
  recipient: {
    states: ['unknown', 'absent', 'subscribed'],
    events: [
      'console user by id',
      'console user by email',
      'embed user with shaped id',
      'embed user with email',
      'embed user without email',
      'in a thousand',
      'changed securityContext',
      'changed userAttributes',
      'changed groups',
      'left out',
      'here as well',
      'elsewhere as well',
      'beside a chat recipient',
      'beside an unresolvable one',
      'in too many',
      'without authorisation',
    ],
    unreachable: [
      [
        /: unknown x (embed|in a thousand|in too many|.* as well)/,
        'the embed users of a walk are made up for it, so that they are absent at first for sure',
      ],
      [
        /: (unknown|absent) x (changed|left out)/,
        'only somebody who is known to be subscribed can be seen to change',
      ],
      [
        /: absent x console/,
        'console users are not made up: whether they are subscribed is unknown until they are added',
      ],
    ],
  },
};
