/** A world of either kind: in this process, or in another one that the control API reaches. */
import type { Assumption } from '../world/assumptions.ts';
import type { Fault, FaultOrder } from '../world/fault.ts';
import type { JournalEntry } from '../world/journal.ts';

/** A value of this process is there at once; a value of another process comes later. */
export type Maybe<Result> = Result | Promise<Result>;

/** The parts of a world that losses and sweeps need. */
export type AnyWorld<Handle = unknown> = (Disposable | AsyncDisposable) & {
  readonly credentials: Readonly<Record<string, string>>;
  readonly faults: {
    add(order: FaultOrder): Maybe<Fault>;
    clear(): Maybe<void>;
  };
  readonly requests: {
    readonly recorded: Maybe<number>;
    list(): Maybe<readonly JournalEntry[]>;
    clear(): Maybe<void>;
    /** Only in this process. */
    readonly subscribe?: (listener: (entry: JournalEntry) => void) => () => void;
  };
  readonly assumptions: {
    list(): Maybe<readonly Assumption[]>;
    set(choices: Readonly<Record<string, string>>): Maybe<void>;
  };
  snapshot(): Maybe<string>;
  restore(snapshot: string): Maybe<void>;
  explain<Failure>(error: Failure): Maybe<Failure>;
  fork(): Maybe<Handle & (Disposable | AsyncDisposable)>;
};

/** Records the requests to a world from now on. The returned function stops that and gives the requests. */
export async function follow({
  requests,
}: Pick<AnyWorld, 'requests'>): Promise<() => Maybe<readonly JournalEntry[]>> {
  if (requests.subscribe === undefined) {
    const before = await requests.recorded;
    return async () => (await requests.list()).filter(({ id }) => id > before);
  }
  const heard: JournalEntry[] = [];
  // A subscription is used, because a test may clear the journal.
  const stop = requests.subscribe((entry) => void heard.push(entry));
  return () => {
    stop();
    return heard;
  };
}
