/**
 * Walks: commands of fast-check that play calls, a few of them again and again in any order.
 *
 * A walk has families of calls, each of one operation. Each command is an act: for a while, calls of
 * a few families are made in turns, now and then with a look at what they changed. So calls return
 * after themselves and after each other, which is what a fault of a history needs.
 */

import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { Unresolved } from '../../conformance/language/template.ts';
import type { Call } from './call.ts';
import type { Calls } from './calls.ts';
import { LeftOut, type Session } from './session.ts';

/** Calls of one operation, and reads that show what they change. */
interface Family {
  readonly calls: readonly Call[];
  readonly looks: readonly Call[];
}

/** The families of a walk, and the session that plays it. */
interface Stage {
  readonly families: readonly Family[];
  readonly session: Session;
  readonly played: Set<Family>;
}

export type Act = AsyncCommand<object, Stage>;

/** A choice that is made before the list is known: an index, of any size, into it. */
const choice = (): Arbitrary<number> => fc.noShrink(fc.nat(839));
const chosen = <Item>(list: readonly Item[], index: number): Item | undefined =>
  list[index % Math.max(1, list.length)];

const play = fc.record({
  family: choice(),
  /** The call that is made first. */
  first: choice(),
  /** Mostly one, else up to five: a call in between may end a count. */
  times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
  /** Which read is made at the end. */
  look: fc.option(choice(), { nil: undefined, freq: 2 }),
});
type Play = typeof play extends Arbitrary<infer One> ? One : never;

/** Throws Contradiction, and Spent if the budget is. */
const act: Arbitrary<Act> = fc
  .record({
    /** The first of its families. */
    from: choice(),
    /** Of one operation, of two or three that meet often, or of all. */
    width: fc.noShrink(fc.constantFrom(1, 2, 2, 3, 3, 4, 20, 20)),
    /** Long enough that each call comes after each other one. */
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

/** Some hundred calls: the first acts teach the rules that judge those after them. */
export const actsOf = (replayPath: string | undefined): Arbitrary<Iterable<Act>> =>
  fc.commands([act], { maxCommands: 24, size: 'max', ...(replayPath && { replayPath }) });

async function playFamily({ session, played }: Stage, family: Family, play: Play): Promise<void> {
  const { calls, looks } = family;
  const { first, times, look } = play;
  // A change shows only in something that was seen before.
  if (!played.has(family)) await make(session, looks[0] ?? readingOf(chosen(calls, first)));
  played.add(family);
  for (let turn = 0; turn < times; turn += 1) await make(session, chosen(calls, first + turn));
  const last = chosen(calls, first + times - 1);
  if (look !== undefined) await make(session, chosen(looks, look) ?? readingOf(last));
}

/** Plays acts, then looks at all that they may have changed. Throws as an act does. */
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

/** A call whose references find nothing is left out. */
async function make(session: Session, call: Call | undefined): Promise<void> {
  try {
    if (call !== undefined) await session.make(call);
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof LeftOut)) throw error;
  }
}

/** How the object of a write is read, if the write itself reads it. */
function readingOf(call: Call | undefined): Call | undefined {
  const { read } = call?.operation.restore ?? {};
  if (call === undefined || read?.call !== call.operation.id) return undefined;
  return { ...call, body: () => ({ body: read.body ?? {} }) };
}

/** Two that differ show the effect of one on the other; a third and a fourth are neither. */
const callsOfFamily = { minLength: 1, maxLength: 4, size: 'max' } as const;

export function familiesOf(calls: Calls): Arbitrary<Family[]> {
  const families = [...calls].map(([operation, some]) => {
    const writes = operation.lock?.writes;
    // Reads that show what it writes.
    const looks = [...calls].flatMap(([{ lock }, look]) =>
      writes !== undefined && lock?.reads === writes ? look : [],
    );
    const arbitrary = fc.record({
      calls: callsOf(some),
      looks: looks.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...looks), callsOfFamily),
    });
    // Objects that can be read back show most, so they are written more often.
    return { weight: operation.restore === undefined ? 1 : 3, arbitrary };
  });
  // As many as the operations, or about twice: each has about its share of a walk. Fewer families
  // would be other ones for each act: it is the acts that become fewer and shorter.
  const amount = { minLength: 6, maxLength: 18, size: 'max' } as const;
  return fc.noShrink(fc.array(fc.oneof(...families), amount));
}

/** Mostly different calls; in a quarter of the families, the same call by different credentials. */
function callsOf(some: Arbitrary<Call>): Arbitrary<Call[]> {
  return fc.tuple(fc.array(some, callsOfFamily), fc.nat(3)).map(([calls, quarter]) => {
    return quarter === 0 ? calls.map(({ as }) => ({ ...(calls[0] as Call), as })) : calls;
  });
}
