/** Rights that the description gives nobody, operation by operation. */
import { operations } from '../nodes.ts';
import { callerOf, each, insteadOf, refusal, type Variant } from '../variant.ts';

/** Who has a right only by the leave of somebody, and where that is not said. */
const open: readonly {
  readonly who: string;
  readonly ground: string;
  readonly isOpen: (operation: (typeof operations)[number]) => boolean;
  readonly statuses: readonly number[];
}[] = [
  {
    who: 'memberOauth',
    ground: 'the description gives the rights of an OAuth token to no user by name; AUTH-24',
    isOpen: ({ requires }) =>
      requires.role === undefined &&
      requires.edit === undefined &&
      requires.permission === undefined &&
      requires.surface !== 'scim',
    statuses: [403],
  },
  {
    who: 'scoped',
    ground: 'AUTH-21',
    isOpen: ({ requires }) =>
      requires.deployment === undefined && requires.surface === 'management',
    statuses: [403],
  },
  ...['embed', 'adminEmbed'].map((who) => ({
    who,
    ground: 'AUTH-22',
    isOpen: ({ requires }: (typeof operations)[number]) =>
      !requires.credentials.includes('embed') && requires.surface !== 'scim',
    statuses: [400, 401, 403, 404],
  })),
  {
    who: 'scim',
    ground: 'AUTH-19',
    isOpen: ({ requires }) => requires.surface !== 'scim',
    statuses: [400, 401, 403, 404],
  },
  ...['admin', 'member', 'oauth', 'memberOauth', 'scoped', 'embed', 'adminEmbed'].map((who) => ({
    who,
    ground: 'AUTH-20',
    isOpen: ({ requires }: (typeof operations)[number]) => requires.surface === 'scim',
    statuses: [400, 401, 403, 404],
  })),
];

export const rightVariants: readonly Variant[] = open.flatMap(({ who, ground, isOpen, statuses }) =>
  operations.filter(isOpen).flatMap(({ id }) =>
    each({ rule: `right:${who}:${id}`, ground }, statuses, (status) => ({
      does: (scene) =>
        insteadOf((call) => {
          const isHis = call.operation.id === id && call.secure && callerOf(call, scene) === who;
          return isHis ? refusal(call, status) : undefined;
        })(),
    })),
  ),
);
