/** Headers, media types and the spelling of JSON. */

import type { WireResponse } from '../../../conformance/target/target.ts';
import { isObject, parseJson } from '../../../spec/base/json.ts';
import { replies, type Variant } from '../variant.ts';

const typeOf = ({ headers }: WireResponse): string => String(headers['content-type'] ?? '');
const isJson = (answer: WireResponse): boolean => /^application\/(\w+\+)?json/.test(typeOf(answer));

const typed =
  (type: (old: string) => string) =>
  (answer: WireResponse): WireResponse =>
    typeOf(answer) === ''
      ? answer
      : { ...answer, headers: { ...answer.headers, 'content-type': type(typeOf(answer)) } };

const essence = (type: string): string => type.split(';')[0] ?? '';
const media: Readonly<Record<string, readonly [ground: string, type: (old: string) => string]>> = {
  'no charset': ['RFC 9110 section 8.3', essence],
  'charset in capitals': ['RFC 9110 section 8.3.2', (old) => `${essence(old)};charset=UTF-8`],
  'charset in quotes': ['RFC 9110 section 8.3.1', (old) => `${essence(old)}; charset="utf-8"`],
  'other parameters': [
    'RFC 9110 section 8.3.1',
    (old) => `${old}; profile="https://x.example/a;b"; v=1`,
  ],
  'in capitals': ['RFC 9110 section 8.3.1: case-insensitive', (old) => essence(old).toUpperCase()],
  'SCIM as plain JSON': [
    'RFC 7644 section 3.1: application/json as well',
    (old) => (old.includes('scim') ? 'application/json' : old),
  ],
};
const medias = Object.entries(media).map(
  ([kind, [ground, type]]): Variant => ({
    id: `media:${kind}`,
    ground,
    slot: 'media',
    writes: typed(type),
  }),
);

/** One answer alone is said to be `application/json`, that of a dbt sync. */
const ownType: Variant = {
  id: 'media:a type of its own',
  ground: 'Bodies are JSON unless stated otherwise; which media type is not said',
  slot: 'media',
  does: replies((reply, { operation }) => {
    const type = reply.headers['content-type'] ?? '';
    if (operation.id === 'getDbtSyncResult' || essence(type) !== 'application/json')
      return undefined;
    return {
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/vnd.tenant+json' },
    };
  }),
};

/** `text/csv` has a parameter of its own, RFC 4180 section 3. */
const csv: Variant = {
  id: 'media:CSV with a header parameter',
  ground: 'RFC 4180 section 3',
  slot: 'media:csv',
  writes: (answer) =>
    typeOf(answer).startsWith('text/csv')
      ? typed(() => 'text/csv; header=present')(answer)
      : answer,
};

const more: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  caching: {
    etag: 'W/"1"',
    'cache-control': 'private, max-age=0',
    vary: 'Accept-Encoding',
    'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
  },
  'of a gateway': {
    via: '1.1 proxy',
    'x-request-id': 'ü',
    'x-ratelimit-remaining': '0',
    'retry-after': '120',
    server: '',
  },
  cookies: { 'set-cookie': 'sid=1; Secure; HttpOnly' },
  links: {
    link: '</next>; rel="next"',
    location: '/elsewhere',
    deprecation: 'true',
    warning: '299 - "old"',
  },
};
const further = Object.entries(more).map(
  ([kind, headers]): Variant => ({
    id: `headers:${kind}`,
    ground: 'which headers an answer has is not said',
    slot: `headers:${kind}`,
    writes: (answer) => ({ ...answer, headers: { ...headers, ...answer.headers } }),
  }),
);

const dispositions = [
  'attachment',
  'Attachment; filename=x.csv',
  "attachment; filename*=UTF-8''a%20b.csv",
  'ATTACHMENT;filename="a;b.csv"',
].map(
  (value): Variant => ({
    id: `disposition:${value}`,
    ground: 'RFC 6266 section 4.2: the type is case-insensitive; the file name is not promised',
    slot: 'disposition',
    writes: (answer) =>
      answer.headers['content-disposition'] === undefined
        ? answer
        : { ...answer, headers: { ...answer.headers, 'content-disposition': value } },
  }),
);

const challenges = [
  'bearer',
  'Bearer realm="x", error="invalid_token"',
  'Negotiate, Bearer',
  'Basic realm="a, b"',
  'Custom a=b',
].map(
  (value): Variant => ({
    id: `challenge:${value}`,
    ground: 'RFC 9110 section 11.6.1: any challenge',
    slot: 'challenge',
    writes: (answer) =>
      answer.status === 401
        ? { ...answer, headers: { ...answer.headers, 'www-authenticate': value } }
        : answer,
  }),
);

const several: Variant = {
  id: 'challenge:two headers',
  ground: 'RFC 9110 section 5.3: a field may stand in several lines',
  slot: 'challenge',
  writes: (answer) =>
    answer.status === 401
      ? { ...answer, headers: { ...answer.headers, 'www-authenticate': ['Bearer', 'Api-Key'] } }
      : answer,
};

// ── the spelling of JSON (RFC 8259) ─────────────────────────────────────────────

const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, reordered(part)]),
  );
};
const spellings: Readonly<Record<string, (value: unknown, text: string) => string>> = {
  'other order of names': (value) => JSON.stringify(reordered(value)),
  'with spaces and lines': (value) => `\r\n\t${JSON.stringify(value, null, 4)}\n\n`,
  escaped: (_, text) =>
    text.replaceAll(/[^ -~]|[/<>&]/g, (sign) =>
      [...Array(sign.length).keys()]
        .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
    ),
  'numbers with a fraction': (_, text) =>
    text.replaceAll(/([[:,])(\d+)(?=[,}\]])/g, (whole, sign, digits, at) =>
      isInText(text, at) ? whole : `${sign}${digits}.0`,
    ),
};
const isInText = (text: string, at: number): boolean =>
  (text.slice(0, at).replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;

const spelt = Object.entries(spellings).map(
  ([kind, spell]): Variant => ({
    id: `spelling:${kind}`,
    ground: 'RFC 8259',
    slot: 'spelling',
    writes: (answer) => {
      const value = isJson(answer) ? parseJson(answer.text) : undefined;
      return value === undefined ? answer : { ...answer, text: spell(value, answer.text) };
    },
  }),
);

export const headerVariants: readonly Variant[] = [
  ...medias,
  ownType,
  csv,
  ...further,
  ...dispositions,
  ...challenges,
  several,
  ...spelt,
];
