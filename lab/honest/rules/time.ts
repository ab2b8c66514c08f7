/** Variants of the time until a change shows, and of the time that an answer takes. */
import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../../spec/base/json.ts';
import { isServed, otherCall } from '../../deviations/wire.ts';
import { operations } from '../nodes.ts';
import { type Does, each, isCall, isWrite, type Scene, type Variant } from '../variant.ts';

interface Past {
  readonly at: number;
  readonly state: unknown;
}

/** Each list shows a change after a delay of its own. A write always sees the present state. */
const arriving =
  (whileOf: (scene: Scene, operation: string) => number): Does =>
  (scene) => {
    const lists = operations.filter(({ method }) => method === 'GET');
    const whiles = new Map(lists.map(({ id }) => [id, whileOf(scene, id)]));
    const longest = Math.max(...whiles.values());
    let past: Past[] = [];
    return async (asked, next) => {
      const now = scene.now();
      past = past.filter(({ at }) => at + longest > now);
      if (isWrite(asked)) {
        past.push({ at: now, state: scene.snapshot() });
        return next(asked);
      }
      const lag = isCall(asked) ? (whiles.get(asked.operation.id) ?? 0) : 0;
      // A read shows the state before the oldest write that is not visible yet.
      const seen = past.find(({ at }) => at + lag > now);
      if (seen === undefined) return next(asked);
      scene.met();
      const present = scene.snapshot();
      scene.restore(seen.state);
      const reply = await next(asked);
      scene.restore(present);
      return reply;
    };
  };

/**
 * For an object that its own operation shows: the answer to a change shows the change at once, later answers
 * show it late.
 */
const shownLater: Does = (scene) => {
  let past: Past[] = [];
  return async (asked, next) => {
    const { id, restore } = isCall(asked) ? asked.operation : {};
    if (!isCall(asked) || restore?.read.call !== id) return next(asked);
    const now = scene.now();
    past = past.filter(({ at }) => at + scene.convergenceMs / 2 > now);
    const [seen] = past;
    const state = scene.snapshot();
    const reply = await next(asked);
    const [kept, sent] = [Object.entries(restore?.put ?? {}), asked.body];
    if (isServed(reply) && kept.some(([name]) => name in sent)) past.push({ at: now, state });
    if (seen === undefined || !isServed(reply) || !isObject(reply.body)) return reply;
    const present = scene.snapshot();
    scene.restore(seen.state);
    const { body: before } = await next(otherCall(asked, { body: {} }));
    scene.restore(present);
    if (!isObject(before)) return reply;
    const old = kept.flatMap(([name, field]) =>
      name in sent || before[field] === undefined ? [] : [[field, before[field]]],
    );
    return { ...reply, body: { ...reply.body, ...Object.fromEntries(old) } };
  };
};

const ground = 'STAGE-23, UPD-14; how soon a change shows is not said';
const arrivals: Readonly<Record<string, (scene: Scene, operation: string) => number>> = {
  'near the end of the wait': ({ convergenceMs }) => 0.8 * convergenceMs,
  'in half the wait': ({ convergenceMs }) => 0.5 * convergenceMs,
  'differently for each list': ({ convergenceMs, random }) =>
    (random.below(9) / 10) * convergenceMs,
  'environments late': (scene, operation) => late(scene, operation === 'listEnvironments'),
  'branches late': (scene, operation) => late(scene, operation === 'listBranches'),
  'versions late': (scene, operation) => late(scene, operation === 'listVersions'),
  'the audit log late': (scene, operation) => late(scene, operation === 'exportAuditLogs'),
};
const late = ({ convergenceMs }: Scene, isLate: boolean): number =>
  isLate ? 0.7 * convergenceMs : 0;

/** The tenant's clock differs from the runner's. */
const hour = 3_600_000;
const clocks = { 'an hour ahead': hour, 'an hour late': -hour, 'a day late': -24 * hour };

export const timeVariants: readonly Variant[] = [
  ...each(
    { rule: 'clock', ground: 'no sentence says that clocks agree', on: 'mock' },
    clocks,
    (by) => ({ world: { clock: new Date(Date.now() + by).toISOString() } }),
  ),
  ...each({ rule: 'arrival', ground }, arrivals, (whileOf) => ({ does: arriving(whileOf) })),
  {
    id: 'arrival:an object shows its change in half the wait',
    ground: 'how soon a change shows is not said; its own answer shows it',
    slot: 'arrival',
    // A run expects that the objects of its own mock show each change at once.
    shared: true,
    does: shownLater,
  },
  {
    id: 'slow answers',
    ground: 'how long an answer takes is not said',
    slot: 'slow',
    does:
      ({ random, met }) =>
      async (asked, next) => {
        if (random.below(100) > 0) return next(asked);
        met();
        await setTimeout(200);
        return next(asked);
      },
  },
];
