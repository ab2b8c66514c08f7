/** The mock of one run of a test command. */

import { type Control, ControlError, worldBy } from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { variablesOf } from '../cli/env-command.ts';
import { type FixtureName, startMock } from '../kits/index.ts';
import type { Assumption } from '../world/assumptions.ts';
import type { DeviationRecord } from '../world/deviations.ts';
import type { JournalEntry } from '../world/journal.ts';
import { type Begun, reachedBy } from './reach.ts';
import type { Variation } from './variation.ts';

export interface RunMock {
  /** Where it is, and what opens it, as `lockstep env` says it. */
  readonly variables: Readonly<Record<string, string>>;
  /** What reached it, in order. */
  entries(): Promise<readonly JournalEntry[]>;
  /** Whether the deviation has taken effect. */
  isMet(): Promise<boolean>;
  silences(): Promise<readonly Assumption[]>;
  /** The deviations that would take effect if the same requests came again. */
  reached(): Promise<readonly DeviationRecord[]>;
  close(): Promise<void>;
}

type Order = Partial<Pick<Variation, 'assumptions' | 'deviation' | 'loss'>>;
/** Rejects with Refused if the mock refuses what is ordered. */
export type OpenMock = (order?: Order) => Promise<RunMock>;

/** A mock of its own for each run: what a test makes over the control API is varied as well. */
export function ownMocks(fixture?: FixtureName): OpenMock {
  return async ({ assumptions, deviation, loss } = {}) => {
    const mock = await startMock({
      ...{ fixture, assumptions },
      ...(deviation !== undefined && { deviations: [deviation] }),
    });
    const { service } = mock;
    const all: JournalEntry[] = [];
    const begun: Begun[] = [];
    let met = false;
    let calls = 0;
    // Counted over all worlds, as a test may make one for itself.
    const isTheOne = () => {
      calls += 1;
      return calls === loss?.nth;
    };
    service.onWorld = (world) => {
      const own = { pristine: world.fork(world.id), entries: [] as JournalEntry[] };
      begun.push(own);
      if (loss !== undefined) world.faults.add({ ...faultOf(loss), when: isTheOne });
      world.journal.subscribe((entry) => {
        all.push(entry);
        own.entries.push(entry);
        met ||= (world.deviations.list()[0]?.effects ?? 0) > 0;
      });
    };
    service.onWorld(service.defaultWorld);
    const { id, credentials } = service.defaultWorld;
    const { baseUrl } = mock;
    return {
      variables: variablesOf({ id, credentials, baseUrl, prefixedBaseUrl: `${baseUrl}/w/${id}` }),
      entries: async () => all,
      isMet: async () => met,
      silences: async () => service.defaultWorld.assumptions.list(),
      reached: async () => reachedBy(service, begun),
      close: () => mock.close(),
    };
  };
}

/** A world for each run, in a mock that runs already. Worlds that a test makes itself are not varied. */
export function worldsOf(control: Control): OpenMock {
  return async ({ assumptions, deviation, loss } = {}) => {
    const world = await worldBy(control, 'POST', 'worlds', assumptions && { assumptions }).catch(
      refuse,
    );
    const of = (method: string, path: string, body?: object) =>
      control(method, `worlds/${world.id}${path}`, body);
    if (deviation !== undefined)
      await of('PUT', '/deviations', { deviations: [deviation] }).catch(refuse);
    if (loss !== undefined) {
      const fault = { ...faultOf(loss), after: loss.nth - 1, times: 1 };
      await of('POST', '/faults', fault).catch(refuse);
    }
    const deviations = async () => {
      const told = await of('GET', '/deviations');
      return { on: list<{ effects: number }>(told.deviations), all: list<Told>(told.available) };
    };
    const entries = async () => list<JournalEntry>((await of('GET', '/requests')).requests);
    return {
      variables: variablesOf(world),
      entries,
      isMet: async () => ((await deviations()).on[0]?.effects ?? 0) > 0,
      silences: async () => list((await of('GET', '/assumptions')).assumptions),
      async reached() {
        const called = new Set((await entries()).map(({ operation }) => operation));
        return (await deviations()).all
          .filter(({ operations }) => operations.some((id) => called.has(id)))
          .map(({ breaks, ...one }) => ({ ...one, breaks: breaks.map(({ id }) => id) }));
      },
      close: async () => void (await of('DELETE', '')),
    };
  };
}

const faultOf = ({ order, request: { fingerprint } }: NonNullable<Order['loss']>) => ({
  ...order,
  fingerprint,
});

/** A deviation as the control API tells it. */
type Told = Omit<DeviationRecord, 'breaks'> & {
  readonly breaks: readonly { readonly id: string }[];
};

function list<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((item): item is T => isObject(item)) : [];
}

function refuse(error: unknown): never {
  throw error instanceof ControlError ? new Refused(`the mock refuses: ${error.reason}`) : error;
}
