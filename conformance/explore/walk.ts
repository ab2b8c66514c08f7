/** Walks: which moves a seed makes, and what becomes of them when they are played. */

import fc from 'fast-check';
import type { Effect } from '../../spec/contract.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { Scenario } from '../language/scenario.ts';
import { Unresolved } from '../language/template.ts';
import { worse } from '../language/vocabulary.ts';
import { makePlan } from '../safety/plan.ts';
import type { Target } from '../target/target.ts';
import { Access } from './access.ts';
import { Spent } from './budget.ts';
import { Contradiction } from './contradiction.ts';
import { type ExploredArea, isAvailable, type Move, type MoveKind } from './move.ts';
import type { Session } from './session.ts';
import { isPlayable, playScenario } from './suite-moves.ts';

/** What walks over a target are made of. */
export interface Repertoire {
  readonly kinds: readonly MoveKind[];
  /** Scenarios of the suite; each is played once before one is played again. */
  readonly scenarios: readonly Scenario[];
}

let playable: readonly Scenario[] | undefined;

/** The moves that a target can be asked for, and that the run may make. */
export function repertoireOf(
  areas: readonly ExploredArea[],
  target: Target,
  allow: Effect,
): Repertoire {
  const access = new Access(target);
  const names = ['none', ...target.credentials.keys()];
  const actors: Parameters<ExploredArea['moves']>[0]['actors'] = (operation, expected) =>
    names.filter((name) => access.expectation(operation, name) === expected);
  const kinds = areas
    .flatMap((area) => area.moves({ target, actors }))
    .filter((kind) => isAvailable(kind, target) && !worse(kind.effect, allow));
  playable ??= loadOwnSuite().scenarios.filter(isPlayable);
  // A tenant has `certify` for them; its calls are for what nobody wrote down.
  if (target.kind === 'tenant') return { kinds, scenarios: [] };
  const plan = makePlan(playable, target, allow, { id: 'r', startedAt: '2026-01-01T00:00:00Z' });
  return { kinds, scenarios: plan.run };
}

/** One move of so many is a scenario of the suite. */
const everyNth = 4;

/** The moves of one walk; the same for the same seed, number and repertoire. */
export function movesOf(
  { kinds, scenarios }: Repertoire,
  seed: number,
  number: number,
  length: number,
): Move[] {
  const own = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0;
  const weighted = kinds.map(({ weight, arbitrary }) => ({ weight: weight * 10, arbitrary }));
  const bounds = { minLength: length, maxLength: length, size: 'max' } as const;
  const moves = kinds.length === 0 ? [] : sample(fc.array(fc.oneof(...weighted), bounds), own);
  if (scenarios.length === 0) return moves;
  const dealt = sample(fc.shuffledSubarray([...scenarios], { minLength: scenarios.length }), seed);
  const places = Math.ceil(length / everyNth);
  return Array.from({ length }, (_, place): Move | undefined => {
    const random = moves[place];
    if (random !== undefined && place % everyNth !== 0) return random;
    const card = number * places + Math.floor(place / (random === undefined ? 1 : everyNth));
    const scenario = dealt[card % dealt.length];
    return scenario && scenarioMove(scenario);
  }).filter((move) => move !== undefined);
}

function sample<Value>(arbitrary: fc.Arbitrary<Value[]>, seed: number): Value[] {
  return fc.sample(arbitrary, { seed, numRuns: 1, unbiased: true })[0] ?? [];
}

function scenarioMove(scenario: Scenario): Move {
  const play = (session: Session): Promise<void> => playScenario(session, scenario);
  return { kind: 'play a scenario', parameters: scenario.title, play };
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
    if (error instanceof Contradiction) {
      return { contradiction: error, moves: begun, spent: undefined };
    }
    if (error instanceof Spent) {
      return { contradiction: undefined, moves: begun, spent: error.message };
    }
    throw error;
  }
}
