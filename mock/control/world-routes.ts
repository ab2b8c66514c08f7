/** Routes of the control API below one world. */
import { jwks } from '../pipeline/sign.ts';
import { UnknownDeviation } from '../world/deviations.ts';
import { type State, tableNames } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { emitTimed, type TimedEvent } from '../world/world-clock.ts';
import { advanceClock, clockRecord, iso, setClock } from './clock-request.ts';
import { orderFault } from './fault-request.ts';
import { liveJournal } from './live.ts';
import { AdminError, type Routes, type WorldHandler } from './route.ts';
import { describeWorld } from './service-routes.ts';

export const worldRoutes: Routes<WorldHandler> = {
  'GET /': (call, world) => ({ status: 200, body: describeWorld(call, world) }),
  'DELETE /': ({ service }, world) => {
    service.deleteWorld(world);
    return { status: 204 };
  },
  'POST /reset': (call, world) => {
    world.reset();
    return { status: 200, body: describeWorld(call, world) };
  },
  'POST /fork': (call, world) => {
    const { id } = call.body;
    if (id !== undefined && typeof id !== 'string')
      throw new AdminError(400, 'id must be a string');
    return { status: 201, body: describeWorld(call, call.service.forkWorld(world, id)) };
  },
  'GET /snapshots': (_call, world) => ({
    status: 200,
    body: { snapshots: world.snapshots().map(({ id, at }) => ({ id, at: iso(at) })) },
  }),
  'POST /snapshots': (_call, world) => {
    const { id, at } = world.snapshot();
    return { status: 201, body: { id, at: iso(at) } };
  },
  'POST /snapshots/:s/restore': ({ params }, world) => {
    if (!world.restore(params.s ?? ''))
      throw new AdminError(404, `There is no snapshot ${params.s}`);
    return { status: 200, body: { id: params.s } };
  },
  'GET /state': (_call, world) => ({ status: 200, body: stateRecord(world) }),
  'GET /diff': ({ query }, world) => ({ status: 200, body: difference(world, query.get('since')) }),
  'GET /clock': (_call, world) => ({ status: 200, body: clockRecord(world) }),
  'PUT /clock': ({ body }, world) => ({ status: 200, body: setClock(world, body) }),
  'POST /clock/advance': ({ body }, world) => ({ status: 200, body: advanceClock(world, body) }),
  'GET /faults': (_call, world) => ({ status: 200, body: { faults: world.faults.list() } }),
  'POST /faults': ({ body }, world) => ({ status: 201, body: orderFault(world, body) }),
  'DELETE /faults': (_call, world) => {
    world.faults.clear();
    return { status: 204 };
  },
  'DELETE /faults/:f': ({ params }, world) => {
    if (!world.faults.remove(params.f ?? '')) {
      throw new AdminError(404, `There is no fault ${params.f} that still strikes`);
    }
    return { status: 204 };
  },
  'GET /assumptions': (_call, world) => ({
    status: 200,
    body: { assumptions: world.assumptions.list() },
  }),
  'PUT /assumptions': ({ body }, world) => {
    try {
      world.assumptions.set(body as Record<string, string>);
    } catch (error) {
      throw new AdminError(400, (error as Error).message);
    }
    const named = world.assumptions
      .list()
      .filter(({ statement }) => Object.hasOwn(body, statement));
    return {
      status: 200,
      body: { assumptions: named, switched: world.assumptions.switched().size },
    };
  },
  'GET /events': (_call, world) => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
    stream: liveJournal(world),
  }),
  'GET /coverage': (_call, world) => ({ status: 200, body: world.coverage.toCoverage() }),
  'GET /deviations': async ({ service }, world) => {
    const { catalogue, describeDeviation } = await service.catalogue();
    return {
      status: 200,
      body: {
        deviations: switchedOn(world),
        available: catalogue.map((deviation) => describeDeviation(deviation)),
      },
    };
  },
  'PUT /deviations': async ({ body, service }, world) => {
    const { deviationsOf } = await service.catalogue();
    const { deviations } = body;
    if (!Array.isArray(deviations) || !deviations.every((id) => typeof id === 'string')) {
      throw new AdminError(400, 'deviations must be a list of ids; an empty one switches all off');
    }
    try {
      world.deviations.set(deviationsOf(deviations));
    } catch (error) {
      throw error instanceof UnknownDeviation ? new AdminError(400, error.message) : error;
    }
    return { status: 200, body: { deviations: switchedOn(world) } };
  },
  'POST /events': ({ body }, world) => {
    if (typeof body.type !== 'string') throw new AdminError(400, 'An event needs a type, a string');
    const status = body.at === undefined && body.in === undefined ? 200 : 201;
    return { status, body: emitTimed(world, body as TimedEvent) };
  },
  'GET /jwks.json': (_call, world) => ({ status: 200, body: jwks(world) }),
};

/** The deviations of a world and how often each has taken effect. */
function switchedOn(world: World) {
  return world.deviations.list().map(({ deviation, effects }) => ({
    id: deviation.id,
    text: deviation.text,
    breaks: deviation.breaks,
    effects,
  }));
}

/** All tables as lists of rows. */
function stateRecord(world: World): Record<string, unknown> {
  return Object.fromEntries(tableNames.map((name) => [name, world.state.tables[name].rows()]));
}

/** What changed since a snapshot, or since the start: rows by table and key. */
function difference(world: World, since: string | null): Record<string, unknown> {
  const snapshot =
    since === null || since === 'start'
      ? undefined
      : world.snapshots().find(({ id }) => id === since);
  if (since !== null && since !== 'start' && snapshot === undefined) {
    throw new AdminError(404, `There is no snapshot ${since}; leave since out for the start`);
  }
  const changes: Record<string, Record<string, { before: unknown; after: unknown }>> = {};
  for (const name of tableNames) {
    const rows = tableDifference(world.state, snapshot?.state, name);
    if (Object.keys(rows).length > 0) changes[name] = rows;
  }
  return { since: since ?? 'start', changes };
}

function tableDifference(now: State, then: State | undefined, name: (typeof tableNames)[number]) {
  const table = now.tables[name];
  const base = now.base.tables[name] as ReadonlyMap<string | number, unknown>;
  const keys = new Set([...table.changes().keys(), ...(then?.tables[name].changes().keys() ?? [])]);
  const rows: Record<string, { before: unknown; after: unknown }> = {};
  for (const key of keys) {
    const after = (table as { get(key: string | number): unknown }).get(key);
    const before =
      then === undefined
        ? base.get(key)
        : (then.tables[name] as { get(key: string | number): unknown }).get(key);
    if (before !== after) rows[String(key)] = { before: before ?? null, after: after ?? null };
  }
  return rows;
}
