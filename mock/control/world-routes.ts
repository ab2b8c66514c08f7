/** Routes of the control API below one world. */
import { fixtureOf } from '../../fixtures/from-world.ts';
import { jwks } from '../pipeline/sign.ts';
import { changesOf } from '../world/changes.ts';
import type { Duration, PastEvent, ScheduledEvent } from '../world/clock.ts';
import { checkNames, type FaultOrder, faultFields } from '../world/fault.ts';
import { tableNames } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import { emitTimed, type TimedEvent, WorldClock } from '../world/world-clock.ts';
import { EVENT_ROWS, readClock, STREAM_ROWS } from '../world/world-request.ts';
import type { Server } from './contract-text.ts';
import { liveJournal } from './live.ts';
import { type AdminCall, AdminError, type AdminRoutes, json, Reply, withBody } from './route.ts';
import { contractReply, describeWorld } from './service-routes.ts';

/** More rows would not fit in memory as JSON. */
const MOST_ROWS = 1_000_000;
/** Bytes of an event that waits. */
const MOST_EVENT = 10_000;

export const worldRoutes: AdminRoutes = {
  'GET /': (call) => describeWorld(call, call.world),
  'GET /contract.json': (call) => contractReply('json', [serverOf(call)]),
  'GET /contract.yaml': (call) => contractReply('yaml', [serverOf(call)]),
  'DELETE /': ({ service, world }) => service.deleteWorld(world),
  'POST /reset': (call) => {
    call.world.reset();
    return describeWorld(call, call.world);
  },
  'POST /fork': withBody({ id: 'text' }, (call) => {
    const { id } = call.body as { readonly id?: string };
    return json(201, describeWorld(call, call.service.forkWorld(call.world, id)));
  }),
  'GET /snapshots': ({ world }) => ({
    snapshots: world.snapshots().map(({ id, at }) => ({ id, at: iso(at) })),
  }),
  'POST /snapshots': ({ world }) => {
    const { id, at } = world.snapshot();
    return json(201, { id, at: iso(at) });
  },
  'POST /snapshots/{s}/restore': ({ params, world }) => {
    if (!world.restore(params.s ?? ''))
      throw new AdminError(404, `There is no snapshot ${params.s}`);
    return { id: params.s };
  },
  'GET /state': ({ world: { state } }) => {
    const rows = tableNames.reduce((sum, name) => sum + state.tables[name].length, 0);
    if (rows > MOST_ROWS) {
      throw new AdminError(413, `The state has ${rows} rows; ${MOST_ROWS} are sent at most`);
    }
    return Object.fromEntries(tableNames.map((name) => [name, state.tables[name].rows()]));
  },
  'GET /fixture': ({ world }) => fixtureOf(world),
  'GET /diff?since': ({ query, world }) => difference(world, query.get('since')),
  'GET /clock': ({ world }) => {
    const clock = new WorldClock(world);
    return clockRecord(clock, { scheduled: clock.scheduled, past: clock.past });
  },
  'PUT /clock': withBody({ now: 'time', frozen: 'flag' }, setClock),
  'POST /clock/advance': withBody('unread', advanceClock),
  'GET /faults': ({ world }) => ({ faults: world.faults.list() }),
  'POST /faults': withBody('unread', ({ body, world }) => {
    // A function can be passed only in-process.
    checkNames(body, faultFields, 'A fault');
    return json(201, world.faults.add(body as FaultOrder));
  }),
  'DELETE /faults': ({ world }) => world.faults.clear(),
  'DELETE /faults/{f}': ({ params, world }) => {
    if (!world.faults.remove(params.f ?? '')) {
      throw new AdminError(404, `There is no fault ${params.f} that still strikes`);
    }
  },
  'GET /assumptions': ({ world }) => ({ assumptions: world.assumptions.list() }),
  'PUT /assumptions': withBody('unread', ({ body, world }) => {
    world.assumptions.set(body as Record<string, string>);
    const named = world.assumptions
      .list()
      .filter(({ statement }) => Object.hasOwn(body, statement));
    return { assumptions: named, switched: world.assumptions.switched().size };
  }),
  'GET /events?history': ({ query, world, service }) => {
    service.makeRoom(STREAM_ROWS);
    return new Reply(200, liveJournal(world, query.get('history') === 'true'), {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  },
  'GET /coverage': ({ world }) => world.coverage.toCoverage(),
  'GET /deviations': async ({ service, world }) => {
    const { catalogue, describeDeviation } = await service.catalogue();
    return {
      deviations: switchedOn(world),
      available: catalogue.map((deviation) => describeDeviation(deviation)),
    };
  },
  'PUT /deviations': withBody({ deviations: 'list' }, async ({ body, service, world }) => {
    const { deviationsOf } = await service.catalogue();
    const { deviations } = body;
    if (!Array.isArray(deviations) || !deviations.every((id) => typeof id === 'string')) {
      throw new AdminError(400, 'deviations must be a list of ids; an empty one switches all off');
    }
    world.deviations.set(deviationsOf(deviations));
    return { deviations: switchedOn(world) };
  }),
  'POST /events': withBody('unread', ({ body, world, service, request }) => {
    if (typeof body.type !== 'string') throw new AdminError(400, 'An event needs a type, a string');
    const status = body.at === undefined && body.in === undefined ? 200 : 201;
    if (status === 201) {
      if ((request.body?.length ?? 0) > MOST_EVENT)
        throw new AdminError(413, `An event that waits has ${MOST_EVENT} bytes at most`);
      service.makeRoom(EVENT_ROWS);
    }
    return json(status, emitTimed(world, body as TimedEvent));
  }),
  'GET /jwks.json': ({ world }) => jwks(world),
};

/** A world as a server of the contract. */
function serverOf(call: AdminCall): Server {
  const { id, prefixedBaseUrl: url } = describeWorld(call, call.world);
  return { url: String(url), description: `The world ${id} of a mock of Lockstep.` };
}

/** The deviations of a world and how often each has taken effect. */
function switchedOn(world: World) {
  return world.deviations.list().map(({ deviation, effects }) => ({
    id: deviation.id,
    text: deviation.text,
    breaks: deviation.breaks,
    effects,
  }));
}

/** The rows that changed since a snapshot or since the start, by table and key. */
function difference(world: World, since: string | null): Record<string, unknown> {
  const fromStart = since === null || since === 'start';
  const snapshot = fromStart ? undefined : world.snapshots().find(({ id }) => id === since);
  if (!fromStart && snapshot === undefined) {
    throw new AdminError(404, `There is no snapshot ${since}; leave since out for the start`);
  }
  const changes: Record<string, Record<string, { before: unknown; after: unknown }>> = {};
  for (const { table, key, before, after } of changesOf(world.state, snapshot?.state)) {
    changes[table] ??= {};
    changes[table][key] = { before: before ?? null, after: after ?? null };
  }
  return { since: since ?? 'start', changes };
}

// ── the clock ───────────────────────────────────────────────────────────────────

type Events = readonly (ScheduledEvent | PastEvent)[];

/** `{ now, frozen }`, and the events, if there are any, under their names. */
function clockRecord(
  clock: WorldClock,
  events: Readonly<Record<string, Events>>,
): Record<string, unknown> {
  const dated = Object.entries(events)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => [name, list.map((event) => ({ ...event, at: iso(event.at) }))]);
  return { now: iso(clock.now()), frozen: clock.frozen, ...Object.fromEntries(dated) };
}

/** `{ now?, frozen? }`: sets the time, and whether it stands still. */
function setClock({ body, world }: AdminCall): Record<string, unknown> {
  const { now, frozen } = body as { readonly now?: string; readonly frozen?: boolean };
  const clock = new WorldClock(world);
  const at = now === undefined ? clock.now() : readClock(now);
  const happened = (frozen ?? clock.frozen) ? clock.freeze(at) : clock.run(at);
  return clockRecord(clock, { happened });
}

/** `{ days?, hours?, minutes?, seconds? }`: moves the time on. */
function advanceClock({ body, world }: AdminCall): Record<string, unknown> {
  const clock = new WorldClock(world);
  try {
    return clockRecord(clock, { happened: clock.advance(body as Duration) });
  } catch (error) {
    throw error instanceof RangeError ? new AdminError(400, error.message) : error;
  }
}

/** ISO 8601 of milliseconds since 1970. */
function iso(at: number): string {
  return new Date(at).toISOString();
}
