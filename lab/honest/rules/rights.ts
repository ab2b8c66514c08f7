/** Variants of rights for operations for which the description names none. */
import type { Operation } from '../../../spec/contract.ts';
import { operations } from '../nodes.ts';
import { callerOf, each, insteadOf, lookingAt, refusal, type Variant } from '../variant.ts';

const isScim = ({ requires }: Operation): boolean => requires.surface === 'scim';
/** Whether the description does not say who may call the operation. */
const isOfNobody = ({ requires: { role, edit, permission } }: Operation): boolean =>
  role === undefined && edit === undefined && permission === undefined;
const any = [400, 401, 403, 404];

/** Callers who may lack a right, with the operation and the status of the refusal. */
const open: readonly (readonly [
  who: string,
  ground: string,
  isOpen: (operation: Operation) => boolean,
  statuses: readonly number[],
])[] = [
  ['memberOauth', 'AUTH-24', (it) => isOfNobody(it) && !isScim(it), [403]],
  ['scoped', 'AUTH-21', (it) => it.requires.deployment === undefined && !isScim(it), [403]],
  ['embed', 'AUTH-22', (it) => !it.requires.credentials.includes('embed') && !isScim(it), any],
  ['adminEmbed', 'AUTH-22', (it) => !it.requires.credentials.includes('embed') && !isScim(it), any],
  ['scim', 'AUTH-19', (it) => !isScim(it), any],
  ...['admin', 'member', 'oauth', 'memberOauth', 'scoped', 'embed', 'adminEmbed'].map(
    (who) => [who, 'AUTH-20', isScim, any] as const,
  ),
];

export const rightVariants: readonly Variant[] = open.flatMap(([who, ground, isOpen, statuses]) =>
  operations.filter(isOpen).flatMap(({ id }) =>
    each({ rule: `right:${who}:${id}`, ground }, statuses, (status) => ({
      does: lookingAt([id], (scene) =>
        insteadOf((call) => {
          const isHis = call.operation.id === id && call.secure && callerOf(call, scene) === who;
          return isHis ? refusal(call, status) : undefined;
        })(),
      ),
    })),
  ),
);
