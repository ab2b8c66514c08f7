/** Walks: which moves a seed makes, and what becomes of them when they are played. */

import fc from 'fast-check';
import type { Effect } from '../../spec/contract.ts';
import { Unresolved } from '../language/template.ts';
import { worse } from '../language/vocabulary.ts';
import type { Target } from '../target/target.ts';
import { Spent } from './budget.ts';
import { Contradiction } from './contradiction.ts';
import { folderMoves } from './folder-moves.ts';
import { jobMoves } from './job-moves.ts';
import { keyMoves } from './key-moves.ts';
import { isAvailable, type Move, type MoveKind, settingOf } from './move.ts';
import { notificationMoves } from './notification-moves.ts';
import { pageMoves } from './page-moves.ts';
import { recipientMoves } from './recipient-moves.ts';
import { scimMoves } from './scim-moves.ts';
import type { Session } from './session.ts';
import { stagingMoves } from './staging-moves.ts';
import { tokenMoves } from './token-moves.ts';
import { versionMoves } from './version-moves.ts';

const areas = [
  stagingMoves,
  pageMoves,
  versionMoves,
  folderMoves,
  recipientMoves,
  notificationMoves,
  tokenMoves,
  keyMoves,
  scimMoves,
  jobMoves,
];

/** The kinds of moves that a target can be asked for, and that the run may make. */
export function kindsFor(target: Target, allow: Effect): MoveKind[] {
  const setting = settingOf(target);
  return areas
    .flatMap((area) => area(setting))
    .filter((kind) => isAvailable(kind, target) && !worse(kind.effect, allow));
}

/** The moves of one walk; the same for the same seed, number and kinds. */
export function movesOf(
  kinds: readonly MoveKind[],
  seed: number,
  number: number,
  length: number,
): Move[] {
  const weighted = kinds.map(({ weight, arbitrary }) => ({ weight: weight * 10, arbitrary }));
  const moves = fc.array(fc.oneof(...weighted), {
    minLength: length,
    maxLength: length,
    size: 'max',
  });
  const own = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0;
  const [walk = []] = fc.sample(moves, { seed: own, numRuns: 1, unbiased: true });
  return walk;
}

export interface Played {
  readonly contradiction: Contradiction | undefined;
  /** Moves that were begun. */
  readonly moves: number;
  /** Which budget ended it. */
  readonly spent: string | undefined;
}

/** A reference that finds nothing says nothing: the move is left out, or ends where it stands. */
async function playOne(session: Session, move: Move): Promise<void> {
  try {
    await move.play(session);
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error;
  }
}

/** Plays moves in order until one contradicts a promise or the budget is spent. */
export async function play(session: Session, moves: readonly Move[]): Promise<Played> {
  let begun = 0;
  try {
    for (const move of moves) {
      begun += 1;
      await playOne(session, move);
    }
    return { contradiction: undefined, moves: begun, spent: undefined };
  } catch (error) {
    if (error instanceof Contradiction)
      return { contradiction: error, moves: begun, spent: undefined };
    if (error instanceof Spent) {
      return { contradiction: undefined, moves: begun, spent: error.message };
    }
    throw error;
  }
}
