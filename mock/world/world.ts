import { DEFAULT_SEED, Random } from '../../spec/base/random.ts';
import { Assumptions } from './assumptions.ts';
import { changesOf } from './changes.ts';
import { Clock } from './clock.ts';
import { CoverageCount, everywhere } from './coverage.ts';
import { ActiveDeviations } from './deviations.ts';
import { Faults } from './faults.ts';
import { cutText, Journal, type JournalBudget } from './journal.ts';
import type { AuditEvent } from './rows.ts';
import type { EventFields } from './service-event.ts';
import { type Base, State } from './state.ts';
import { WorldError } from './world-request.ts';

export interface EventType {
  /** Names of the fields that it reads, apart from those that every event may have. */
  readonly fields: readonly string[];
  /** Checks the fields, then changes the world; returns the ids and rows that it made. */
  readonly happen: (world: World, fields: EventFields) => Record<string, unknown>;
}

/** The event types of an area, with the fields that a caller may write. */
export type EventTypesOf<Fields> = {
  readonly [Type in keyof Fields]: EventType & { readonly fields: readonly (keyof Fields[Type])[] };
};

/** By name. */
export type EventTypes = Readonly<Record<string, EventType>>;

/** The source of a world at its start. */
export interface Fixture {
  readonly name: string;
  /** Id of the world of a mock that is started with this fixture; undefined for a bundled fixture. */
  readonly world?: string | undefined;
  /** Frozen, including the rows and maps. */
  readonly base: Base;
  /** The bindings of a tenant file for a world that starts at the given time (ms). */
  bindings(startMs: number): Record<string, unknown>;
}

export interface WorldOptions {
  readonly id: string;
  readonly fixture: Fixture;
  /** Time to freeze the clock at, ms. Without it the clock starts at wall time and runs. */
  readonly clock?: number | undefined;
  readonly seed?: number | undefined;
  readonly assumptions?: Iterable<readonly [string, string]>;
  /** The events that can happen on the service's side. */
  readonly events?: EventTypes;
  /** Whether its journal shows the values that clients mark as their own secrets. */
  readonly keepSecrets?: boolean | undefined;
  /** The memory that its journal shares with the journals of other worlds. */
  readonly journals?: JournalBudget;
}

/** A saved moment of a world: its state, time, randomness and faults. */
export interface Snapshot {
  readonly id: string;
  readonly at: number;
  readonly state: State;
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: Faults;
}

/**
 * The most snapshots of a world. Each keeps the changed rows in memory, and no test needs so many.
 */
const MOST_SNAPSHOTS = 1000;
/** The most bytes of the details of an audit event: every event is kept for ever. */
const MOST_DETAILS = 2000;

