import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

const secret = 'lk_Admin/9xYz+Q1w2E3r4T5y6-u7';
const redactor = new Redactor();
redactor.add(secret, '{admin}');
redactor.add('another-secret-of-many-digits-1234567890', '{member}');

const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const escaped = (text: string): string =>
  text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percent = (text: string): string => text.replaceAll(/./g, (one) => `%${hex(one)}`);

const entity = (text: string, radix = 10): string =>
  text.replaceAll(
    /./g,
    (one) => `&#${radix === 16 ? 'x' : ''}${one.charCodeAt(0).toString(radix)};`,
  );

test.each<[string, string, string]>([
  ['as it is', secret, '<{admin}>'],
  ['in upper case', secret.toUpperCase(), '<{admin}>'],
  ['in lower case', secret.toLowerCase(), '<{admin}>'],
  ['with JSON escapes', escaped(secret), '<{admin}>'],
  ['with one of them', secret.replace('A', '\\u0041'), '<{admin}>'],
  ['with escaped slashes', secret.replaceAll('/', '\\/'), '<{admin}>'],
  ['as JSON within JSON', JSON.stringify(escaped(secret)), '<"{admin}">'],
  ['percent-encoded', encodeURIComponent(secret), '<{admin}>'],
  ['wholly percent-encoded', percent(secret), '<{admin}>'],
  ['percent-encoded twice', encodeURIComponent(percent(secret)), '<{admin}>'],
  ['as base64', base64(secret), '<{admin}>'],
  ['as base64 of user:token', base64(`user:${secret}`), '<dXNlcjp{admin}>'],
  ['as base64 of us:token', base64(`us:${secret}`), '<dXM6{admin}>'],
  ['as base64url', Buffer.from(`u:${secret}`).toString('base64url'), '<dTp{admin}>'],
  ['with the `+` of its base64 as a blank', 'lk_Admin/9xYz Q1w2E3r4T5y6-u7', '<{admin}>'],
  ['with white space within', secret.replace('9', '\r\n 9'), '<{admin}>'],
  ['with entities', entity(secret), '<{admin}>'],
  ['with hexadecimal ones', entity(secret, 16), '<{admin}>'],
  [
    'with entities, percent-encoded, in JSON',
    JSON.stringify(encodeURIComponent(entity(secret))),
    '<"{admin}">',
  ],
  ['with entities as Go writes them', entity(secret).replaceAll('&', '\\u0026'), '<{admin}>'],
  [
    'with names of characters',
    secret.replaceAll('_', '&UnderBar;').replaceAll('+', '&plus;'),
    '<{admin}>',
  ],
  [
    'with entities that have no end',
    secret.replace('+', '&#43').replace('_', '&#0095;'),
    '<{admin}>',
  ],
  ['as base64 in short lines', base64(secret).replaceAll(/.{9}/g, '$&\r\n'), '<{admin}>'],
  ['as base64 without padding', base64(secret).replace(/=+$/, ''), '<{admin}>'],
  ['as base64 twice', base64(base64(secret)), '<{admin}>'],
  ['as base64url twice', base64(Buffer.from(secret).toString('base64url')), '<{admin}>'],
  ['as UTF-16', Buffer.from(secret, 'utf16le').toString('latin1'), '<{admin}\0>'],
  ['as base64 of UTF-16', Buffer.from(secret, 'utf16le').toString('base64'), '<{admin}>'],
  ['as hexadecimal of UTF-16', Buffer.from(secret, 'utf16le').toString('hex'), '<{admin}>'],
  ['that was cut', `${secret.slice(0, 20)}...`, '<{admin}...>'],
  [
    'that was cut in another way',
    `${secret.slice(0, 20)} … (9 more characters)`,
    '<{admin} … (9 more characters)>',
  ],
  ['of which the end was cut', `${secret.slice(0, -3)} [...]`, '<{admin} [...]>'],
  ['as base64 that was cut', `${base64(secret).slice(0, 20)}...`, '<{admin}...>'],
  ['as hexadecimal', hex(secret), '<{admin}>'],
  ['as hexadecimal with colons', hex(secret).replaceAll(/..(?=.)/g, '$&:'), '<{admin}>'],
  ['as hexadecimal in upper case', hex(secret).toUpperCase(), '<{admin}>'],
  ['after a percent sign', `%${secret}`, '<%{admin}>'],
  ['after an escape', `\\n${secret}`, '<\\n{admin}>'],
  ['twice', secret + secret, '<{admin}{admin}>'],
  ['overlapping with itself', secret.slice(0, 9) + secret, `<${secret.slice(0, 9)}{admin}>`],
])('a secret %s', (_name, text, hidden) => {
  // A base64 character may be left if it also holds bits of the text next to the secret.
  expect(redactor.text(`<${text}>`).replace(/(\})[\w=+/-]{1,6}>$/, '$1>')).toBe(hidden);
});

