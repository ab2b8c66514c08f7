import { expect, test } from 'vitest';
import type { Drift } from '../../conformance/compare/contracts.ts';
import { comparisonText } from './comparison.ts';
import { diffContracts } from './contracts.ts';

const gone: Drift = { kind: 'gone', text: 'GET /a is not there', theirs: '/paths', line: 7 };
const more: Drift = { kind: 'not modelled', text: 'GET /b', theirs: '/paths/~1b/get', line: 9 };

test('what contradicts or is gone fails; what we do not model is only told', () => {
  expect(diffContracts('their.json', [gone, more])).toMatchObject({
    headline: '1 gone, 1 not modelled',
    tone: 'worse',
  });
  expect(diffContracts('their.json', [more]).tone).toBe('changed');
  expect(diffContracts('their.json', []).headline).toBe('no difference');
  const text = comparisonText(diffContracts('their.json', [more]));
  expect(text).toContain('spec/openapi.yaml:9  GET /b\n      theirs: #/paths/~1b/get');
});
