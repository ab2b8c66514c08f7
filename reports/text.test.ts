import { describe, expect, test } from 'vitest';
import { visible } from '../spec/base/visible.ts';
import { cut, duration, list, ranges, show } from './text.ts';

describe('visible', () => {
  test('spells out invisible characters', () => {
    expect(visible('a\u001b[2J\u0000\u202eb\ud800\ufffe')).toBe(
      'a\\u{1b}[2J\\u{0}\\u{202e}b\\u{d800}\\u{fffe}',
    );
  });

  test('keeps letters of all scripts, and line ends if asked to', () => {
    expect(visible('Ä 語\tx\ny')).toBe('Ä 語\\tx\\ny');
    expect(visible('Ä 語\tx\ny', 'lines')).toBe('Ä 語\tx\ny');
    expect(visible('\r\nx', 'lines')).toBe('\\u{d}\nx');
  });

  test('takes the meaning from commands to a build service', () => {
    expect(visible('a\n  ::error::b', 'lines')).toBe('a\n  \\u{3a}:error::b');
    expect(visible('x ##[error]y ##vso[task.z]')).toBe('x \\u{23}#[error]y \\u{23}#vso[task.z]');
    expect(visible('## Heading, a::b')).toBe('## Heading, a::b');
  });
});

test('show distinguishes undefined from null and cuts long values', () => {
  expect(show(undefined)).toBe('nothing');
  expect(show(null)).toBe('null');
  expect(show({ a: ['x\n'] })).toBe('{"a":["x\\n"]}');
  expect(show('x'.repeat(400), 10)).toBe('"xxxxxxxxx … (392 more characters)');
});

test('cut never splits a character', () => {
  expect(cut('ab😀cd', 3)).toBe('ab … (4 more characters)');
});

test.each([
  [0, '0 ms'],
  [48.4, '48 ms'],
  [2130, '2.1 s'],
  [30_000, '30 s'],
  [59_970, '1 min 00 s'],
  [184_300, '3 min 04 s'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

test('list joins words and ranges joins neighbouring ids', () => {
  expect(list([])).toBe('');
  expect(list(['a', 'b', 'c'])).toBe('a, b and c');
  expect(ranges(['A-1', 'A-2', 'A-3', 'A-5', 'B-6', 'B-1'])).toBe('A-1 to 3, A-5, B-6, B-1');
  expect(ranges([])).toBe('');
});
