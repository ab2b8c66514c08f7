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

/** A property whose change goes wrong: its name, and how sentences speak of it. */
const ofProperty = (
  property: Property,
  statement: string,
  [name, words, changed, it]: readonly [string, string, string, string],
) => [
  ...breaking([statement], {
    [`${name}-change-unnoticed`]: [
      `${changed} reported as unchanged, and not kept.`,
      misses(property),
    ],
    [`${name}-change-created`]: [
      `An embed user whose ${words} changed is reported as created.`,
      createdBy(property),
    ],
  }),
  ...breaking(['RECIP-7'], {
    [`${name}-change-not-kept`]: [
      `${changed} reported as updated, each time anew, as ${it} not kept.`,
      keepsOld(property),
    ],
  }),
];

const context = ['context', 'security context', 'A changed security context is', 'it is'] as const;
const attributes = ['attribute', 'attributes', 'Changed attributes are', 'they are'] as const;
const groups = ['group', 'groups', 'Changed groups are', 'they are'] as const;

export const changes = [
  ...ofProperty('securityContext', 'RECIP-11', context),
  ...breaking(['RECIP-11'], {
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
  ...ofProperty('userAttributes', 'RECIP-12', attributes),
  ...breaking(['RECIP-12'], {
    'attributes-compared-by-name': [
      'An attribute whose value changed is missed, as only the names are compared.',
      misses('userAttributes', byName),
    ],
  }),
  ...ofProperty('groups', 'RECIP-13', groups),
  ...breaking(['RECIP-13'], {
    'groups-compared-by-number': [
      'A group in the place of another is missed, as only their number is compared.',
      misses('groups', byNumber),
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
