/**
 * The kit for vitest: a `test` whose `world` is fresh each time, matchers about what a world received
 * and how it changed, and `sweep`. One mock serves all tests of a worker, in-process.
 *
 * ```ts
 * import { expect, test } from 'lockstep/vitest';
 *
 * test('renames a folder', async ({ world }) => {
 *   await rename({ fetch: world.fetch, folder: 11, name: 'Budget' });
 *   expect(world).toHaveReceived({ operation: 'updateFolder', status: 200, times: 1 });
 *   expect(world).toHaveChanged({ folders: { 11: { name: 'Budget' } } });
 * });
 * ```
 */
import { test as base, expect, inject, type MatcherState, type TestAPI } from 'vitest';
import { type Coverage, CoverageCount } from '../world/coverage.ts';
import { type ChangeOptions, changed, type ExpectedChanges } from './changed.ts';
import type { Swept } from './coverage.ts';
import {
  type AssumptionChoices,
  createMock,
  type FixtureName,
  type Mock,
  type World,
} from './index.ts';
import { type ExpectedRequest, type MatcherResult, received } from './received.ts';
import { sweepBody, sweptIn } from './sweep.ts';

export type { ChangeOptions, ExpectedChanges } from './changed.ts';
export type { ExpectedRequest } from './received.ts';
export { expect };

/** Override any of the last four with `test.override({ clock: '2026-01-31T09:30:00Z' })`. */
export interface Fixtures {
  /** The worker's mock. */
  readonly mock: Mock;
  /** A world of the test's own. */
  readonly world: World;
  /** What the world starts from: a bundled fixture, a file, or the fixture itself. */
  readonly fixture: FixtureName | FixtureObject | undefined;
  /** ISO 8601: the time at which the world's clock stands still. */
  readonly clock: string | undefined;
  readonly seed: number | undefined;
  /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`. */
  readonly assumptions: AssumptionChoices | undefined;
}

/** A fixture as a fixture file has it. */
export type FixtureObject = { readonly [section: string]: unknown } & (
  | { readonly deployments: readonly object[] }
  | { readonly extends: string }
);

export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  mock: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs off its pattern
    async ({}, use) => {
      await using mock = await createMock();
      await use(mock);
    },
    { scope: 'worker' },
  ],
  fixture: undefined,
  clock: undefined,
  seed: undefined,
  assumptions: undefined,
  world: async ({ mock, fixture, clock, seed, assumptions, task, onTestFailed }, use) => {
    using world = await mock.createWorld({ fixture, clock, seed, assumptions });
    const count = new CoverageCount();
    world.requests.subscribe((entry) => count.add(entry, world.assumptions));
    // vitest shows an error's message under FAIL, far below of what a test prints.
    onTestFailed(({ task: failed }) => void world.explain(failed.result?.errors?.[0]));
    await use(world);
    if (inject('lockstepCoverage') === true) {
      task.meta.lockstep = { coverage: count.toCoverage(), swept: sweptIn(world) };
    }
  },
});

/**
 * A test that runs once under what the mock assumes, and then once under each alternative of every
 * silence that its answers rested on, in a fresh world each time: `test('...', sweep(async ({ world })
 * => { ... }))`. The failures of all are reported together.
 */
export function sweep(
  body: (context: { readonly world: World }) => unknown,
): (context: Fixtures) => Promise<void> {
  return ({ mock, world, fixture, clock, seed, assumptions }) =>
    sweepBody(mock, world, { fixture, clock, seed, assumptions }, (one) => body({ world: one }));
}

expect.extend({
  toHaveReceived(this: MatcherState, world: unknown, expected: ExpectedRequest): MatcherResult {
    return received(asWorld(world), expected, comparer(this));
  },
  toHaveChanged(
    this: MatcherState,
    world: unknown,
    expected?: ExpectedChanges,
    options: ChangeOptions = {},
  ): MatcherResult {
    return changed(asWorld(world), expected, options, comparer(this));
  },
});

function comparer({ equals, utils, customTesters }: MatcherState) {
  return (actual: unknown, expected: unknown): boolean =>
    equals(actual, expected, [...customTesters, utils.iterableEquality, utils.subsetEquality]);
}

function asWorld(value: unknown): World {
  const isWorld =
    typeof value === 'object' && value !== null && 'requests' in value && 'state' in value;
  if (!isWorld) throw new TypeError('this matcher is about a world, as in expect(world)');
  return value as World;
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> {
    /** The world has received such a request, as often as `times` says, or at least once. */
    toHaveReceived(expected: ExpectedRequest): R;
    /** The world's state has changed since its start: `{ folders: { 11: { name: 'x' } } }`. */
    toHaveChanged(expected?: ExpectedChanges, options?: ChangeOptions): R;
  }
  interface TaskMeta {
    lockstep?: { readonly coverage: Coverage; readonly swept: Swept };
  }
  interface ProvidedContext {
    /** Set by `lockstep/vitest/reporter`: tests hand their coverage on to it. */
    lockstepCoverage?: true;
  }
}
