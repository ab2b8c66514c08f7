import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as mock from './mock.ts';
import * as msw from './msw.ts';
import * as testcontainers from './testcontainers.ts';
import * as vitest from './vitest.ts';
import * as reporter from './vitest-reporter.ts';

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly exports: object };

/** Users import these names. Removing one breaks their code. */
test('the package exports these names', () => {
  expect(Object.keys(manifest.exports)).toEqual([
    './mock',
    './vitest',
    './vitest/reporter',
    './msw',
    './testcontainers',
    './types',
    './schemas/fixture.schema.json',
    './schemas/*.schema.json',
    './package.json',
  ]);
  expect(Object.keys(mock).sort()).toEqual([
    'RemoteMock',
    'createMock',
    'createService',
    'dispatcherOf',
    'lossPhases',
    'paginationAdversary',
    'startMock',
  ]);
  expect(Object.keys(vitest).sort()).toEqual(['expect', 'sweep', 'test']);
  expect(Object.keys(testcontainers).sort()).toEqual([
    'ControlError',
    'LockstepContainer',
    'RemoteMock',
    'StartedLockstepContainer',
  ]);
  expect(Object.keys(msw)).toEqual(['handlersOf']);
  expect(Object.keys(reporter)).toEqual(['default']);
});
