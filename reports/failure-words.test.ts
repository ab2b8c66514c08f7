import { describe, expect, test } from 'vitest';
import { matcherNames } from '../conformance/language/matcher.ts';
import { failureWords } from './failure-words.ts';
import { matcherWords } from './matcher-words.ts';

const matchers: readonly [matcher: unknown, words: string][] = [
  ['staging', 'be `staging`'],
  [null, 'be `null`'],
  [[], 'be an empty list'],
  [[{ id: { $min: 1 } }], 'hold 1 item: one that must have an `id` that must be at least `1`'],
  [{ name: 'A', id: { $min: 1 } }, 'have `A` as `name` and have an `id` that must be at least `1`'],
  [{ $type: ['string', 'null'] }, 'be of type `string` or `null`'],
  [{ $matches: '^v' }, 'fit the pattern `^v`'],
  [{ $in: ['a', 'b', 'c'] }, 'be one of `a`, `b` or `c`'],
  [{ $keys: ['error'] }, 'have exactly the fields `error`'],
  [{ $absent: true }, 'be absent'],
  [{ $present: true }, 'be there'],
  [{ $min: 3 }, 'be at least `3`'],
  [{ $max: 3 }, 'be at most `3`'],
  [{ $above: 3 }, 'be above `3`'],
  [{ $below: 3 }, 'be below `3`'],
  [{ $length: 2 }, 'have length 2'],
  [{ $length: { $max: 2 } }, 'have a length that must be at most `2`'],
  [{ $contains: '202' }, 'contain `202`'],
  [{ $contains: { id: 2 } }, 'contain an item that has `2` as `id`'],
  [{ $sameSet: [1, 2] }, 'hold `1` and `2`, in any order'],
  [{ $supersetOf: [1] }, 'hold `1` at least'],
  [{ $disjointFrom: [1, 2] }, 'hold none of `1` or `2`'],
  [{ $unique: 'id' }, 'hold each `id` once only'],
  [{ $sorted: 'descending' }, 'be sorted, descending'],
  [{ $anywhere: 42 }, 'hold, at whatever depth, something that is `42`'],
  [{ $wholeList: true }, 'be a whole list, with no page to follow'],
  [{ $sameTime: { as: 'noon', within: '2s' } }, 'be the time `noon`, give or take 2s'],
  [{ $not: { $contains: '202' } }, 'not contain `202`'],
  [{ $any: [1, { $type: 'string' }] }, 'be `1`, or be of type `string`'],
  [{ $absentOr: 2 }, 'be absent, or be `2`'],
  [{ $every: { $min: 1 } }, 'hold items each of which must be at least `1`'],
];

test.each(matchers)('%j in words', (matcher, words) => {
  expect(matcherWords(matcher)).toBe(words);
});

test('every matcher has words, and none shows its own name', () => {
  const used = JSON.stringify(matchers.map(([matcher]) => matcher));
  expect(matcherNames.filter((name) => !used.includes(`"${name}"`))).toEqual([]);
  for (const [matcher] of matchers) expect(matcherWords(matcher)).not.toContain('$');
});

describe('a failure in one line', () => {
  test.each([
    ['/status', 400, 404, 'answered 404, and must answer 400'],
    [
      '/media',
      { $matches: 'json' },
      '',
      'the media type is missing, and must fit the pattern `json`',
    ],
    ['/status', 'allowed', 401, 'answered 401, and must answer a success (2xx)'],
    [
      '/status',
      [200, { not: '4xx' }],
      404,
      'answered 404, and must answer 200 or anything but 4xx',
    ],
    [
      '/body/data/environments/2/type',
      'staging',
      'development',
      '`type` of item 3 of `data.environments` is `development`, and must be `staging`',
    ],
    [
      '/body/data/environments/2',
      "must have required property 'url'",
      {},
      'item 3 of `data.environments` has no `url`',
    ],
    [
      '/body',
      { $keys: ['error'] },
      {},
      'the body is `{}`, and must have exactly the fields `error`',
    ],
    ['/body/id', 'must be string', null, '`id` is `null`, and must be string'],
    ['/body/durationMs', { $present: true }, 'absent', '`durationMs` is missing'],
    ['/body/parentId', 'absent', 11, '`parentId` is `11`, and must not be there'],
    [
      '/body/updatedRecipients',
      { $length: 1 },
      [],
      '`updatedRecipients` is empty, and must have length 1',
    ],
    ['/list', { $not: { $contains: '202' } }, ['201', '202'], 'the list holds `202`, and must not'],
    ['/list/added', { $min: 1 }, [], 'the list gained no item, and must gain at least `1`'],
    [
      '/body',
      { $not: { $anywhere: { name: 'a', on: false } } },
      { data: 'x'.repeat(100) },
      'the body must not hold, at whatever depth, something that has `a` as `name` and has `false` as `on`',
    ],
    ['/list', { 'not listed': '202' }, ['201', '202'], '`202` is listed'],
    ['/list', { listed: '202' }, ['201'], '`202` is not listed'],
    [
      '/list',
      ['1', '2'],
      ['2', '3'],
      'the list lacks `1` and the list has `3`, which must not be there',
    ],
    ['/list/lost', 0, ['203'], 'the list lost 1 item (`203`), and must lose 0'],
    [
      '/walk/duplicates',
      [],
      ['1', '1'],
      '`duplicates` of the pages together is `["1","1"]`, and must be an empty list',
    ],
    [
      '/csv/rows/0',
      { $contains: 'Login' },
      ['x'],
      'item 1 of `rows` of the export is `["x"]`, and must contain `Login`',
    ],
    ['/that/0', 3, 1, 'the value read is `1`, and must be `3`'],
    [
      '/headers/www-authenticate',
      { $present: true },
      null,
      '`www-authenticate` of the headers is missing',
    ],
    [
      '/headers/www-authenticate',
      { $any: [{ $matches: '^[A-Z]' }, { $type: 'array' }] },
      undefined,
      '`www-authenticate` of the headers is missing',
    ],
    ['/body/count', { $type: 'number' }, null, '`count` is missing, and must be of type `number`'],
    [
      '/partition',
      'each subject in exactly one list',
      ['1 of 2 subjects are in no list'],
      '1 of 2 subjects are in no list',
    ],
  ])('%s', (pointer, expected, actual, words) => {
    expect(failureWords({ pointer, expected, actual })).toBe(words);
  });
});
