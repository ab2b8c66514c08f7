/**
 * The kit for vitest: a `test` whose `world` is fresh each time, matchers about the requests
 * and the changes of a world, and `sweep`. One mock serves all tests of a worker, in-process.
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
import {
  afterAll,
  test as base,
  expect,
  inject,
  type MatcherState,
  type TestAPI,
  type TestContext,
} from 'vitest';
import { assumptionsOf } from '../service/profile.ts';
import { type Coverage, CoverageCount, everywhere } from '../world/coverage.ts';
import type { TableName } from '../world/rows.ts';
import type { Maybe } from './any-world.ts';
import { type ChangeOptions, changed, type ExpectedChanges } from './changed.ts';
import { addSwept, everySweep, type Swept } from './coverage.ts';
import {
  type AssumptionChoices,
  createMock,
  type FixtureName,
  type Mock,
  type RemoteWorld,
  type World,
  type WorldRequests,
} from './index.ts';
import { type ExpectedRequest, type MatcherResult, received } from './received.ts';
import { FAILS_UNDER } from './sweep.ts';

export type { ChangeOptions, ExpectedChanges } from './changed.ts';
export type { ExpectedRequest } from './received.ts';
export { expect };

/** Override any of the last six with `test.override({ clock: '2026-01-31T09:30:00Z' })`. */
export interface Fixtures {
  /** The worker's mock. */
  readonly mock: Mock;
  /** A world of the test's own. */
  readonly world: World;
  /** The start of the world: a bundled fixture, a file, or the fixture itself. */
  readonly fixture: FixtureName | FixtureObject | undefined;
  /** ISO 8601: the frozen time of the world. */
  readonly clock: string | undefined;
  readonly seed: number | undefined;
  /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`. */
  readonly assumptions: AssumptionChoices | undefined;
  /** A file of choices, such as the profile of a tenant that `certify` wrote. */
  readonly profile: string | undefined;
  /** Refuses requests that the description does not know, as `lockstep mock --strict` does. */
  readonly strict: boolean | undefined;
}

/** A fixture as a fixture file has it. */
export type FixtureObject = { readonly [section: string]: unknown } & (
  | { readonly deployments: readonly object[] }
  | { readonly extends: string }
);

export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  mock: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest finds the needs of a fixture in its pattern
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
  profile: undefined,
  strict: undefined,
  world: async (
    { mock, fixture, clock, seed, assumptions, profile, strict, onTestFailed },
    use,
  ) => {
    const choices = await assumptionsOf({ profile, strict, assumptions });
    using world = await mock.createWorld({ fixture, clock, seed, assumptions: choices });
    // vitest shows an error's message under FAIL, far below the output of the test.
    onTestFailed(({ task: failed }) => {
      const error = failed.result?.errors?.[0];
      // A sweep has already explained the failed run, which may not be the last run.
      if (!error?.message.includes(FAILS_UNDER)) world.explain(error);
    });
    await use(world);
  },
});

/**
 * A test that runs once under the mock's assumptions, and then once under each alternative of every silence
 * that its answers rested on: `test('...', sweep(async ({ world }) => { ... }))`. Each run starts from the
 * first state of the world. One error reports the failures of all runs. The test gets the fixtures of any
 * test. `More` types your own fixtures: `sweep<{ client: Client }>(async ({ client }) => { ... })`. They must
 * use the `world` of `lockstep/vitest`.
 */
export function sweep<More extends object = object>(
  body: (context: TestContext & Fixtures & More) => unknown,
): (context: TestContext & Fixtures & More) => Promise<void> {
  const swept = async (context: TestContext & Fixtures & More): Promise<void> => {
    const { world } = context as Partial<Fixtures>;
    if (world === undefined) {
      throw new TypeError(
        'a sweep is of a test that is given the world, as in sweep(({ world }) => ...)',
      );
    }
    const { ok, text, findings } = await world.sweep(() => body(context));
    if (!ok) throw new Error(text, { cause: findings[0]?.error });
  };
  // vitest finds the fixtures that a test needs in the text of its function.
  return Object.assign(swept, { toString: () => body.toString() });
}

// With the reporter this file also runs before each test file, even before those that import no kit.
if (inject('lockstepCoverage') === true) {
  everywhere.lockstepCoverage ??= new CoverageCount();
  // biome-ignore lint/correctness/noEmptyPattern: vitest finds the needs of a hook in its pattern
  afterAll(({}, { file }) => handOn(file.meta));
}

/** Sends the counts since the last call. */
function handOn(meta: { lockstep?: CoverageMeta }): void {
  const count = everywhere.lockstepCoverage ?? new CoverageCount();
  const { lockstepSwept } = everySweep;
  everywhere.lockstepCoverage = new CoverageCount();
  delete everySweep.lockstepSwept;
  if (meta.lockstep !== undefined) count.merge(meta.lockstep.coverage);
  meta.lockstep = {
    coverage: count.toCoverage(),
    swept: addSwept(meta.lockstep?.swept, lockstepSwept),
  };
}

interface CoverageMeta {
  readonly coverage: Coverage;
  readonly swept: Swept;
}

expect.extend({
  toHaveReceived(this: MatcherState, given: unknown, expected: ExpectedRequest) {
    const { credentials, requests } = asWorld(given);
    const fits = comparer(this);
    const { lost } = requests as Partial<WorldRequests>;
    return both(requests.list(), requests.dropped, (entries, dropped) =>
      received({ credentials, entries, dropped, lost }, expected, fits, this.isNot),
    );
  },
  toHaveChanged(
    this: MatcherState,
    given: unknown,
    expected?: ExpectedChanges,
    options: ChangeOptions = {},
  ) {
    const world = asWorld(given);
    const { state } = world as Partial<World>;
    const keysOf = state && ((table: TableName) => [...state.base.tables[table].keys()]);
    const fits = comparer(this);
    return both(world.changes(), keysOf, (changes) =>
      changed({ changes, keysOf }, expected, options, fits),
    );
  },
});

/** Judges at once, or later if one of the values is a promise. */
function both<One, Other>(
  one: Maybe<One>,
  other: Maybe<Other>,
  judge: (one: One, other: Other) => MatcherResult,
): Maybe<MatcherResult> {
  if (!(one instanceof Promise) && !(other instanceof Promise)) return judge(one, other);
  return Promise.all([one, other]).then(([first, second]) => judge(first, second));
}

function comparer({ equals, utils, customTesters }: MatcherState) {
  return (actual: unknown, expected: unknown): boolean =>
    equals(actual, expected, [...customTesters, utils.iterableEquality, utils.subsetEquality]);
}

function asWorld(value: unknown): World | RemoteWorld {
  const isWorld =
    typeof value === 'object' && value !== null && 'requests' in value && 'changes' in value;
  if (!isWorld) throw new TypeError('this matcher is about a world, as in expect(world)');
  return value as World | RemoteWorld;
}

/** If the world is in another process, await the assertion. */
type Asserted<Result, Subject> = Subject extends RemoteWorld ? Promise<void> : Result;

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> {
    /** The world has received such a request, as often as `times` says, or at least once. */
    toHaveReceived(expected: ExpectedRequest): Asserted<R, T>;
    /** The world's state has changed since its start: `{ folders: { 11: { name: 'x' } } }`. */
    toHaveChanged(expected?: ExpectedChanges, options?: ChangeOptions): Asserted<R, T>;
  }
  interface TaskMeta {
    lockstep?: CoverageMeta;
  }
  interface ProvidedContext {
    /** Set by `lockstep/vitest/reporter`, which collects the coverage of the tests. */
    lockstepCoverage?: true;
  }
}
