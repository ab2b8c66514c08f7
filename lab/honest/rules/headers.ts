/** Headers, media types and the spelling of JSON. */
import type { WireResponse } from '../../../conformance/target/target.ts';
import { isObject, parseJson } from '../../../spec/base/json.ts';
import { each, replies, type Variant } from '../variant.ts';

const typeOf = ({ headers }: WireResponse): string => String(headers['content-type'] ?? '');
const essence = (type: string): string => type.split(';')[0] ?? '';

/** Changes the value of a header that an answer has. */
const changes =
  (name: string, change: (old: string) => string | readonly string[]) =>
  (answer: WireResponse): WireResponse => {
    const old = answer.headers[name];
    if (typeof old !== 'string') return answer;
    return { ...answer, headers: { ...answer.headers, [name]: change(old) } };
  };

const media: Readonly<Record<string, (old: string) => string>> = {
  'no charset': essence,
  'charset in capitals': (old) => `${essence(old)};charset=UTF-8`,
  'charset in quotes': (old) => `${essence(old)}; charset="utf-8"`,
  'other parameters': (old) => `${old}; profile="https://x.example/a;b"; v=1`,
  'in capitals': (old) => essence(old).toUpperCase(),
  // RFC 7644 section 3.1 allows it as well.
  'SCIM as plain JSON': (old) => (old.includes('scim') ? 'application/json' : old),
  // RFC 4180 section 3.
  'CSV with a header parameter': (old) => (old.includes('csv') ? 'text/csv; header=present' : old),
};

/** The description gives `application/json` only for the dbt sync result. */
const ownTypes = each(
  { rule: 'media', ground: 'SVC-21', slot: 'media' },
  { 'a type of its own': 'application/vnd.tenant+json', none: undefined },
  (own) => ({
    does: replies((reply, { operation }) => {
      const { 'content-type': type = '', ...headers } = reply.headers;
      if (operation.id === 'getDbtSyncResult' || essence(type) !== 'application/json')
        return undefined;
      return {
        ...reply,
        headers: own === undefined ? headers : { ...headers, 'content-type': own },
      };
    }),
  }),
);

const further: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'of a cache': { etag: 'W/"1"', 'cache-control': 'private', vary: 'Accept-Encoding' },
  'of a gateway': { via: '1.1 proxy', 'x-ratelimit-remaining': '0', 'retry-after': '120' },
  'of a session': { 'set-cookie': 'sid=1; Secure; HttpOnly' },
  'of links': { link: '</next>; rel="next"', location: '/elsewhere', warning: '299 - "old"' },
  'of a host': {
    ...{ 'strict-transport-security': 'max-age=1', 'accept-ranges': 'bytes', server: 'x' },
    ...{ 'content-language': 'de, fr', 'x-content-type-options': 'nosniff', age: '86400' },
  },
  'of a version that ends': {
    deprecation: '@1735689600',
    sunset: 'Thu, 01 Jan 2026 00:00:00 GMT',
  },
  'of a clock that is wrong': { date: 'Thu, 01 Jan 2015 00:00:00 GMT' },
};

const dispositions = [
  'attachment',
  'Attachment; filename=x.csv',
  "attachment; filename*=UTF-8''a%20b.csv",
  'ATTACHMENT;filename="a;b.csv"',
];
const challenges = [
  'bearer',
  'Bearer realm="x", error="invalid_token"',
  'Negotiate, Bearer',
  'Basic realm="a, b"',
  'Custom a=b',
];

const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, part]) => [name, reordered(part)]);
  return Object.fromEntries(fields.toReversed());
};
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const spellings: Readonly<Record<string, (value: unknown) => string>> = {
  'other order of names': (value) => JSON.stringify(reordered(value)),
  'with spaces and lines': (value) => `\r\n\t${JSON.stringify(value, null, 4)}\n\n`,
  escaped: (value) =>
    JSON.stringify(value).replaceAll(/[^ -~]|[/<>&]/gu, (sign) =>
      sign.split('').map(escaped).join(''),
    ),
  // RFC 8259 section 8.1: a reader may ignore the mark.
  'with a byte order mark': (value) => `\ufeff${JSON.stringify(value)}`,
  'whole numbers as 1.0': (value) => numbersAs(value, (digits) => `${digits}.0`),
  'whole numbers as 1.0E0': (value) => numbersAs(value, (digits) => `${digits}.0E0`),
};
const numbersAs = (value: unknown, spell: (digits: string) => string): string =>
  JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) =>
    /^-?\d{1,15}$/.test(part) ? spell(part) : part,
  );

export const headerVariants: readonly Variant[] = [
  ...each(
    { rule: 'media', ground: 'SVC-21; RFC 9110 section 8.3', slot: 'media' },
    media,
    (type) => ({
      writes: changes('content-type', type),
    }),
  ),
  ...ownTypes,
  ...each({ rule: 'headers', ground: 'SVC-22, SVC-13' }, further, (headers) => ({
    writes: (answer) => ({ ...answer, headers: { ...headers, ...answer.headers } }),
  })),
  ...each(
    { rule: 'disposition', ground: 'RFC 6266 section 4.2: the type is read in any letters' },
    dispositions,
    (value) => ({ slot: 'disposition', writes: changes('content-disposition', () => value) }),
  ),
  ...each({ rule: 'challenge', ground: 'RFC 9110 section 11.6.1' }, challenges, (value) => ({
    slot: 'challenge',
    writes: changes('www-authenticate', () => value),
  })),
  {
    id: 'challenge:two headers',
    ground: 'RFC 9110 section 5.3: a field may come in several lines',
    slot: 'challenge',
    writes: changes('www-authenticate', () => ['Bearer', 'Api-Key']),
  },
  ...each({ rule: 'spelling', ground: 'RFC 8259', slot: 'spelling' }, spellings, (spell) => ({
    writes: (answer) => {
      const value = typeOf(answer).includes('json') ? parseJson(answer.text) : undefined;
      return value === undefined ? answer : { ...answer, text: spell(value) };
    },
  })),
];
