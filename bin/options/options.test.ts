import { expect, test } from 'vitest';
import { lockstep } from '../../mock/testing/program.ts';
import { alias, atLeastOne, integer, origin, path, port, processNumber, words } from './options.ts';

test.for([
  [integer, '1.5', 'A whole number was expected.'],
  [atLeastOne, '0', 'A whole number of at least 1 was expected.'],
  [port, '65536', 'A port is at most 65535.'],
  [processNumber, '1000', 'A process is a number from 0 to 999.'],
  [path, 'foo', 'The path of a finding was expected, such as 3:0:1~AB:F.'],
  [path, '3:0,4', 'The path of a finding was expected, such as 3:0:1~AB:F.'],
  [words, ',', 'A list with commas was expected.'],
  [alias, 'count=x', 'unitCount=NAME was expected.'],
] as const)('%o refuses %s', ([read, text, message]) => {
  expect(() => read(text)).toThrow(message);
});

test('an option takes numbers within its limits', () => {
  expect([port('0'), processNumber('999'), atLeastOne('7')]).toEqual([0, 999, 7]);
  expect(['3', '3:0:1~AB:F'].map(path)).toEqual(['3', '3:0:1~AB:F']);
  expect(words('a,,b')).toEqual(['a', 'b']);
  expect(origin('http://localhost:5173', ['https://a.example'])).toEqual([
    'https://a.example',
    'http://localhost:5173',
  ]);
});

test.for(['certify --shard 1/2', 'merge one two --out both'])(
  '%s ends 2 and says what to do instead',
  async (words) => {
    const { code, stderr } = await lockstep(words.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain('give each tenant a job of its own');
  },
);
