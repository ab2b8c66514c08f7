/**
 * Walks: commands of fast-check that play calls, a few of them again and again in any order.
 *
 * A walk has a few families of calls. Each command plays some calls of one family in turns, and may
 * then look at what they changed. So calls return after themselves and after each other, which is
 * what a fault of a history needs.
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

interface Wish {
  readonly family: number;
  /** The call that is made first. */
  readonly first: number;
  readonly times: number;
  /** Which read is made at the end. */
  readonly look: number | undefined;
}

/** The families of a walk, and the session that plays it. */
export interface Stage {
  readonly families: readonly Family[];
  readonly session: Session;
  readonly played: Set<Family>;
}

export class PlayCalls implements AsyncCommand<object, Stage> {
  readonly #wish: Wish;

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  check(): boolean {
    return true;
  }

  /** Throws Contradiction, and Spent where the budget is. */
  async run(_model: object, { families, session, played }: Stage): Promise<void> {
    const { family, first, times, look } = this.#wish;
    const chosen = at(families, family);
    if (chosen === undefined) return;
    const { calls, looks } = chosen;
    played.add(chosen);
    for (let turn = 0; turn < times; turn += 1) {
      const call = at(calls, first + turn);
      if (call === undefined) return;
      await make(session, call);
      const isLast = turn === times - 1;
      if (isLast && look !== undefined) await make(session, at(looks, look) ?? readingOf(call));
    }
  }
}

/** Plays commands, then looks at all that they may have changed. Throws as a command does. */
export async function playAll(stage: Stage, commands: Iterable<AsyncCommand<object, Stage>>): Promise<void> {
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
function readingOf(call: Call): Call | undefined {
  const { read } = call.operation.restore ?? {};
  if (read?.call !== call.operation.id) return undefined;
  return { ...call, body: () => ({ body: read.body ?? {} }) };
}

/**
 * From two operations, so that one can come between the calls of the other, to as many as let each
 * pair of them meet in one walk of four.
 */
const familiesOfWalk = { minLength: 3, maxLength: 20, size: 'max' } as const;
/** Two that differ show what one leaves behind for the other; a third returns to neither. */
const callsOfFamily = { minLength: 1, maxLength: 4, size: 'max' } as const;
/** A walk of some hundred calls is short enough to shrink, and long enough for a count to sixteen. */
export const commandsOfWalk = { maxCommands: 160, size: 'max' } as const;

export function familiesOf(calls: ReadonlyMap<Operation, Arbitrary<Call>>): Arbitrary<Family[]> {
  const families = [...calls].map(([operation, some]) => {
    const area = operation.lock?.writes;
    const reads = [...calls].filter(([other]) => area !== undefined && other.lock?.reads === area);
    const looks = reads.flatMap(([, look]) => [look, look.map(wholeOf)]);
    const arbitrary = fc.record({
      calls: fc.array(some, callsOfFamily),
      looks: looks.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...looks), callsOfFamily),
    });
    return { weight: area === undefined ? 1 : 2, arbitrary };
  });
  return fc.array(fc.oneof(...families), familiesOfWalk);
}

/** Mostly one call, else up to six: a count to five is not broken by what comes between. */
const times = fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, 4, 5);

export const playCalls: Arbitrary<PlayCalls> = fc
  .record({
    family: fc.nat(839),
    first: fc.nat(5),
    times,
    look: fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
  })
  .map((wish) => new PlayCalls(wish));
