import { expect, test } from 'vitest';
import type { Drift } from '../../conformance/compare/contracts.ts';
import { comparisonText } from './comparison.ts';
import { diffContracts } from './contracts.ts';

const about = { operation: 'listA', statements: ['PAGE-1', 'PAGE-2', 'PAGE-3'] };
const gone: Drift = {
  kind: 'gone',
  text: 'GET /a is not there',
  theirs: '/paths',
  line: 7,
  ...about,
};
const more: Drift = {
  kind: 'not modelled',
  text: 'GET /b',
  theirs: '/paths/~1b/get',
  line: 9,
  operation: undefined,
  statements: [],
};

test('a contradiction or a removal fails; a part that we do not model is only listed', () => {
  expect(diffContracts('their.json', [gone, more])).toMatchObject({
    headline: '1 gone, 1 not modelled',
    tone: 'worse',
  });
  expect(diffContracts('their.json', [more]).tone).toBe('changed');
  expect(diffContracts('their.json', []).headline).toBe('no difference');
  const text = comparisonText(diffContracts('their.json', [more]));
  expect(text).toContain('spec/openapi.yaml:9  GET /b\n      theirs: #/paths/~1b/get');
});

test('a difference says which statements it touches, and which scenarios would fail', () => {
  const files = Array.from({ length: 10 }, (_, index) => `lists/${index}.yaml`);
  const text = comparisonText(diffContracts('their.json', [gone, more], () => files));
  expect(text).toContain('touches PAGE-1 to 3');
  expect(text).toContain('would fail: lists/0.yaml, lists/1.yaml');
  expect(text).toContain('2 more');
  expect(text.match(/would fail/g)).toHaveLength(1);
});
