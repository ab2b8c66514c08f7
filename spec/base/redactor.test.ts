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
  ['as hexadecimal', hex(secret), '<{admin}>'],
  ['as hexadecimal in upper case', hex(secret).toUpperCase(), '<{admin}>'],
  ['behind a percent sign', `%${secret}`, '<%{admin}>'],
  ['behind an escape', `\\n${secret}`, '<\\n{admin}>'],
  ['twice', secret + secret, '<{admin}{admin}>'],
  ['overlapping with itself', secret.slice(0, 9) + secret, `<${secret.slice(0, 9)}{admin}>`],
])('a secret %s', (_name, text, hidden) => {
  // A base64 character that holds bits of what stands beside the secret may be left.
  expect(redactor.text(`<${text}>`).replace(/(\})[\w=+/-]{1,3}>$/, '$1>')).toBe(hidden);
});

test.each(['', 'nothing to hide', '100%', '\\', '{"a":"\\\\n\\u00e9"}', 'LK_ADMIN', '%%%zz'])(
  'what holds no secret stays: %j',
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

test('of a token that was minted only the signature goes', () => {
  const own = new Redactor();
  const token = `${base64('{"alg":"EdDSA"}')}.${base64('{"sub":"xy"}')}.c2lnbmF0dXJlLW9mLWEtdG9rZW4`;
  expect(own.text(`token ${token}, and more`)).toBe(
    `token ${token.replace(/[^.]+$/, 'redacted')}, and more`,
  );
  own.addMinted({ data: { token: 'opaque-token-1' } });
  expect(own.text('OPAQUE-TOKEN-1')).toBe('redacted');
});

/** Megabytes of what a pattern with a flaw would be slow on. */
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

test.each(Object.entries(hostile))('time grows with length alone: %s', (_name, text) => {
  const size = 2 * 2 ** 20;
  const start = performance.now();
  redactor.text(text.repeat(size / text.length));
  // On a quiet machine a fifth of a second; a search that is quadratic takes many minutes.
  expect(performance.now() - start).toBeLessThan(20_000);
});
