/** Changes of a recipient that go unnoticed, are not kept, or are reported as something else. */
import { isDeepStrictEqual } from 'node:util';
import type { Deviation } from '../../../deviations/deviation.ts';
import { afterwards, count, type Handle, setIn } from '../../../deviations/transforms.ts';
import type { RecipientRow } from '../../../world/rows.ts';
import type { RecipientItem } from '../machine.ts';
import { deviation, isEmbed, itemsOf, rowKey, sees } from './add-call.ts';
import { alikeAsText, alikeOnTop, sameNames, sameNumber } from './alike.ts';
import { moves, recordKey, SENT_AGAIN } from './answer-lists.ts';

type Property = 'securityContext' | 'userAttributes' | 'groups';
const PROPERTIES: readonly Property[] = ['securityContext', 'userAttributes', 'groups'];
export const CHANGES = ['RECIP-11', 'RECIP-12', 'RECIP-13'];

/** A property that was sent, as it is stored already. */
function asStored(item: RecipientItem, row: RecipientRow, property: Property): RecipientItem {
  if (item[property] === undefined) return item;
  const { [property]: _sent, ...rest } = item;
  const stored = row[property];
  return stored === null ? rest : { ...rest, [property]: stored };
}

/** Misses a change of a property, where the two values are alike in this way. */
function misses(
  property: Property,
  alike: (sent: unknown, stored: unknown) => boolean = () => true,
): Handle {
  return sees((item, row) =>
    row !== undefined && row[property] !== null && alike(item[property], row[property])
      ? asStored(item, row, property)
      : item,
  );
}

/** Reports a change of a property and keeps the value from before it. */
function keepsOld(property: Property): Handle {
  return afterwards(({ call, world, before }) => {
    const { recipients } = world.state.tables;
    let changed = false;
    for (const item of itemsOf(call)) {
      const key = rowKey(call, item);
      const old = before.tables.recipients.get(key);
      const row = recipients.get(key);
      if (old === undefined || row === undefined) continue;
      if (isDeepStrictEqual(old[property], row[property])) continue;
      recipients.put(key, { ...row, [property]: old[property] });
      changed = true;
    }
    return changed;
  });
}

/** Reports as newly subscribed whoever has changed in this property. */
function createdByChange(property: Property): Handle {
  return moves('updated', 'created', (record, scene) => {
    const key = recordKey(record, scene);
    const old = scene.before.tables.recipients.get(key);
    const row = scene.world.state.tables.recipients.get(key);
    return !isDeepStrictEqual(old?.[property], row?.[property]);
  });
}

/** A context that the recipient had once is taken for the one that it has. */
const missesReturn: Handle = sees((item, row, { call, memory }) => {
  if (!isEmbed(item) || item.securityContext === undefined) return item;
  const had = setIn(memory, `contexts of ${rowKey(call, item)}`);
  const context = JSON.stringify(item.securityContext);
  const back = had.has(context);
  had.add(context);
  return row !== undefined && back ? asStored(item, row, 'securityContext') : item;
});

export const changes: readonly Deviation[] = [
  deviation(
    'context-change-unnoticed',
    'A changed security context is reported as unchanged, and not kept.',
    ['RECIP-11'],
    { handle: misses('securityContext') },
  ),
  deviation(
    'attribute-change-unnoticed',
    'Changed attributes are reported as unchanged, and not kept.',
    ['RECIP-12'],
    { handle: misses('userAttributes') },
  ),
  deviation(
    'group-change-unnoticed',
    'Changed groups are reported as unchanged, and not kept.',
    ['RECIP-13'],
    { handle: misses('groups') },
  ),
  deviation(
    'context-change-not-kept',
    'A changed security context is reported as updated, each time anew, as it is not kept.',
    ['RECIP-7'],
    { handle: keepsOld('securityContext'), collateral: ['RECIP-11'] },
  ),
  deviation(
    'attribute-change-not-kept',
    'Changed attributes are reported as updated, each time anew, as they are not kept.',
    ['RECIP-7'],
    { handle: keepsOld('userAttributes'), collateral: ['RECIP-12'] },
  ),
  deviation(
    'group-change-not-kept',
    'Changed groups are reported as updated, each time anew, as they are not kept.',
    ['RECIP-7'],
    { handle: keepsOld('groups'), collateral: ['RECIP-13'] },
  ),
  deviation(
    'context-change-created',
    'An embed user whose security context changed is reported as created.',
    ['RECIP-11'],
    { handle: createdByChange('securityContext'), collateral: SENT_AGAIN },
  ),
  deviation(
    'attribute-change-created',
    'An embed user whose attributes changed is reported as created.',
    ['RECIP-12'],
    { handle: createdByChange('userAttributes'), collateral: SENT_AGAIN },
  ),
  deviation(
    'group-change-created',
    'An embed user whose groups changed is reported as created.',
    ['RECIP-13'],
    { handle: createdByChange('groups'), collateral: SENT_AGAIN },
  ),
  deviation(
    'context-compared-on-top',
    'A change inside of a nested part of the security context is missed.',
    ['RECIP-11'],
    { handle: misses('securityContext', alikeOnTop) },
  ),
  deviation(
    'context-compared-as-text',
    'A number of the security context that becomes its own text is missed.',
    ['RECIP-11'],
    { handle: misses('securityContext', alikeAsText) },
  ),
  deviation(
    'attributes-compared-by-name',
    'An attribute whose value changed is missed, as only the names are compared.',
    ['RECIP-12'],
    { handle: misses('userAttributes', sameNames) },
  ),
  deviation(
    'groups-compared-by-number',
    'A group in the place of another is missed, as only their number is compared.',
    ['RECIP-13'],
    { handle: misses('groups', sameNumber) },
  ),
  deviation(
    'context-return-unnoticed',
    'A security context that the recipient had before is missed when it returns.',
    ['RECIP-11'],
    { handle: missesReturn },
  ),
  deviation(
    'second-change-unnoticed',
    'The first change of a recipient is an update; all later ones are reported as unchanged.',
    CHANGES,
    {
      handle: moves(
        'updated',
        'unchanged',
        (record, scene) => count(scene.memory, recordKey(record, scene)) >= 2,
      ),
    },
  ),
  deviation(
    'change-of-first-only',
    'Of several recipients in a call only changes of the first are noticed.',
    CHANGES,
    {
      handle: sees((item, row, _scene, index) =>
        row === undefined || index === 0
          ? item
          : PROPERTIES.reduce((seen, property) => asStored(seen, row, property), item),
      ),
    },
  ),
];
