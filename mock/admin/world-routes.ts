/** Routes of the control API below one world. */
import { emit, type ServiceEvent } from '../events.ts';
import { operationIds } from '../match.ts';
import { readClock } from '../service.ts';
import { jwks } from '../sign.ts';
import { fitsTimestamp } from '../world/clock.ts';
import type { Fault, FaultPhase } from '../world/faults.ts';
import { type State, tableNames } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { type AdminCall, AdminError, type Routes, type WorldHandler } from './admin.ts';
import { coverageOf } from './coverage.ts';
import { liveJournal } from './live.ts';
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
  'PUT /clock': ({ body }, world) => {
    setClock(world, body);
    return { status: 200, body: clockRecord(world) };
  },
  'POST /clock/advance': ({ body }, world) => {
    const duration = readDuration(body);
    if (!fitsTimestamp(world.clock.now() + duration)) {
      throw new AdminError(400, 'The time would lie beyond what a timestamp can hold');
    }
    world.clock.advance(duration);
    return { status: 200, body: clockRecord(world) };
  },
  'GET /faults': (_call, world) => ({ status: 200, body: { faults: world.faults.list() } }),
  'POST /faults': ({ body }, world) => ({
    status: 201,
    body: world.faults.add(readFault(world, body)),
  }),
  'DELETE /faults': (_call, world) => {
    world.faults.clear();
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
    return { status: 200, body: { assumptions: world.assumptions.list() } };
  },
  'GET /events': (_call, world) => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
    stream: liveJournal(world),
  }),
  'GET /coverage': (_call, world) => ({ status: 200, body: coverageOf([world]) }),
  'GET /deviations': async (_call, world) => {
    const { catalogue, describeDeviation } = await import('../deviations/catalogue.ts');
    return {
      status: 200,
      body: { deviations: switchedOn(world), available: catalogue.map(describeDeviation) },
    };
  },
  'PUT /deviations': async ({ body }, world) => {
    const { deviationsOf, UnknownDeviation } = await import('../deviations/catalogue.ts');
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
    return { status: 200, body: emit(world, body as ServiceEvent) };
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

function iso(at: number): string {
  return new Date(at).toISOString();
}

function clockRecord(world: World) {
  return { now: iso(world.clock.now()), frozen: world.clock.frozen };
}

/** `{ now?, frozen? }`: sets the time, and whether it stands still. */
function setClock(world: World, body: AdminCall['body']): void {
  const { now, frozen } = body;
  const unknown = Object.keys(body).find((key) => key !== 'now' && key !== 'frozen');
  if (unknown !== undefined)
    throw new AdminError(400, `A clock has now and frozen, not ${unknown}`);
  if (now !== undefined && typeof now !== 'string')
    throw new AdminError(400, 'now must be an ISO 8601 time');
  if (frozen !== undefined && typeof frozen !== 'boolean')
    throw new AdminError(400, 'frozen must be true or false');
  const at = now === undefined ? world.clock.now() : readClock(now);
  if (frozen ?? world.clock.frozen) world.clock.freeze(at);
  else world.clock.run(at);
}

const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const;

/** `{ days?, hours?, minutes?, seconds? }` as ms. */
function readDuration(body: AdminCall['body']): number {
  let ms = 0;
  for (const [unit, amount] of Object.entries(body)) {
    if (!Object.hasOwn(UNITS, unit)) {
      throw new AdminError(400, `A duration has ${Object.keys(UNITS).join(', ')}, not ${unit}`);
    }
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) {
      throw new AdminError(400, `${unit} must be a number of at least 0`);
    }
    ms += amount * UNITS[unit as keyof typeof UNITS];
  }
  if (ms === 0) throw new AdminError(400, `Say how far: ${Object.keys(UNITS).join(', ')}`);
  return ms;
}

const FAULT_FIELDS = [
  'operation',
  'credential',
  'status',
  'phase',
  'delayMs',
  'retryAfter',
  'times',
];
const PHASES: readonly FaultPhase[] = ['before', 'after-commit', 'mid-body', 'socket'];

function readFault(world: World, body: AdminCall['body']): Omit<Fault, 'id'> {
  const unknown = Object.keys(body).find((key) => !FAULT_FIELDS.includes(key));
  if (unknown !== undefined)
    throw new AdminError(400, `A fault has ${FAULT_FIELDS.join(', ')}, not ${unknown}`);
  const { operation, credential, status, phase = 'before', delayMs, retryAfter, times } = body;
  if (operation !== undefined && !operationIds.includes(operation as never)) {
    throw new AdminError(400, `operation must be one of ${operationIds.join(', ')}`);
  }
  if (credential !== undefined && !world.state.tables.credentials.has(String(credential))) {
    throw new AdminError(400, `There is no credential ${String(credential)}`);
  }
  if (!PHASES.includes(phase as FaultPhase))
    throw new AdminError(400, `phase must be one of ${PHASES.join(', ')}`);
  number(status, 'status', 200, 599);
  number(delayMs, 'delayMs', 0, 600_000);
  number(retryAfter, 'retryAfter', 0, 86_400);
  number(times, 'times', 1, 1_000_000);
  const cuts = phase === 'mid-body' || phase === 'socket';
  if (status === undefined && delayMs === undefined && !cuts) {
    throw new AdminError(400, 'A fault needs a status, a delayMs, or the phase mid-body or socket');
  }
  return { ...body, phase } as Omit<Fault, 'id'>;
}

function number(value: unknown, name: string, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new AdminError(400, `${name} must be an integer from ${least} to ${most}`);
  }
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
