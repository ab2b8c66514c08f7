/** A world for one run of a test command, over the control API of a mock. */
import { type Control, ControlError, worldBy } from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { variablesOf } from '../cli/env-command.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { ToldDeviation, ToldSilence, Variation } from './variation.ts';

export interface RunWorld {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Where it is, and what opens it, as `lockstep env` says it. */
  readonly variables: Readonly<Record<string, string>>;
  /** What reached it. Those that are no longer held are counted. */
  journal(): Promise<{ readonly entries: readonly JournalEntry[]; readonly dropped: number }>;
  silences(): Promise<readonly ToldSilence[]>;
  /** Every deviation that the mock can make. */
  deviations(): Promise<readonly ToldDeviation[]>;
  /** Lets this deviation take effect, and no other. */
  deviate(id: string): Promise<void>;
  /** How often the deviation has taken effect. */
  effects(): Promise<number>;
  /** As it was at first; what is switched on stays on. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The statements that a deviation breaks, with their texts. */
interface Breaks {
  readonly breaks: readonly { readonly id: string; readonly text: string }[];
}

type Order = Partial<Pick<Variation, 'assumptions' | 'deviation' | 'fault'>>;

/** Rejects with Refused if the mock refuses what is ordered. */
export async function openRunWorld(
  control: Control,
  order: Order = {},
  fixture?: string,
): Promise<RunWorld> {
  const { assumptions, deviation, fault } = order;
  const world = await worldBy(control, 'POST', 'worlds', {
    ...(fixture !== undefined && { fixture }),
    ...(assumptions !== undefined && { assumptions }),
  }).catch(refuse);
  const of = (method: string, path: string, body?: object) =>
    control(method, `worlds/${world.id}${path}`, body);
  const made: RunWorld = {
    baseUrl: world.prefixedBaseUrl,
    credentials: world.credentials,
    variables: variablesOf(world),
    async journal() {
      const { requests, dropped } = await of('GET', '/requests');
      return { entries: list<JournalEntry>(requests), dropped: Number(dropped) };
    },
    silences: async () => list((await of('GET', '/assumptions')).assumptions),
    async deviations() {
      const { available } = await of('GET', '/deviations');
      const told = list<Omit<ToldDeviation, 'breaks'> & Breaks>(available);
      return told.map(({ breaks, ...one }) => ({ ...one, breaks: breaks.map(({ id }) => id) }));
    },
    deviate: async (id) => void (await of('PUT', '/deviations', { deviations: [id] })),
    async effects() {
      const [active] = list<{ effects: number }>((await of('GET', '/deviations')).deviations);
      return active?.effects ?? 0;
    },
    reset: async () => void (await of('POST', '/reset')),
    close: async () => void (await of('DELETE', '')),
  };
  if (deviation !== undefined) await made.deviate(deviation).catch(refuse);
  if (fault !== undefined) await of('POST', '/faults', fault).catch(refuse);
  return made;
}

function list<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value.filter((item) => isObject(item)) as T[]) : [];
}

function refuse(error: unknown): never {
  throw error instanceof ControlError ? new Refused(`the mock refuses: ${error.reason}`) : error;
}
