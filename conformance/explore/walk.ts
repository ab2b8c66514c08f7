/** Walks: which moves a seed makes, and what becomes of them when they are played. */

import fc from 'fast-check';
import type { Effect } from '../../spec/contract.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { collide, type Scenario } from '../language/scenario.ts';
import { Unresolved } from '../language/template.ts';
import { worse } from '../language/vocabulary.ts';
import { lack, makePlan } from '../safety/plan.ts';
import type { Target } from '../target/target.ts';
import { Access } from './access.ts';
import { Spent } from './budget.ts';
import { Contradiction } from './contradiction.ts';
import type { ExploredArea, Move, MoveKind, Setting } from './move.ts';
import type { Session } from './session.ts';
import { isCalm, isPlayable, playScenario, readAgain } from './suite-moves.ts';

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
  const actors: Setting['actors'] = (operation, expected) =>
    names.filter((name) => access.expectation(operation, name) === expected);
  const kinds = areas
    .flatMap((area) => area.moves?.({ target, actors }) ?? [])
    .filter(
      ({ needs, effect }) => !worse(effect, allow) && !needs.some((need) => lack(need, target)),
    );
  playable ??= loadOwnSuite().scenarios.filter(isPlayable);
  const plan = makePlan(playable, target, allow, { id: 'r', startedAt: '2026-01-01T00:00:00Z' });
  return { kinds, scenarios: plan.run };
}

/** One move of so many in a walk of the areas' moves is a scenario that changes nothing. */
const everyNth = 4;

/** A scenario makes more calls than a move: walks of either sort shall have as many. */
const scenariosPerMove = 0.6;

/**
 * The moves of one walk; the same for the same seed, number and repertoire. Scenarios and the moves
 * of the areas take turns, as a scenario that writes makes an area's beliefs worthless.
 */
export function movesOf(
  { kinds, scenarios }: Repertoire,
  seed: number,
  number: number,
  length: number,
): Move[] {
  if (kinds.length === 0) return dealt(scenarios, seed, number * length, length);
  if (scenarios.length === 0) return random(kinds, seed, number, length);
  const turn = number >> 1;
  const cardsOfTurn = Math.ceil(length * scenariosPerMove);
  if (number % 2 === 1) return dealt(scenarios, seed, turn * cardsOfTurn, cardsOfTurn);
  const calm = scenarios.filter(isCalm);
  const places = Math.ceil(length / everyNth);
  const cards = dealt(calm, seed, turn * places, places);
  return random(kinds, seed, turn, length).map((move, place) =>
    place % everyNth === 0 ? (cards[place / everyNth] ?? move) : move,
  );
}

function random(kinds: readonly MoveKind[], seed: number, number: number, length: number): Move[] {
  const own = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0;
  // Now and then several of a kind follow each other.
  const runs = (arbitrary: MoveKind['arbitrary']) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(arbitrary) },
      { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 3, maxLength: 6, size: 'max' }) },
    );
  const weighted = kinds.map(({ weight, arbitrary }) => ({
    weight: weight * 10,
    arbitrary: runs(arbitrary),
  }));
  const bounds = { minLength: length, maxLength: length, size: 'max' } as const;
  return sample(fc.array(fc.oneof(...weighted), bounds), own)
    .flat()
    .slice(0, length);
}

/**
 * Scenarios from a shuffled deck: each is played once before one is played again. A few of the same
 * operation follow each other, so that a call has others like it before it. Between the steps of
 * every second one is a guest, a scenario that could run beside it; behind each, reads are made again.
 */
function dealt(all: readonly Scenario[], seed: number, from: number, count: number): Move[] {
  const shuffled = <Item>(items: readonly Item[], salt: number): Item[] =>
    sample(fc.shuffledSubarray([...items], { minLength: items.length }), seed + salt * 7919);
  const decks: Scenario[][] = [];
  const deck = (pass: number): readonly Scenario[] =>
    (decks[pass] ??= shuffled(handsOf(shuffled(all, pass)), pass).flat());
  const guests = shuffled(all, from + 1);
  return Array.from({ length: count }, (_, place) => {
    const at = from + place;
    const scenario = deck(Math.floor(at / all.length))[at % all.length];
    const guest = place % 2 === 0 ? guests[place % all.length] : undefined;
    const again = Array.from({ length: at % hand === 0 ? 12 : 1 }, (_, time) =>
      Math.abs(Math.imul(seed + at * 16 + time, 0x9e3779b1) >> 8),
    );
    return scenario && scenarioMove(scenario, guest, again);
  }).filter((move) => move !== undefined);
}

const operationOf = ({ steps }: Scenario): string | undefined =>
  steps.findLast(({ operation }) => operation !== undefined)?.operation?.id;

/** How many scenarios of an operation follow each other. */
const hand = 5;

function handsOf(deck: readonly Scenario[]): Scenario[][] {
  return [...Map.groupBy(deck, operationOf).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / hand) }, (_, index) =>
      same.slice(index * hand, (index + 1) * hand),
    ),
  );
}

function sample<Value>(arbitrary: fc.Arbitrary<Value[]>, seed: number): Value[] {
  return fc.sample(arbitrary, { seed, numRuns: 1, unbiased: true })[0] ?? [];
}

function scenarioMove(
  scenario: Scenario,
  guest: Scenario | undefined,
  again: readonly number[],
): Move {
  const guests = guest === undefined || collide(scenario, guest) ? [] : [guest];
  const play = async (session: Session): Promise<void> => {
    await playScenario(session, scenario, guests);
    for (const chance of again) await readAgain(session, chance);
  };
  return { kind: 'play a scenario', parameters: scenario.title, play };
}

export interface Played {
  readonly contradiction?: Contradiction;
  /** Moves that were begun. */
  readonly moves: number;
  /** Which budget ended it. */
  readonly spent?: string;
}

/** Plays moves in order until one contradicts a promise or the budget is spent. */
export async function play(session: Session, moves: readonly Move[]): Promise<Played> {
  let begun = 0;
  for (const move of moves) {
    begun += 1;
    try {
      await move.play(session);
    } catch (error) {
      if (error instanceof Contradiction) return { moves: begun, contradiction: error };
      if (error instanceof Spent) return { moves: begun, spent: error.message };
      // A reference that finds nothing says nothing: the move is left out, or ends where it stands.
      if (!(error instanceof Unresolved)) throw error;
    }
  }
  return { moves: begun };
}
