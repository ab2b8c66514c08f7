/**
 * Routes by which a test process runs a test against every service that this could be. Each run starts from
 * the world of the path, in a fork of it. Nothing runs in that world itself.
 */
import { type End, judgeRun, mistakeIn, type Run, sentIn } from '../client/outcome.ts';
import { reachedBy } from '../client/reach.ts';
import {
  faultsOf,
  kinds,
  lossesOf,
  mutantsOf,
  sweepOf,
  type Variation,
} from '../client/variation.ts';
import type { World } from '../world/world.ts';
import { type AdminCall, AdminError, type AdminRoutes, json, withBody } from './route.ts';
import { describeWorld } from './service-routes.ts';

/** The plan of each plain run, by its world. */
const planned = new WeakMap<World, readonly Variation[]>();
/** The variation of each run and its plain run, by the world of the run. */
const varied = new WeakMap<World, { readonly variation: Variation; readonly plain: Run }>();

const ends = ['passed', 'failed', 'hung'] as const satisfies readonly End[];

export const variationRoutes: AdminRoutes = {
  'GET /variations?plain&kind': async (call) => {
    const asked = call.query.getAll('kind');
    const unknown = asked.find((kind) => !kinds.some((known) => known === kind));
    if (unknown !== undefined)
      throw new AdminError(400, `kind must be ${kinds.join(', ')}, not ${unknown}`);
    const variations = await plan(call, plainOf(call, call.query.get('plain')));
    return {
      variations: variations
        .filter(({ kind }) => asked.length === 0 || asked.includes(kind))
        .map(({ id, kind, text, statements }) => ({ id, kind, text, statements })),
    };
  },
  'POST /variations': withBody({ plain: 'text', id: 'text' }, async (call) => {
    const { service, world, body } = call;
    const plain = plainOf(call, body.plain);
    const variations = planned.get(plain) ?? (await plan(call, plain));
    const variation = variations.find(({ id }) => id === body.id);
    if (variation === undefined)
      throw new AdminError(404, `The plain run did not meet ${JSON.stringify(body.id)}`);
    const { assumptions, deviation, loss } = variation;
    const { deviationsOf } = await service.catalogue();
    const made = service.forkWorld(world);
    if (assumptions !== undefined) made.assumptions.set(assumptions);
    if (deviation !== undefined) made.deviations.set(deviationsOf([deviation]));
    for (const fault of loss === undefined ? [] : faultsOf(loss)) made.faults.add(fault);
    varied.set(made, { variation, plain: runIn(plain, 'passed', 0) });
    return json(201, describeWorld(call, made));
  }),
  'POST /outcome': withBody({ end: 'text', durationMs: 'number' }, ({ world, body }) => {
    const { variation, plain } = varied.get(world) ?? {};
    if (variation === undefined || plain === undefined)
      throw new AdminError(409, `Nothing is varied in the world ${world.id}`);
    const end = ends.find((known) => known === body.end);
    if (end === undefined) throw new AdminError(400, `end must be ${ends.join(', ')}`);
    const run = runIn(world, end, Number(body.durationMs ?? 0));
    const judged = judgeRun(variation, plain, run, 'its time limit');
    return { ...judged, finding: mistakeIn(judged) };
  }),
};

function plainOf({ service }: AdminCall, id: unknown): World {
  const world = typeof id === 'string' ? service.use(id) : undefined;
  if (world !== undefined) return world;
  throw new AdminError(
    400,
    `plain must be the world of the plain run, a fork of this one, not ${JSON.stringify(id)}`,
  );
}

async function plan({ service, world }: AdminCall, plain: World): Promise<readonly Variation[]> {
  const entries = plain.journal.list();
  const sent = sentIn({ entries });
  const variations = [
    ...sweepOf(sent, plain.assumptions.list()),
    ...lossesOf(sent),
    ...mutantsOf(await reachedBy(service, [{ pristine: world, entries }])),
  ];
  planned.set(plain, variations);
  return variations;
}

const runIn = (world: World, end: End, durationMs: number): Run => ({
  ...{ end, durationMs, entries: world.journal.list(), failed: undefined },
  isMet: world.deviations.list().some(({ effects }) => effects > 0),
});
