/** Type tests of the kit: this file has to compile, and is never run. */
import type { Mock, World } from './index.ts';
import type { operations, paths } from './types.ts';
import { expect, sweep, test } from './vitest.ts';

test('what a test is given', ({ mock, world }) => {
  const given: [Mock, World] = [mock, world];
  return given;
});

test.override({ clock: '2026-01-31T09:30:00Z', seed: 1, fixture: { extends: 'acme' } });
test.override({ assumptions: { 'STAGE-9': 'conflict' } });
// @ts-expect-error a seed is a number
test.override({ seed: '1' });

test('what a matcher takes', ({ world }) => {
  expect(world).toHaveReceived({ operation: 'updateFolder', path: /folders/, body: { name: 'x' } });
  expect(world).not.toHaveChanged({ folders: { 11: { name: 'x' }, 12: null } }, { only: true });
  // @ts-expect-error no such operation
  expect(world).toHaveReceived({ operation: 'dropFolder' });
  // @ts-expect-error no such table
  expect(world).toHaveChanged({ shelves: {} });
});

test(
  'what sweep takes',
  sweep(async ({ world }) => void (await world.fetch('/'))),
);

export type Ids = keyof operations;
export type Path = keyof paths;
export const path: Path = '/api/v1/deployments';
// @ts-expect-error no such operation
export const id: Ids = 'dropFolder';
