/**
 * Hostile targets: each blocks, floods or misleads its client. Each row of the tables is a name and
 * the way to answer a read. The runner must end with a report, use little memory, and leak no
 * secret.
 */

import type { ServerResponse } from 'node:http';
import { secrets } from '../../conformance/testing/fake-service.ts';

export type Hostile = (response: ServerResponse) => void;

const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };
const mebibyte = 2 ** 20;

/** Sends a text many times, as fast as the reader accepts it. */
function flood(headers: Record<string, string>, piece: string, times: number, end = ''): Hostile {
  const chunk = Buffer.from(piece);
  return (response) => {
    response.writeHead(200, headers);
    let left = times;
    const more = (): void => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', more);
      response.end(end);
    };
    more();
  };
}

const body =
  (text: string, headers: Record<string, string> = json, status = 200): Hostile =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };

const raw =
  (text: string): Hostile =>
  ({ socket }) => {
    socket?.end(text);
  };

let page = 0;

/** Targets that exhaust memory, stack or patience. */
export const exhausting: Readonly<Record<string, Hostile>> = {
  'a body of 300 MB': flood(json, 'x'.repeat(mebibyte), 300),
  'a body of 300 MB that is a list': flood(json, '{},'.repeat(300_000), 333),
  'a body of 31 MB that is a text': flood(csv, 'x'.repeat(mebibyte), 31),
  'a body of 31 MB that grows when it is written': flood(csv, '\u0001'.repeat(mebibyte), 31),
  'a body of 9 MB in small pieces': flood(csv, 'x'.repeat(90), 100_000),
  'a list of two million objects': flood(json, '{},'.repeat(100_000), 20),
  'a CSV of ten million columns': flood(csv, 'a,'.repeat(mebibyte / 2), 20),
  'a CSV of ten million rows': flood(csv, 'a\n'.repeat(mebibyte / 2), 20),
  'a hundred thousand levels of lists': body('['.repeat(100_000) + ']'.repeat(100_000)),
  'a hundred thousand levels of objects': body(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'two hundred levels': body(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`),
  'two hundred thousand fields': body(
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`f${index}`, 1])),
    ),
  ),
  'pages without an end': (response) => {
    const deployments = Array.from({ length: 20 }, () => ({
      ...{ id: String(++page), name: `d${page}`, created_at: '2026-01-01T00:00:00.000Z' },
    }));
    const pagination = { offset: page - 20, limit: 20, total: page + 20 };
    body(JSON.stringify({ data: { deployments }, pagination }))(response);
  },
  'a redirect to itself': body('', { location: '/api/v1/deployments' }, 302),
  'a redirect to elsewhere': body('', { location: 'https://attacker.example/' }, 307),
  'a compressed body': body('\u001f\u008b\u0008', { ...json, 'content-encoding': 'gzip' }),
  'a header without an end': raw(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(mebibyte)}`),
  'no HTTP': raw('nonsense\r\n\r\n'),
  'two lengths': raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
  'a body that ends too soon': raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'),
  'an odd date': body('{}', { ...json, 'retry-after': 'x'.repeat(5000), date: 'never' }, 200),
  prototypes: body('{"__proto__":{"data":1},"constructor":{"prototype":{"data":{}}}}'),
};

const key = secrets.admin;
const escaped = key.replaceAll(
  /./g,
  (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const utf16 = Buffer.from(key, 'utf16le');

/** Common encodings of the administrator's key. Anyone who reads one of them can decode the key. */
export const spellings: Readonly<Record<string, string>> = {
  'with entities': key.replaceAll(/./g, (one) => `&#${one.charCodeAt(0)};`),
  'with hexadecimal entities': key.replaceAll(
    /./g,
    (one) => `&#x${one.charCodeAt(0).toString(16)};`,
  ),
  'with entities that are escaped': key.replaceAll('-', '&amp;#45;'),
  'with a blank for a +': key.replaceAll('-', ' '),
  'as base64 in lines': base64(`u:${key}`).replaceAll(/.{16}/g, '$&\r\n'),
  'as base64 without padding': base64(key).replaceAll('=', ''),
  'as base64 twice': base64(base64(key)),
  'as base64 of user and token, twice': base64(base64(`user:${key}`)),
  'as base64url twice': Buffer.from(Buffer.from(key).toString('base64url')).toString('base64url'),
  'as hexadecimal with colons': Buffer.from(key)
    .toString('hex')
    .replaceAll(/..(?=.)/g, '$&:'),
  'whose end is cut off': `${key.slice(0, -3)} [...]`,
  'as UTF-16': utf16.toString('latin1'),
  'as base64 of UTF-16': utf16.toString('base64'),
  'as hexadecimal of UTF-16': utf16.toString('hex'),
  'that a long text cuts': `${'x'.repeat(1990)}${key}`,
  'that a short text cuts': `${'x'.repeat(275)}${key}`,
};

/** The administrator's key in places in which a normal service would never put it. */
export const echoing: Readonly<Record<string, Hostile>> = {
  ...Object.fromEntries(
    Object.entries(spellings).map(([name, text]) => [name, body(JSON.stringify({ error: text }))]),
  ),
  'in a body': body(JSON.stringify({ error: `${key} is unknown` })),
  'in a key': body(JSON.stringify({ data: { [key]: 1, deployments: [{ [key]: key }] } })),
  'in an id': body(
    JSON.stringify({ data: { deployments: [{ id: key, name: key }] }, pagination: { total: 1 } }),
  ),
  'with JSON escapes': body(`{"error":"${escaped}"}`),
  'with JSON escapes in a key': body(`{"data":{"${escaped}":1}}`),
  'percent-encoded': body(JSON.stringify({ error: key.replaceAll('-', '%2D') })),
  'as base64': body(JSON.stringify({ error: base64(key) })),
  'as base64 of user and token': body(JSON.stringify({ error: base64(`user:${key}`) })),
  'as hexadecimal': body(JSON.stringify({ error: Buffer.from(key).toString('hex') })),
  'in upper case': body(JSON.stringify({ error: key.toUpperCase() })),
  'in headers': body('{}', {
    ...{ link: `</x?key=${key}>; rel=next`, [`x-${key}`]: '1', 'x-basic': base64(`u:${key}`) },
    'content-type': `application/json; of=${key}`,
  }),
  'in a redirect': body('', { location: `https://attacker.example/${key}` }, 302),
  'in a refusal that is not JSON': body(`<p>${key}</p>`, { 'content-type': 'text/html' }, 400),
  'in an answer of a gateway': body(key, {}, 502),
  'in a status line': raw(`HTTP/1.1 200 ${key}\r\ncontent-length: 2\r\n\r\n{}`),
  'in a broken header': raw(`HTTP/1.1 200 OK\r\n${key}\r\n\r\n{}`),
};

/** Texts that contain commands for a terminal or a build service. */
export const speaking: Readonly<Record<string, Hostile>> = {
  'to a terminal': body(JSON.stringify({ '\u001b[2J\u009b1m': '\u202etxt.exe' })),
  'to a build service': body(
    JSON.stringify({ '\n::error::owned': '\n::add-mask::x', '##[error]owned': '##vso[task.x]' }),
  ),
};
