/** A mock: its worlds, and the routing of a request to the world that answers it. */

import type { Controlled } from '../control/controlled.ts';
import { readCredential, worldOf } from '../pipeline/credential.ts';
import type { PipelineOptions } from '../pipeline/decision.ts';
import { type ExchangeRequest, type ExchangeResponse, plainError } from '../pipeline/exchange.ts';
import type { Handlers } from '../pipeline/handler.ts';
import { answer } from '../pipeline/pipeline.ts';
import { choiceProblems } from '../world/assumptions.ts';
import { type Coverage, CoverageCount } from '../world/coverage.ts';
import type { DeviationRecord } from '../world/deviations.ts';
import { JournalBudget } from '../world/journal.ts';
import { tableNames } from '../world/rows.ts';
import { type EventTypes, type Fixture, World } from '../world/world.ts';
import {
  type AssumptionChoices,
  checkOptions,
  EVENT_ROWS,
  MOST_HELD,
  readClock,
  STREAM_ROWS,
  WorldError,
  type WorldRequest,
  whyGone,
  worldRequestNames,
} from '../world/world-request.ts';
import { answerPage, isAllowedPage, isControl, openTo, type PageOptions } from './browser.ts';
import { fixtureFromText, loadFixture } from './fixture.ts';

/** The parts from the areas: a handler for each operation, and the events of the service's side. */
export interface Areas {
  readonly handlers: Handlers;
  readonly events: EventTypes;
  /** The deviations of all areas; loaded on demand. */
  readonly catalogue: Controlled['catalogue'];
}