/** One isolated tenant: state, clock, random source, assumptions, faults and journal. */
export class World {
  readonly id: string;
  #fixture: Fixture;
  /** The options that the world was made with; `reset` returns to them. */
  readonly #options: WorldOptions;
  readonly seed: number;
  state!: State;
  clock!: Clock;
  random!: Random;
  assumptions!: Assumptions;
  readonly faults: Faults;
  readonly journal: Journal;
  coverage = new CoverageCount();
  /** Whether its answers count in the coverage. Answers in a sweep of alternatives do not. */
  isCounted = true;
  readonly deviations = new ActiveDeviations();
  readonly events: EventTypes;
  /** The world time at its start, ms. Times of the fixture's audit events are relative to it. */
  startedAt = 0;
  /** Time of its last request, as `performance.now()` counts. */
  usedAt = performance.now();
  readonly #snapshots = new Map<string, Snapshot>();
  #snapshotsMade = 0;
  /** Cells of the machines' tables that were entered since the start. */
  readonly entered = new Set<string>();
  /** Calls within the minute, by credential, while SVC-7 is switched to a limit. */
  readonly calls = new Map<string, number[]>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.id = options.id;
    this.#fixture = options.fixture;
    this.events = options.events ?? {};
    this.seed = options.seed ?? DEFAULT_SEED;
    const names = () => this.state.tables.credentials.rows().map(({ name }) => name);
    this.faults = new Faults(names, this.seed);
    this.journal = new Journal(options.journals);
    this.reset();
  }

  get fixture(): Fixture {
    return this.#fixture;
  }

  /** Drops everything, as `reset` does, and starts from another fixture. */
  restart(fixture: Fixture): void {
    this.#fixture = fixture;
    this.reset();
  }

  /** Whether the journal shows the values that clients mark as their own secrets. */
  get keepSecrets(): boolean {
    return this.#options.keepSecrets === true;
  }

  /** Drops everything since the start: changes, time, faults, snapshots, journal, switched assumptions. */
  reset(): void {
    this.state = new State(this.fixture.base);
    this.clock = new Clock(this.#options.clock);
    this.random = new Random(this.seed);
    this.assumptions = new Assumptions(this.#options.assumptions);
    this.faults.reset();
    this.deviations.reset();
    this.journal.reset();
    this.coverage = new CoverageCount();
    this.calls.clear();
    this.entered.clear();
    this.#snapshots.clear();
    this.#snapshotsMade = 0;
    this.startedAt = this.clock.now();
    for (const event of this.fixture.base.ownAudit)
      this.state.events.push({ ...event, at: event.at + this.startedAt });
  }

  /** A new world in the same state, with the same clock, randomness and faults, and a journal of its own. */
  fork(id: string): World {
    return this.#copy({ ...this.#options, id });
  }

  /**
   * A private copy for a trial. It has the same id, so that the same credentials are valid. It has
   * no faults, and its journal is not part of the shared budget.
   */
  trial(): World {
    const { journals: _shared, ...own } = this.#options;
    const copy = this.#copy(own);
    copy.faults.clear();
    copy.isCounted = false;
    for (const [credential, times] of this.calls) copy.calls.set(credential, times);
    return copy;
  }

  #copy(options: WorldOptions): World {
    const copy = new World({ ...options, fixture: this.fixture, seed: this.seed });
    copy.#become(this);
    copy.startedAt = this.startedAt;
    copy.isCounted = this.isCounted;
    copy.assumptions = this.assumptions.clone();
    copy.deviations.set(this.deviations.list().map(({ deviation }) => deviation));
    return copy;
  }

  /** Throws a WorldError if there are too many. */
  snapshot(): Snapshot {
    if (this.#snapshots.size >= MOST_SNAPSHOTS) {
      throw new WorldError(
        `${this.id} has ${MOST_SNAPSHOTS} snapshots; reset it to begin again`,
        true,
      );
    }
    this.#snapshotsMade += 1;
    const snapshot: Snapshot = {
      id: `snapshot-${this.#snapshotsMade}`,
      at: this.clock.now(),
      state: this.state.clone(),
      clock: this.clock.clone(),
      random: this.random.clone(),
      faults: this.faults.clone(),
    };
    this.#snapshots.set(snapshot.id, snapshot);
    return snapshot;
  }

  snapshots(): readonly Snapshot[] {
    return [...this.#snapshots.values()];
  }

  /** Returns to a snapshot, which stays usable. False if no snapshot has that id. */
  restore(id: string): boolean {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) return false;
    this.#become(snapshot);
    this.clock.set(snapshot.at);
    return true;
  }

  #become(from: Pick<Snapshot, 'state' | 'clock' | 'random' | 'faults'>): void {
    this.state = from.state.clone();
    this.clock = from.clock.clone();
    this.random = from.random.clone();
    this.faults.copy(from.faults);
    this.calls.clear();
  }

  /** Counts an answer in the coverage of the world, and of the process. */
  count(entry: Parameters<CoverageCount['add']>[0], parameters: Readonly<Record<string, string>>) {
    if (!this.isCounted) return;
    this.coverage.add(entry, this.assumptions, parameters);
    everywhere.lockstepCoverage?.add(entry, this.assumptions, parameters);
  }

  /** Appends an audit-log event at the world's time. */
  audit(event: Omit<AuditEvent, 'at' | 'ipAddress'>): void {
    const { details: told, ...who } = event;
    // The text is cut as bytes, because a slice of a text would keep the whole text in memory.
    const details = told.length > MOST_DETAILS ? cutText(Buffer.from(told), MOST_DETAILS) : told;
    this.state.events.push({ ...who, ipAddress: '192.0.2.1', details, at: this.clock.now() });
  }

  /** How many changes a reset would undo. */
  get altered() {
    const made = new Map(this.#options.assumptions);
    const switched = [...this.assumptions.switched()].filter(([id, now]) => made.get(id) !== now);
    const { length: state } = changesOf(this.state);
    return { state, faults: this.faults.list().length, assumptions: switched.length };
  }

  /** The bindings that a tenant file holds for the world. */
  get bindings(): Record<string, unknown> {
    return this.fixture.bindings(this.startedAt);
  }

  credential(name: string): string {
    return `${this.id}-${name}`;
  }

  get credentials(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.state.tables.credentials.rows().map((row) => [row.name, this.credential(row.name)]),
    );
  }
}