test.each(['', 'nothing to hide', '100%', '\\', '{"a":"\\\\n\\u00e9"}', 'LK_ADMIN', '%%%zz'])(
  'a text without a secret stays: %j',
  (text) => {
    expect(redactor.text(text)).toBe(text);
  },
);

test('JSON stays JSON, with secrets in keys and values', () => {
  const value = { [secret]: [`a\n${secret}`, escaped(secret), { deep: `\\${secret}` }] };
  expect(JSON.parse(redactor.json(value))).toEqual({
    '{admin}': ['a\n{admin}', '{admin}', { deep: '{admin}' }],
  });
  expect(redactor.value({ [secret]: [1, null, secret] })).toEqual({
    '{admin}': [1, null, '{admin}'],
  });
});

test('blanks, line ends and padding at the end of a variable are not secret', () => {
  for (const end of [' ', '\n', '==']) {
    const own = new Redactor();
    own.add(`a-key-of-somebody${end}`, '{admin}');
    expect(own.text('<a-key-of-somebody>')).toBe('<{admin}>');
    expect(own.text(`<${base64('a-key-of-somebody')}>`)).toMatch(/^<\{admin\}/);
  }
});

test('a value is redacted before it is cut', () => {
  expect(redactor.shown({ id: secret })).toEqual({ id: '{admin}' });
  expect(String(redactor.shown(`${'x'.repeat(1990)}${secret}`))).not.toContain('lk_');
});

test.each([
  ['data', 'the data of a page', '{admin}'],
  ['Data ', '{"data":[]}', '{admin}'],
  ['data', 'metadata', undefined],
  ['a-key-of-somebody', 'the data of a page', undefined],
])('a secret is found as a word of a text: %j in %s', (word, text, label) => {
  const own = new Redactor();
  own.add(word, '{admin}');
  expect(own.addWords(text)).toBe(label);
});

test.each([
  // Parts of other words, without the secret's own separator.
  ['listScimUsers', 'listScimUsers'],
  ['it has not expired', 'it has not expired'],
  ['of target SCIM', 'of target SCIM'],
  // The secret itself, in any place and any spelling.
  ['list-scimUsers', 'lis{scim}Users'],
  ['ist%2Dscims', 'is{scim}s'],
  ['xT-S\\n CIMx', 'x{scim}x'],
  ['a t-\ns cim, and T SCIM.', 'a {scim}, and {scim}.'],
  [`<${base64('t-scim')}>`, '<{scim}>'],
])('a secret that consists of letters is not found in other words: %j', (text, shown) => {
  const own = new Redactor();
  own.add('t-scim', '{scim}');
  own.add('t-expired', '{expired}');
  expect(own.text(text)).toBe(shown);
});

test('an answer of many tokens takes little memory', () => {
  const own = new Redactor();
  const before = process.memoryUsage().heapUsed;
  own.addMinted(Array.from({ length: 20_000 }, (_, index) => ({ token: `token-${index}` })));
  own.text('token-1 '.repeat(100_000));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 2 ** 20);
});

test('only the signature of a minted token is removed', () => {
  const own = new Redactor();
  const token = `${base64('{"alg":"EdDSA"}')}.${base64('{"sub":"xy"}')}.c2lnbmF0dXJlLW9mLWEtdG9rZW4`;
  expect(own.text(`token ${token}, and more`)).toBe(
    `token ${token.replace(/[^.]+$/, 'redacted')}, and more`,
  );
  own.addMinted({ data: { token: 'opaque-token-1' } });
  expect(own.text('OPAQUE-TOKEN-1')).toBe('redacted');
});

test.each(['exitCode', 'EXITCODE', 'exit%43ode', 'verified', '</td><td>', 'testcase', 'folders/'])(
  'a target cannot choose a word that a report omits: %s',
  (word) => {
    const own = new Redactor();
    own.addWords('{"exitCode":0,"path":"/folders/11"}');
    own.addMinted({ token: word, tokens: [{ word }] });
    const report = `<td>${word}</td><td>verified: exitCode</td><testcase/>`;
    expect(own.text(report)).toBe(report);
    expect(own.holds(report)).toBe(false);
  },
);

/** Megabytes of text on which a bad pattern would be slow. */
const hostile: Readonly<Record<string, string>> = {
  'a secret without its end': secret.slice(0, -1),
  'a secret over and over': secret,
  backslashes: '\\',
  'percent signs': '%',
  'percent signs, encoded': '%25',
  escapes: '\\u006c',
  'beginnings of tokens': '-eyJ',
  'beginnings of tokens in one word': 'eyJ',
  'parts of tokens': 'eyJabcdefgh.',
  dots: '.',
};

test.each(Object.entries(hostile))('time grows only with length: %s', (_name, text) => {
  const size = 2 * 2 ** 20;
  const start = performance.now();
  redactor.text(text.repeat(size / text.length));
  // It takes a fifth of a second on a quiet machine; a quadratic search would take many minutes.
  expect(performance.now() - start).toBeLessThan(20_000);
});