export interface ServiceOptions
  extends Omit<PipelineOptions, 'handlers'>,
    PageOptions,
    NonNullable<Controlled['options']> {
  readonly areas: Areas;
  readonly fixture: Fixture;
  /** Reads the fixture again, because its file may have changed. */
  readonly loadAgain?: (() => Promise<Fixture>) | undefined;
  /** ISO 8601: freezes the clock of worlds that are made without a time. */
  readonly clock?: string | undefined;
  readonly seed?: number | undefined;
  /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`, for every world. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** Shows the clients' own secrets in journals. */
  readonly keepSecrets?: boolean | undefined;
  /**
   * A world is dropped after this time without use, ms (default a day). The default world stays.
   */
  readonly idleMs?: number | undefined;
  /** The prefix of the ids of new worlds, if several processes share an address. */
  readonly idPrefix?: string | undefined;
  /** Largest body that is accepted, bytes (default 1 MiB), unless ERR-8 is `larger`. */
  readonly bodyLimit?: number | undefined;
  /** The deviations that are active in every world from its start. */
  readonly deviations?: readonly DeviationRecord[] | undefined;
}

/** The id of the world that a bundled fixture serves; a file names its own. */
const DEFAULT_WORLD = 'acme';
const BODY_LIMIT = 1024 * 1024;
const MOST_READ = 8 * BODY_LIMIT;
const FEW_ROWS = 10_000;
const IDLE_MS = 24 * 60 * 60 * 1000;
export const WORLD_ID = /^[a-z0-9]{1,32}$/;
/** The frozen time of a world that has a seed and no time. */
const SEEDED_START = '2026-01-01T00:00:00.000Z';

export class Service {
  readonly options: ServiceOptions;
  readonly worlds = new Map<string, World>();
  /** It is never deleted. */
  readonly defaultWorld: World;
  /** Largest body that is read, bytes. */
  readonly bodyLimit: number;
  readonly #accepted: number;
  readonly journals = new JournalBudget();
  readonly #pipeline: PipelineOptions;
  /** The coverage of dropped worlds. */
  #gone = new CoverageCount();
  #made = 0;
  /** The fixture of new worlds. */
  #fixture: Fixture;
  /**
   * True after the owner has closed the mock. A later in-process request comes from a test that nobody
   * awaited.
   */
  closed = false;
  /** Called after each answer, for logs. */
  onAnswer: ((world: World) => void) | undefined;
  /** Called when a page or a request to a foreign host name is refused before it reaches a world. */
  onTurnedAway: ((body: string) => void) | undefined;
  onWorld: ((world: World) => void) | undefined;
  /** Called when an unused world is dropped. */
  onIdle: ((world: World) => void) | undefined;
  #lookedForIdle = performance.now();

  constructor(options: ServiceOptions) {
    this.options = options;
    this.#accepted = options.bodyLimit ?? BODY_LIMIT;
    this.bodyLimit = Math.max(this.#accepted, MOST_READ);
    this.#pipeline = { ...options, handlers: options.areas.handlers };
    this.#fixture = options.fixture;
    this.defaultWorld = this.#add(options.fixture, { id: options.fixture.world ?? DEFAULT_WORLD });
  }

  /** Answers a request, whichever surface it is for. */
  handle(sent: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse> {
    const size = sent.body?.length ?? 0;
    const body = size > this.bodyLimit ? undefined : sent.body;
    const request = size > this.#accepted ? { ...sent, body, tooLarge: true } : sent;
    const { path, query } = splitTarget(request.target);
    const { cors = [] } = this.options;
    const ofPage = answerPage(request, path, this.options);
    if (ofPage?.status === 403) this.onTurnedAway?.(String(ofPage.body));
    const response =
      ofPage ??
      (isControl(path)
        ? this.#answerAdmin(request, path, query)
        : this.#answerWorld(request, path, query));
    if (!isAllowedPage(request, path, cors)) return response;
    return response instanceof Promise
      ? response.then((done) => openTo(request, done))
      : openTo(request, response);
  }

  #answerWorld(
    request: ExchangeRequest,
    path: string,
    query: string,
  ): ExchangeResponse | Promise<ExchangeResponse> {
    const prefix = /^\/w\/([^/]*)(\/.*)?$/.exec(path);
    const credential = readCredential(request.headers.authorization);
    const named = prefix?.[1] ?? worldOf(credential);
    const world = named === undefined ? this.defaultWorld : this.use(named);
    if (world === undefined && prefix?.[1] !== undefined) {
      const missing = `There is no world ${JSON.stringify(prefix[1])}: ${whyGone(prefix[1])}`;
      return unknown(plainError(404, `${missing}; make one with POST /__admin/worlds`));
    }
    const routed = {
      world: world ?? this.defaultWorld,
      request,
      credential,
      path: prefix === null ? path : (prefix[2] ?? '/'),
      query,
      prefixed: prefix !== null,
    };
    const response = answer(routed, this.#pipeline);
    if (this.onAnswer === undefined && world !== undefined) return response;
    const finish = (done: ExchangeResponse) => {
      this.onAnswer?.(routed.world);
      return world === undefined && this.options.gradeHeaders !== false ? unknown(done) : done;
    };
    return response instanceof Promise ? response.then(finish) : finish(response);
  }

  answerIn(world: World, request: ExchangeRequest): ExchangeResponse | Promise<ExchangeResponse> {
    const credential = readCredential(request.headers.authorization);
    const routed = { world, request, credential, ...splitTarget(request.target), prefixed: false };
    return answer(routed, this.#pipeline);
  }

  /**
   * The control API is loaded on its first request, so that a client's first answer does not wait
   * for it.
   */
  async #answerAdmin(
    request: ExchangeRequest,
    path: string,
    query: string,
  ): Promise<ExchangeResponse> {
    const { answerAdmin } = await import('../control/admin.ts');
    return answerAdmin(this, request, path, query);
  }

  catalogue(): ReturnType<Controlled['catalogue']> {
    return this.options.areas.catalogue();
  }

  /** Makes a world. Throws a WorldError or a FixtureError; then nothing was made. */
  async createWorld(request: WorldRequest = {}): Promise<World> {
    checkOptions(request, worldRequestNames, 'A world');
    const fixture = await this.#fixtureOf(request);
    const rows = rowsIn(fixture.base);
    // Small worlds are not counted each time, because there may be ten thousand.
    if (rows > FEW_ROWS) this.makeRoom(rows);
    return this.#add(fixture, { ...request, id: this.#freeId(request.id) });
  }

  /** A world by its id. It counts as used now. */
  use(id: string): World | undefined {
    const world = this.worlds.get(id);
    if (world !== undefined) world.usedAt = performance.now();
    return world;
  }

  /** A copy of a world under another id. */
  forkWorld(world: World, wanted?: string): World {
    const id = this.#freeId(wanted);
    const fork = world.fork(id);
    this.worlds.set(id, fork);
    this.onWorld?.(fork);
    return fork;
  }

  /** The sum over all worlds since the start or the last reset, deleted worlds included. */
  coverage(): Coverage {
    const total = new CoverageCount();
    total.merge(this.#gone.toCoverage());
    for (const world of this.worlds.values()) total.merge(world.coverage.toCoverage());
    return total.toCoverage();
  }

  /** Drops a world. The default world stays. */
  deleteWorld(world: World): void {
    if (world === this.defaultWorld) {
      throw new WorldError('The default world cannot be deleted; reset it instead', true);
    }
    if (this.worlds.delete(world.id) && world.journal.recorded > 0) {
      this.#gone.merge(world.coverage.toCoverage());
    }
    world.journal.leave();
  }

  makeRoom(rows: number): void {
    const worlds = [...this.worlds.values()];
    let held = rows;
    // Worlds of one fixture share its rows.
    for (const base of new Set(worlds.map(({ fixture }) => fixture.base))) held += rowsIn(base);
    for (const { clock, journal } of worlds)
      held += clock.pending.length * EVENT_ROWS + journal.listeners * STREAM_ROWS;
    if (held <= MOST_HELD) return;
    throw new WorldError(
      `The worlds of this mock hold too much already (${held} of ${MOST_HELD} rows, with events that wait and live streams): delete some, or reset`,
      true,
    );
  }

  /**
   * Reads the fixture's file again. The default world restarts from it, and new worlds start from
   * it; other worlds do not change. If it rejects with a FixtureError, nothing has changed.
   */
  async reload(): Promise<void> {
    this.#fixture = (await this.options.loadAgain?.()) ?? this.#fixture;
    this.defaultWorld.restart(this.#fixture);
  }

  /** Resets the default world and drops all others. */
  reset(): void {
    this.#gone = new CoverageCount();
    for (const [id, world] of this.worlds) {
      if (world === this.defaultWorld) world.reset();
      else {
        this.worlds.delete(id);
        world.journal.leave();
      }
    }
  }

  /** Drops idle worlds. Called only when a world is made, because only then a mock grows. */
  #letIdleGo(): void {
    const now = performance.now();
    const { idleMs = IDLE_MS } = this.options;
    // Does not look for each new world, because there may be ten thousand.
    if (now - this.#lookedForIdle < idleMs / 100) return;
    this.#lookedForIdle = now;
    for (const world of this.worlds.values()) {
      if (world === this.defaultWorld || now - world.usedAt < idleMs) continue;
      this.deleteWorld(world);
      this.onIdle?.(world);
    }
  }

  #add(fixture: Fixture, request: WorldRequest & { readonly id: string }): World {
    this.#letIdleGo();
    const seed = request.seed ?? this.options.seed;
    const clock =
      request.clock ?? this.options.clock ?? (seed === undefined ? undefined : SEEDED_START);
    const { assumptions: all = {} } = this.options;
    const { assumptions: own = {} } = request;
    const [problem] = [...choiceProblems(all), ...choiceProblems(own)];
    if (problem !== undefined) throw new WorldError(problem);
    const world = new World({
      id: request.id,
      fixture,
      events: this.options.areas.events,
      clock: clock === undefined ? undefined : readClock(clock),
      seed,
      assumptions: Object.entries({ ...all, ...own }),
      journals: this.journals,
      keepSecrets: this.options.keepSecrets,
    });
    world.deviations.set(this.options.deviations ?? []);
    this.worlds.set(world.id, world);
    this.onWorld?.(world);
    return world;
  }

  async #fixtureOf({ fixture, fixtureText, parameters }: WorldRequest): Promise<Fixture> {
    if (fixtureText !== undefined) {
      if (fixture === undefined && parameters === undefined) return fixtureFromText(fixtureText);
      throw new WorldError('fixtureText is the whole fixture: leave out fixture and parameters');
    }
    if (fixture === undefined && parameters === undefined) return this.#fixture;
    return loadFixture(fixture ?? 'large', parameters);
  }

  /** The wanted id for a new world, or else a free one. Throws a WorldError. */
  #freeId(wanted: string | undefined): string {
    const { idPrefix } = this.options;
    if (wanted === undefined) {
      let id: string;
      do id = `${idPrefix ?? 'w'}${++this.#made}`;
      while (this.worlds.has(id));
      return id;
    }
    if (idPrefix !== undefined) {
      throw new WorldError(
        'A mock with --process makes the ids of its worlds itself, so that a proxy can find their process: send no id, and use the id in the answer',
      );
    }
    if (!WORLD_ID.test(wanted)) {
      throw new WorldError(
        `A world's id must be 1 to 32 small letters and digits, not ${JSON.stringify(wanted)}`,
      );
    }
    if (this.worlds.has(wanted)) throw new WorldError(`There is a world ${wanted} already`, true);
    return wanted;
  }
}

function rowsIn({ tables, audit }: Fixture['base']): number {
  return tableNames.reduce((sum, name) => sum + tables[name].length, audit.length);
}

/** Marks an answer to a client that named an unknown world. */
function unknown(response: ExchangeResponse): ExchangeResponse {
  response.headers['Lockstep-World'] = 'unknown';
  return response;
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  // The absolute form of RFC 9112 section 3.2.2, as proxies send it.
  const origin = target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const hash = origin.indexOf('#');
  const clean = hash < 0 ? origin : origin.slice(0, hash);
  const mark = clean.indexOf('?');
  return mark < 0
    ? { path: clean, query: '' }
    : { path: clean.slice(0, mark), query: clean.slice(mark + 1) };
}
