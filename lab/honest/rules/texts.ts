/** Variants of texts and times whose form the contract leaves open. */
import { isObject } from '../../../spec/base/json.ts';
import { changeAt, GONE } from '../../deviations/places.ts';
import { echoes, type Node, nodeName, servedNodes, typesOf } from '../nodes.ts';
import { each, serves, type Variant } from '../variant.ts';
import { changed } from './bodies.ts';

type Spell = (time: Date) => string;
const iso = (time: Date): string => time.toISOString();
const basic = (time: Date): string => iso(time).replaceAll(/[-:]|\.\d+/g, '');
const zoned = (time: Date, zone: string, minutes: number): string =>
  `${iso(new Date(time.getTime() + minutes * 60_000)).slice(0, 19)}${zone}`;
const days = (time: Date): number =>
  Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 0)) / 86_400_000);

/** The ISO week of a date. A week belongs to the year of its Thursday. */
function week(time: Date): string {
  const weekday = time.getUTCDay() || 7;
  const thursday = new Date(time.getTime() + (4 - weekday) * 86_400_000);
  const number = Math.ceil(days(thursday) / 7);
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}-${weekday}`;
}

const isoForms: Readonly<Record<string, Spell>> = {
  seconds: (time) => `${iso(time).slice(0, 19)}Z`,
  microseconds: (time) => `${iso(time).slice(0, 23)}417Z`,
  comma: (time) => iso(time).replace('.', ','),
  offset: (time) => zoned(time, '+01:00', 60),
  'short offset': (time) => zoned(time, '-05', -300),
  'offset without a colon': (time) => zoned(time, '+0530', 330),
  basic: basic,
  'basic with an offset': (time) =>
    `${basic(new Date(time.getTime() + 3_600_000)).slice(0, 15)}+0100`,
  'of a week': (time) => `${week(time)}T${iso(time).slice(11)}`,
  'decimal minutes': (time) => {
    const minutes =
      time.getUTCMinutes() + (time.getUTCSeconds() + time.getUTCMilliseconds() / 1000) / 60;
    return `${iso(time).slice(0, 14)}${minutes.toFixed(7).padStart(10, '0')}Z`;
  },
  'day of the year': (time) =>
    `${iso(time).slice(0, 4)}-${String(days(time)).padStart(3, '0')}T${iso(time).slice(11)}`,
};

/** Forms in which a year, a month and a day can be recognised. */
const dateForms: Readonly<Record<string, Spell>> = {
  ...isoForms,
  date: (time) => iso(time).slice(0, 10),
  'basic date': (time) => iso(time).slice(0, 10).replaceAll('-', ''),
  'RFC 9110': (time) => time.toUTCString(),
  spaced: (time) => `${iso(time).slice(0, 19).replace('T', ' ')} UTC`,
  'in words': (time) => time.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }),
  slashes: (time) => iso(time).slice(0, 10).replaceAll('-', '/'),
  American: (time) => `${iso(time).slice(5, 7)}/${iso(time).slice(8, 10)}/${iso(time).slice(0, 4)}`,
  dots: (time) => iso(time).slice(0, 10).split('-').toReversed().join('.'),
};

const spelt = (node: Node, forms: Readonly<Record<string, Spell>>, ground: string): Variant[] => {
  const rule = `time:${nodeName(node)}`;
  const about = { rule, ground, slot: `time:${node.operation.id}` };
  return each(about, forms, (spell) => ({
    does: serves(node.operation.id, (reply) =>
      changed(reply, node, (old) => {
        const time = new Date(String(old));
        return Number.isNaN(time.getTime()) ? undefined : spell(time);
      }),
    ),
  }));
};

/** All timestamps whose ISO 8601 form is open share one pattern, which identifies them. */
const anyTimestamp = servedNodes.find(({ place }) => place === 'data.expires_at')?.schema.pattern;
const times = servedNodes.flatMap((node) => {
  if (anyTimestamp !== undefined && node.schema.pattern === anyTimestamp)
    return spelt(node, isoForms, 'SVC-20');
  return node.silences[0] === 'FOLDER-14' ? spelt(node, dateForms, 'FOLDER-14') : [];
});

// ── texts ───────────────────────────────────────────────────────────────────────

/** Ways to change a text. The same text always becomes the same other text. */
const texts: Readonly<Record<string, (old: string) => string>> = {
  empty: () => '',
  same: () => 'the same everywhere',
  long: (old) => `${old} ${'x'.repeat(2000)}`,
  unicode: (old) => `${old} — Ærø 東京 🚢 e\u0301`,
  markup: (old) => `<b>"${old}"</b>, '1'=1; \t\\ {deployment.id}`,
  number: (old) => String([...old].reduce((sum, sign) => sum * 7 + sign.charCodeAt(0), 1) % 9973),
};

/** Texts that stay, because other calls use them or a standard gives their form. */
const named = ['id', 'releaseChannel', 'parentBranch', 'type', 'token', 'userName'];
/** Special values for certain kinds of text. */
const ofAKind: Readonly<Record<string, Readonly<Record<string, (old: string) => string>>>> = {
  host: {
    'a name': () => 'sql',
    'an address': () => '2001:db8::17',
    'a full name': () => 'sql.example.com.',
  },
  lastHash: {
    'of 40 digits': () => '4f2c9a1b'.repeat(5),
    digits: () => '1234567',
    'with its algorithm': () => 'sha256:9f86d081',
  },
  path: { 'from the root': (old) => `/${old}`, 'of another system': () => 'model\\ü.yml' },
};
const isFreeText = (node: Node): boolean =>
  typesOf(node).includes('string') &&
  ['pattern', 'enum', 'format', 'contains'].every((keyword) => !(keyword in node.schema)) &&
  !named.includes(node.name) &&
  !(node.name in ofAKind) &&
  !node.place.includes('schemas') &&
  !/[Aa]t$/.test(node.name) &&
  !echoes(node);

const free = servedNodes.flatMap((node) => {
  const values = isFreeText(node) ? texts : (ofAKind[node.name] ?? {});
  const about = { rule: `text:${nodeName(node)}`, ground: 'SVC-19' };
  return each(about, values, (value) => ({
    does: serves(node.operation.id, (reply) =>
      changed(reply, node, (old) => (typeof old === 'string' ? value(old) : undefined)),
    ),
  }));
});

/** The type of an embed user in an answer. The description shows only the type USER. */
const types = each(
  { rule: 'text:type of an embed user', ground: 'RECIP-28' },
  { EMBED: 'EMBED', user: 'user', empty: '', null: null, absent: GONE },
  (type) => ({
    does: serves('addNotificationRecipients', (reply) =>
      servedNodes
        .filter(({ place }) => place.endsWith('Recipients.*'))
        .reduce((made, node) => changed(made, node, (item) => typed(item, type)), reply),
    ),
  }),
);
const typed = (item: unknown, type: unknown): unknown =>
  isObject(item) && typeof item.embedUserId === 'number'
    ? changeAt(item, ['type'], () => type)
    : undefined;

export const textVariants: readonly Variant[] = [...times, ...free, ...types];
