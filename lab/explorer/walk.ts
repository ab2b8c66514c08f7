/**
 * Walks: commands of fast-check that play calls, a few of them again and again in any order.
 *
 * A walk has families of calls, each of one operation. Each command is an act: for a while, calls of
 * a few families are made in turns, now and then with a look at what they changed. So calls return
 * after themselves and after each other, which is what a fault of a history needs.
 */

import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { Unresolved } from '../../conformance/language/template.ts';
import type { Operation } from '../../spec/contract.ts';
import type { Call } from './call.ts';
import { wholeOf } from './calls.ts';
import { LeftOut } from './sender.ts';
import type { Session } from './session.ts';

/** Calls of one operation, and reads that show what they change. */
export interface Family {
  readonly calls: readonly Call[];
  readonly looks: readonly Call[];
}

interface Play {
  readonly family: number;
  /** The call that is made first. */
  readonly first: number;
  readonly times: number;
  /** Which read is made at the end. */
  readonly look: number | undefined;
}

interface Wish {
  /** The first of its families. */
  readonly from: number;
  /** How many families it has. */
  readonly width: number;
  readonly plays: readonly Play[];
}

/** The families of a walk, and the session that plays it. */
export interface Stage {
  readonly families: readonly Family[];
  readonly session: Session;
  readonly played: Set<Family>;
}

export class Act implements AsyncCommand<object, Stage> {
  readonly #wish: Wish;

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  check(): boolean {
    return true;
  }

  /** Throws Contradiction, and Spent where the budget is. */
  async run(_model: object, stage: Stage): Promise<void> {
    const { from, width, plays } = this.#wish;
    for (const play of plays) {
      const family = at(stage.families, from + (play.family % width));
      if (family !== undefined) await playFamily(stage, family, play);
    }
  }
}

async function playFamily({ session, played }: Stage, family: Family, play: Play): Promise<void> {
  const { calls, looks } = family;
  const { first, times, look } = play;
  // What nobody has seen before cannot be seen to change.
  if (!played.has(family)) await make(session, looks[0] ?? readingOf(at(calls, first)));
  played.add(family);
  for (let turn = 0; turn < times; turn += 1) await make(session, at(calls, first + turn));
  const last = at(calls, first + times - 1);
  if (look !== undefined) await make(session, at(looks, look) ?? readingOf(last));
}

/** Plays commands, then looks at all that they may have changed. Throws as a command does. */
export async function playAll(
  stage: Stage,
  commands: Iterable<AsyncCommand<object, Stage>>,
): Promise<void> {
  await fc.asyncModelRun(() => ({ model: {}, real: stage }), commands);
  for (const { calls, looks } of stage.played) {
    for (const look of [...calls.map(readingOf), ...looks]) await make(stage.session, look);
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

/** An element by any number, for choices that are made before the list is known. */
function at<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}

/** How the object of a write is read, where the write itself reads it. */
function readingOf(call: Call | undefined): Call | undefined {
  const { read } = call?.operation.restore ?? {};
  if (call === undefined || read?.call !== call.operation.id) return undefined;
  return { ...call, body: () => ({ body: read.body ?? {} }) };
}

/** As many as the operations, or about twice: each has about its share of a walk. */
const familiesOfWalk = { minLength: 6, maxLength: 18, size: 'max' } as const;
/** Two that differ show what one leaves behind for the other; a third and a fourth are neither. */
const callsOfFamily = { minLength: 1, maxLength: 4, size: 'max' } as const;
/** Long enough that each call comes after each other one. */
const playsOfAct = { minLength: 1, maxLength: 16, size: 'max' } as const;
/** Some hundred calls: what is learned of the target in the first acts judges those after them. */
export const actsOfWalk = { maxCommands: 24, size: 'max' } as const;

export function familiesOf(calls: ReadonlyMap<Operation, Arbitrary<Call>>): Arbitrary<Family[]> {
  const families = [...calls].map(([operation, some]) => {
    const area = operation.lock?.writes;
    const reads = [...calls].filter(([other]) => area !== undefined && other.lock?.reads === area);
    const looks = reads.flatMap(([, look]) => [look, look.map(wholeOf), look.map(wholeOf)]);
    const arbitrary = fc.record({
      calls: callsOf(some),
      looks: looks.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...looks), callsOfFamily),
    });
    // What can be read back shows most: the more it is written, the more is seen.
    return { weight: operation.restore === undefined ? 1 : 3, arbitrary };
  });
  // Fewer families would be other ones for each act: it is the acts that become fewer and shorter.
  return fc.noShrink(fc.array(fc.oneof(...families), familiesOfWalk));
}

/** Mostly different calls; in a quarter of the families, the same call by different credentials. */
function callsOf(some: Arbitrary<Call>): Arbitrary<Call[]> {
  return fc.tuple(fc.array(some, callsOfFamily), fc.nat(3)).map(([calls, quarter]) => {
    return quarter === 0 ? calls.map(({ as }) => ({ ...(calls[0] as Call), as })) : calls;
  });
}

const choice = (): Arbitrary<number> => fc.noShrink(fc.nat(839));

const play = fc.record({
  family: choice(),
  first: choice(),
  /** Mostly one, else up to five: what comes between may end a count. */
  times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
  look: fc.option(choice(), { nil: undefined, freq: 2 }),
});

export const act: Arbitrary<Act> = fc
  .record({
    from: choice(),
    /** Of one operation, of two or three that meet often, or of all. */
    width: fc.noShrink(fc.constantFrom(1, 2, 2, 3, 3, 4, 20, 20)),
    plays: fc.array(play, playsOfAct),
  })
  .map((wish) => new Act(wish));
