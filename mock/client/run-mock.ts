/** The mock of one run of a test command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Control, ControlError, worldBy } from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import { ifThere, Refused } from '../../spec/base/refused.ts';
import type { Assumption } from '../world/assumptions.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import type { AssumptionChoices, FixtureName } from '../world/world-request.ts';
import { type Begun, reachedBy } from './reach.ts';
import { followRun, type Reached, type RunOrder, reachedIn, type Watched } from './run.ts';
import { variablesOf } from './variables.ts';
import { mutantsOf, type Variation } from './variation.ts';

export interface RunMock extends AsyncDisposable {
  /** Its address and credentials, as `lockstep env` prints them. */
  readonly variables: Readonly<Record<string, string>>;
  /** The requests that reached it, in order, and whether the deviation has taken effect. */
  seen(): Promise<{ readonly entries: readonly JournalEntry[]; readonly isMet: boolean }>;
  silences(): Promise<readonly Assumption[]>;
  /** The broken promises that a repetition of these requests would meet. */
  mutants(): Promise<readonly Variation[]>;
}

/**
 * Makes the mock of a run; the plain run must be the first. Rejects with Refused if the mock
 * refuses the variation.
 */
export type OpenMock = (variation?: Variation) => Promise<RunMock>;

/** Starts a mock that listens on a free port of this machine. */
type Start = (options: {
  readonly fixture?: FixtureName | undefined;
  readonly assumptions?: AssumptionChoices | undefined;
  readonly deviations?: readonly string[] | undefined;
}) => Promise<{ readonly baseUrl: string; readonly service: Watched; close(): Promise<void> }>;

/**
 * Starts a separate mock for each run. So worlds that a test makes over the control API are varied
 * as well.
 */
export function ownMocks(start: Start, fixture?: FixtureName): OpenMock {
  return async (order: RunOrder = {}) => {
    const { assumptions, deviation } = order;
    const mock = await start({
      ...{ fixture, assumptions },
      ...(deviation !== undefined && { deviations: [deviation] }),
    });
    const { service } = mock;
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-run-'));
    const file = join(folder, 'run.json');
    writeFileSync(file, JSON.stringify(order));
    const served: Reached[] = [];
    const pristine = new Map<string, World>();
    followRun(
      service,
      order,
      (reached) => served.push(reached),
      (world) => pristine.set(world.id, world.fork(world.id)),
    );
    // Requests to mocks in the tests' own processes come last.
    const all = (): readonly Reached[] => [...served, ...readReached(file)];
    const { id, credentials } = service.defaultWorld;
    const { baseUrl } = mock;
    const variables = variablesOf({
      ...{ id, credentials, baseUrl },
      prefixedBaseUrl: `${baseUrl}/w/${id}`,
    });
    return {
      variables: { ...variables, LOCKSTEP_RUN_FILE: file },
      async seen() {
        const reached = all();
        return {
          entries: reached.map(({ entry }) => entry),
          isMet: reached.some(({ isMet }) => isMet),
        };
      },
      silences: async () => service.defaultWorld.assumptions.list(),
      mutants: async () =>
        mutantsOf(await reachedBy(service, begun(all(), pristine, service.defaultWorld))),
      async [Symbol.asyncDispose]() {
        rmSync(folder, { recursive: true, force: true });
        await mock.close();
      },
    };
  };
}

/**
 * For each world, its requests and its initial state. A world of another process counts as the
 * default world.
 */
function begun(
  all: readonly Reached[],
  pristine: ReadonlyMap<string, World>,
  usual: World,
): readonly Begun[] {
  return [...Map.groupBy(all, ({ world }) => world)].map(([id, own]) => ({
    pristine: pristine.get(id) ?? pristine.get(usual.id) ?? usual,
    entries: own.map(({ entry }) => entry),
  }));
}

function readReached(file: string): readonly Reached[] {
  const text = ifThere(() => readFileSync(reachedIn(file), 'utf8')) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reached);
}

/**
 * Makes a world for each run in a mock that runs already. The first is for the plain run, the
 * others are forks of its initial state. Worlds that a test makes itself are not varied.
 */
export function worldsOf(control: Control): OpenMock {
  let plain = '';
  let start = '';
  return async (variation) => {
    const path = `worlds/${start}/variations`;
    const world =
      variation === undefined
        ? await worldBy(control, 'POST', 'worlds')
        : await worldBy(control, 'POST', path, { plain, id: variation.id }).catch(refuse);
    if (variation === undefined) {
      plain = world.id;
      start = (await worldBy(control, 'POST', `worlds/${plain}/fork`, {})).id;
    }
    const of = (method: string, path: string) => control(method, `worlds/${world.id}${path}`);
    return {
      variables: variablesOf(world),
      async seen() {
        const { requests } = await of('GET', '/requests');
        const { deviations } = await of('GET', '/deviations');
        const isMet = list<{ effects: number }>(deviations).some(({ effects }) => effects > 0);
        return { entries: list<JournalEntry>(requests), isMet };
      },
      silences: async () => list((await of('GET', '/assumptions')).assumptions),
      async mutants() {
        const { variations } = await control(
          'GET',
          `worlds/${start}/variations?plain=${plain}&kind=mutant`,
        );
        return list<Variation>(variations);
      },
      async [Symbol.asyncDispose]() {
        await of('DELETE', '');
        if (variation === undefined) await control('DELETE', `worlds/${start}`);
      },
    };
  };
}

function list<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((item): item is T => isObject(item)) : [];
}

function refuse(error: unknown): never {
  throw error instanceof ControlError ? new Refused(`the mock refuses: ${error.reason}`) : error;
}
