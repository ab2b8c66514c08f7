/**
 * Walks: fast-check commands that repeat a few calls in any order.
 *
 * A walk has families of calls; a family has calls of one operation. Each command is an act: it
 * makes calls of a few families in turn, and sometimes reads what they changed. So calls follow
 * themselves and each other, which finds faults that need a certain history of calls.
 */

import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { Unresolved } from '../../conformance/language/template.ts';
import type { Call } from './call.ts';
import type { Calls } from './calls.ts';
import { LeftOut, type Session } from './session.ts';

/** Calls of one operation, and the reads that show their effect. */
interface Family {
  readonly calls: readonly Call[];
  readonly looks: readonly Call[];
}

/** The families of a walk, and the session that makes its calls. */
interface Stage {
  readonly families: readonly Family[];
  readonly session: Session;
  readonly played: Set<Family>;
}

export type Act = AsyncCommand<object, Stage>;

/** An index into a list that is not known yet. Later it is reduced to an index of that list. */
const choice = (): Arbitrary<number> => fc.noShrink(fc.nat(839));
const chosen = <Item>(list: readonly Item[], index: number): Item | undefined =>
  list[index % Math.max(1, list.length)];

const play = fc.record({
  family: choice(),
  /** The call that is made first. */
  first: choice(),
  /**
   * The number of times, mostly one and at most five. Some faults count calls without another call in
   * between.
   */
  times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
  /** The read at the end, if there is one. */
  look: fc.option(choice(), { nil: undefined, freq: 2 }),
});
type Play = typeof play extends Arbitrary<infer One> ? One : never;

/** Throws Contradiction, and Spent if the budget is spent. */
const act: Arbitrary<Act> = fc
  .record({
    /** The index of the act's first family. */
    from: choice(),
    /** The number of families in the act: one, a few that meet often, or all. */
    width: fc.noShrink(fc.constantFrom(1, 2, 2, 3, 3, 4, 20, 20)),
    /** Long enough for each call to follow each other call. */
    plays: fc.array(play, { minLength: 1, maxLength: 16, size: 'max' }),
  })
  .map(({ from, width, plays }) => ({
    check: () => true,
    run: async (_model, stage) => {
      for (const one of plays) {
        const family = chosen(stage.families, from + (one.family % width));
        if (family !== undefined) await playFamily(stage, family, one);
      }
    },
  }));

/** A walk has some hundred calls. The first acts teach the rules that judge the later ones. */
export const actsOf = (replayPath: string | undefined): Arbitrary<Iterable<Act>> =>
  fc.commands([act], { maxCommands: 24, size: 'max', ...(replayPath && { replayPath }) });

async function playFamily({ session, played }: Stage, family: Family, play: Play): Promise<void> {
  const { calls, looks } = family;
  const { first, times, look } = play;
  // A change can be noticed only if the object was read before.
  if (!played.has(family)) await make(session, looks[0] ?? readingOf(chosen(calls, first)));
  played.add(family);
  for (let turn = 0; turn < times; turn += 1) await make(session, chosen(calls, first + turn));
  const last = chosen(calls, first + times - 1);
  if (look !== undefined) await make(session, chosen(looks, look) ?? readingOf(last));
}

/** Plays acts, then reads everything that they may have changed. Throws the errors of an act. */
export async function playAll(
  families: readonly Family[],
  session: Session,
  acts: Iterable<Act>,
): Promise<void> {
  const stage: Stage = { families, session, played: new Set() };
  await fc.asyncModelRun(() => ({ model: {}, real: stage }), acts);
  for (const { calls, looks } of stage.played) {
    for (const look of [...calls.map(readingOf), ...looks]) await make(session, look);
  }
}

/** Makes a call, or leaves it out if its references find nothing. */
async function make(session: Session, call: Call | undefined): Promise<void> {
  try {
    if (call !== undefined) await session.make(call);
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof LeftOut)) throw error;
  }
}

/** The call that reads the object of a write, if the write operation itself can read it. */
function readingOf(call: Call | undefined): Call | undefined {
  const { read } = call?.operation.restore ?? {};
  if (call === undefined || read?.call !== call.operation.id) return undefined;
  return { ...call, body: () => ({ body: read.body ?? {} }) };
}

/** Two different calls can affect each other. A third and a fourth call are there to disturb them. */
const callsOfFamily = { minLength: 1, maxLength: 4, size: 'max' } as const;

export function familiesOf(calls: Calls): Arbitrary<Family[]> {
  const families = [...calls].map(([operation, some]) => {
    const writes = operation.lock?.writes;
    // The reads that show the effect of the write.
    const looks = [...calls].flatMap(([{ lock }, look]) =>
      writes !== undefined && lock?.reads === writes ? look : [],
    );
    const arbitrary = fc.record({
      calls: callsOf(some),
      looks: looks.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...looks), callsOfFamily),
    });
    // Writes whose effect can be read back find most, so they are more frequent.
    return { weight: operation.restore === undefined ? 1 : 3, arbitrary };
  });
  // About one or two families for each operation, so that each operation gets its share of a walk.
  // Shrinking keeps the families, because with fewer of them every act would choose others. It only
  // makes acts fewer and shorter.
  const amount = { minLength: 6, maxLength: 18, size: 'max' } as const;
  return fc.noShrink(fc.array(fc.oneof(...families), amount));
}

/** Most families have different calls. A quarter have the same call by different credentials. */
function callsOf(some: Arbitrary<Call>): Arbitrary<Call[]> {
  return fc.tuple(fc.array(some, callsOfFamily), fc.nat(3)).map(([calls, quarter]) => {
    return quarter === 0 ? calls.map(({ as }) => ({ ...(calls[0] as Call), as })) : calls;
  });
}
