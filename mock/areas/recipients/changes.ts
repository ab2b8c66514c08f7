/** Changes of a recipient that go unnoticed, are not kept, or are reported as something else. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../spec/base/json.ts';
import { objectsOf } from '../../deviations/changes.ts';
import type { Does } from '../../deviations/does.ts';
import { again, setIn } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { afterwards } from '../../deviations/state.ts';
import type { RecipientRow } from '../../world/rows.ts';
import { isEmbed, itemsOf, rowKey, seesEach } from './add-call.ts';
import { moves, recordKey } from './answer-lists.ts';
import type { RecipientItem } from './machine.ts';

const breaking = rowsOf('recipients', ['addNotificationRecipients']);

type Property = 'securityContext' | 'userAttributes' | 'groups';
const properties: readonly Property[] = ['securityContext', 'userAttributes', 'groups'];

// ── ways to compare that find too many values alike ─────────────────────────────

type Alike = (sent: unknown, stored: unknown) => boolean;

/** Same keys and same plain values; what is nested is taken as the same. */
const onTop: Alike = (sent, stored) => {
  if (!isObject(sent) || !isObject(stored)) return false;
  const keys = Object.keys(sent);
  const isNested = (value: unknown) => value !== null && typeof value === 'object';
  return (
    keys.length === Object.keys(stored).length &&
    keys.every((key) => {
      const [a, b] = [sent[key], stored[key]];
      return key in stored && ((isNested(a) && isNested(b)) || a === b);
    })
  );
};

/** Same but for the types of plain values. */
const asText: Alike = (sent, stored) => {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(sent) === text(stored);
};

const byName: Alike = (sent, stored) => {
  const names = (list: unknown) =>
    objectsOf(list)
      .map(({ name }) => String(name))
      .sort();
  return isDeepStrictEqual(names(sent), names(stored));
};

const byNumber: Alike = (sent, stored) =>
  Array.isArray(sent) && Array.isArray(stored) && sent.length === stored.length;

const always: Alike = () => true;

// ── what becomes of a change ────────────────────────────────────────────────────

/** A property that was sent, as it is stored already. */
function asStored(item: RecipientItem, row: RecipientRow, property: Property): RecipientItem {
  if (item[property] === undefined) return item;
  const { [property]: _sent, ...rest } = item;
  const stored = row[property];
  return stored === null ? rest : { ...rest, [property]: stored };
}

/** Misses a change of a property, where the two values are alike in this way. */
const misses = (property: Property, alike: Alike = always): Does =>
  seesEach((item, row) =>
    row !== undefined && row[property] !== null && alike(item[property], row[property])
      ? asStored(item, row, property)
      : item,
  );

/** Reports a change of a property and keeps the value from before it. */
const keepsOld = (property: Property): Does =>
  afterwards(({ call, world, before }) => {
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

/** Reports as newly subscribed whoever has changed in this property. */
const createdBy = (property: Property): Does =>
  moves('updated', 'created', (record, scene) => {
    const key = recordKey(record, scene);
    const old = scene.before.tables.recipients.get(key);
    const row = scene.world.state.tables.recipients.get(key);
    return !isDeepStrictEqual(old?.[property], row?.[property]);
  });

/** A context that the recipient had once is taken for the one that it has. */
const missesReturn = seesEach((item, row, { call, memory }) => {
  if (!isEmbed(item) || item.securityContext === undefined) return item;
  const had = setIn(memory, `contexts of ${rowKey(call, item)}`);
  const context = JSON.stringify(item.securityContext);
  const back = had.has(context);
  had.add(context);
  return row !== undefined && back ? asStored(item, row, 'securityContext') : item;
});

const missesBehindTheFirst = seesEach((item, row, _scene, index) =>
  row === undefined || index === 0
    ? item
    : properties.reduce((seen, property) => asStored(seen, row, property), item),
);

export const changes = [
  ...breaking(['RECIP-11'], {
    'context-change-unnoticed': [
      'A changed security context is reported as unchanged, and not kept.',
      misses('securityContext'),
    ],
    'context-change-created': [
      'An embed user whose security context changed is reported as created.',
      createdBy('securityContext'),
    ],
    'context-compared-on-top': [
      'A change inside of a nested part of the security context is missed.',
      misses('securityContext', onTop),
    ],
    'context-compared-as-text': [
      'A number of the security context that becomes its own text is missed.',
      misses('securityContext', asText),
    ],
    'context-return-unnoticed': [
      'A security context that the recipient had before is missed when it returns.',
      missesReturn,
    ],
  }),
  ...breaking(['RECIP-12'], {
    'attribute-change-unnoticed': [
      'Changed attributes are reported as unchanged, and not kept.',
      misses('userAttributes'),
    ],
    'attribute-change-created': [
      'An embed user whose attributes changed is reported as created.',
      createdBy('userAttributes'),
    ],
    'attributes-compared-by-name': [
      'An attribute whose value changed is missed, as only the names are compared.',
      misses('userAttributes', byName),
    ],
  }),
  ...breaking(['RECIP-13'], {
    'group-change-unnoticed': [
      'Changed groups are reported as unchanged, and not kept.',
      misses('groups'),
    ],
    'group-change-created': [
      'An embed user whose groups changed is reported as created.',
      createdBy('groups'),
    ],
    'groups-compared-by-number': [
      'A group in the place of another is missed, as only their number is compared.',
      misses('groups', byNumber),
    ],
  }),
  ...breaking(['RECIP-7'], {
    'context-change-not-kept': [
      'A changed security context is reported as updated, each time anew, as it is not kept.',
      keepsOld('securityContext'),
    ],
    'attribute-change-not-kept': [
      'Changed attributes are reported as updated, each time anew, as they are not kept.',
      keepsOld('userAttributes'),
    ],
    'group-change-not-kept': [
      'Changed groups are reported as updated, each time anew, as they are not kept.',
      keepsOld('groups'),
    ],
  }),
  ...breaking(['RECIP-11', 'RECIP-12', 'RECIP-13'], {
    'second-change-unnoticed': [
      'The first change of a recipient is an update; all later ones are reported as unchanged.',
      moves('updated', 'unchanged', again(recordKey)),
    ],
    'change-of-first-only': [
      'Of several recipients in a call only changes of the first are noticed.',
      missesBehindTheFirst,
    ],
  }),
];
