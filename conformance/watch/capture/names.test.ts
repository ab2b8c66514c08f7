import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pseudonyms } from './names.ts';

const names = new Pseudonyms('a key');
const shapeOf = (text: string): string =>
  text.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a').replaceAll(/\d/g, '9');

test('a text keeps its shape, and no letter or digit of a word stays the same', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z1-9 _.-]{1,30}$/), (text) => {
      fc.pre(!/\b(main|master|production|staging|development|dev)\b/i.test(text));
      const made = names.name(text);
      expect(shapeOf(made)).toBe(shapeOf(text));
      for (const [at, sign] of [...text].entries())
        if (/[A-Za-z0-9]/.test(sign)) expect(made[at]).not.toBe(sign);
    }),
  );
});

test('different texts stay different, and another key gives another name', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^\d{1,6}$/),
  );
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(names.id(one) === names.id(other)).toBe(one === other);
      expect(names.name(one) === names.name(other)).toBe(one === other);
    }),
  );
  expect(new Pseudonyms('another').name('Quarterly')).not.toBe(names.name('Quarterly'));
});

test('shared words stay shared, in any case and at any position', () => {
  const made = names.name('Mira');
  expect(names.email('mira.aarhus0@harbour.example')).toContain(`${made.toLowerCase()}.`);
  expect(names.name('Mira at sea').startsWith(`${made} `)).toBe(true);
  expect(names.name('MIRA')).toBe(made.toUpperCase());
});

test('a host gets a reserved name, and machines of one domain stay together', () => {
  const [rest = '', sql = ''] = [names.host('rest.acme.com'), names.host('sql.acme.com')];
  expect(rest).toMatch(/^[a-z]{4}\.[a-z]{3}\.test$/);
  expect(rest).toHaveLength('rest.acme.com'.length);
  expect(rest.split('.').slice(1)).toEqual(sql.split('.').slice(1));
  expect(names.email('a@acme.com').split('@')[1]).toBe(rest.slice('rest.'.length));
});

test('an address loses user, query and path, and keeps the version of an API', () => {
  const made = names.url('https://ana:secret@env-7.acme.com:444/team/v1?token=secret#x') ?? '';
  expect(made).toMatch(/^https:\/\/[a-z]{3}-\d\.[a-z]{3}\.test:444\/[a-z]{4}\/v1$/);
  expect(names.url('mailto:ana@acme.com')).toBeUndefined();
});

test('an id keeps its form: a number or a UUID', () => {
  expect(names.id('7001')).toMatch(/^[1-9]\d{3}$/);
  expect(names.id('1')).toMatch(/^[2-9]$/);
  expect(names.id('0d9f6c1e-77aa-4a51-9d5e-3a4b5c6d7e8f')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  );
  expect(names.hash('4f2c9a1')).toMatch(/^[0-9a-f]{7}$/);
});

test('ids that are given before keep their order, and none of them becomes another', () => {
  const forms = [/^[1-9]\d{0,5}$/, /^[a-zA-Z]{1,3}[-_]?\d{1,4}$/].map((form) =>
    fc.stringMatching(form),
  );
  const lists = [fc.oneof(...forms), fc.uuid()].map((id) => fc.uniqueArray(id));
  const inOrder = (texts: readonly string[]) => texts.toSorted();
  const asNumbers = (texts: readonly string[]) =>
    texts
      .filter((text) => /^\d+$/.test(text))
      .toSorted((one, other) => Number(one) - Number(other));
  fc.assert(
    fc.property(fc.oneof(...lists), (ids) => {
      const kept = new Pseudonyms('a key');
      kept.keepOrder(ids);
      const made = (texts: readonly string[]) => texts.map((text) => kept.id(text));
      expect(inOrder(made(ids))).toEqual(made(inOrder(ids)));
      expect(asNumbers(made(ids))).toEqual(made(asNumbers(ids)));
      expect(new Set(made(ids)).size).toBe(ids.length);
      const form = (text: string) => text.replaceAll(/[0-9a-z]/gi, 'x');
      expect(made(ids).map(form)).toEqual(ids.map(form));
    }),
  );
});

test('an id in a full range stays, and one that is alone never does', () => {
  const kept = new Pseudonyms('a key');
  kept.keepOrder([...'123456789', '7001', '7002', '7050']);
  expect([...'123456789'].map((one) => kept.id(one)).join('')).toBe('123456789');
  const alone = new Pseudonyms('a key');
  alone.keepOrder(['7001', '7002', '7050']);
  expect(alone.id('7001')).toMatch(/^[1-689][1-9]/);
});

test('only a kind that is kept stays', () => {
  const kept = new Pseudonyms('a key', ['names', 'hosts']);
  expect(kept.name('Quarterly')).toBe('Quarterly');
  expect(kept.host('rest.acme.com')).toBe('rest.acme.com');
  expect(kept.email('ana@acme.com')).not.toContain('acme');
});
