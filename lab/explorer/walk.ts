/** Walks: which moves a seed makes, and what becomes of them when they are played. */

import fc from 'fast-check';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { collide, type Scenario } from '../../conformance/language/scenario.ts';
import { Unresolved } from '../../conformance/language/template.ts';
import { worse } from '../../conformance/language/vocabulary.ts';
import { lack, makePlan } from '../../conformance/safety/plan.ts';
import type { Target } from '../../conformance/target/target.ts';
import { Random } from '../../spec/base/random.ts';
import type { Effect } from '../../spec/contract.ts';
import { Access } from './access.ts';
import { Contradiction } from './contradiction.ts';
import type { ExploredArea, Move, MoveKind, Setting } from './move.ts';
import { pick } from './pick.ts';
import { Spent } from './sender.ts';
import type { Session } from './session.ts';
import { callAgain, isCalm, isPlayable, playScenario } from './suite-moves.ts';

/** What walks over a target are made of. */
export interface Repertoire {
  /** Each with its place among the areas. */
  readonly kinds: readonly (MoveKind & { readonly area: number })[];
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
  const actors: Setting['actors'] = (operation) =>
    [...target.credentials.keys()].filter((name) => access.allows(operation, name));
  const kinds = areas
    .flatMap(({ moves }, area) =>
      (moves?.({ target, actors }) ?? []).map((kind) => ({ ...kind, area })),
    )
    .filter(
      ({ needs, effect }) => !worse(effect, allow) && !needs.some((need) => lack(need, target)),
    );
  playable ??= loadOwnSuite().scenarios.filter(isPlayable);
  const plan = makePlan(playable, target, allow, { id: 'r', startedAt: '2026-01-01T00:00:00Z' });
  return { kinds, scenarios: plan.run };
}

const isRead = ({ reads, effect }: MoveKind): boolean => reads ?? effect === 'none';

/** A scenario makes more calls than a move: walks of either sort shall have as many. */
const scenariosPerMove = 0.2;

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
  const ofScenarios = kinds.length === 0 || (scenarios.length > 0 && number % 3 === 1);
  const turn = kinds.length === 0 || scenarios.length === 0 ? number : Math.floor(number / 3);
  const random = new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0);
  if (!ofScenarios) return acts(kinds, scenarios.filter(isCalm), random, number, length);
  const cards = Math.ceil(length * scenariosPerMove);
  return dealt(scenarios, seed, turn * cards, cards, random);
}

/**
 * Moves in acts: a few are made in turns, in any order, so that each comes behind each of the others
 * and behind itself. Now and then an act has a scenario that changes nothing, or earlier calls.
 */
function acts(
  kinds: Repertoire['kinds'],
  calm: readonly Scenario[],
  random: Random,
  number: number,
  length: number,
): Move[] {
  const byOperation = [...Map.groupBy(calm, operationOf).values()];
  const deck = kinds.flatMap((kind) => Array<typeof kind>(kind.weight).fill(kind));
  const sample = (kind: MoveKind | undefined): Move[] =>
    kind === undefined ? [] : fc.sample(kind.arbitrary, { seed: random.next(), numRuns: 1 });
  const ofKind = (kind = pick(deck, random.next())): (() => Move[]) => {
    const same = sample(kind);
    const make = random.below(2) === 0 ? () => same : () => sample(kind);
    if (kind === undefined || isRead(kind)) return make;
    // What was just changed is often read at once.
    const reads = deck.filter((other) => other.area === kind.area && isRead(other));
    return () =>
      random.below(3) > 0 ? [...make(), ...sample(pick(reads, random.next()))] : make();
  };
  const ofAny = (): (() => Move[]) => {
    const what = random.below(12);
    if (what < 2) {
      const again = againMove(random, number, random.next());
      return () => [again()];
    }
    if (what >= 4) return ofKind();
    const some = pick(byOperation, random.next()) ?? [];
    return () => {
      const scenario = pick(some, random.next());
      return scenario === undefined ? [] : [scenarioMove(scenario)];
    };
  };
  const few = () => Array.from({ length: 2 + random.below(3) }, ofAny);
  const many = () => Array.from({ length: 10 }, ofAny);
  const ofArea = () => {
    const area = pick(deck, random.next())?.area;
    const own = deck.filter((kind) => kind.area === area);
    return [...Array.from({ length: 4 }, () => ofKind(pick(own, random.next()))), ofAny()];
  };
  const casting = [few, many, many, many, ofArea];
  const rare = againMove(random, number, undefined);
  const moves: Move[] = [];
  while (moves.length < length) {
    const cast = pick(casting, random.next())?.() ?? [];
    const plays = Array.from({ length: 8 + random.below(12) }, () => [
      ...(pick(cast, random.next())?.() ?? []),
      ...(random.below(4) === 0 ? [rare(), rare(), rare()] : []),
    ]);
    moves.push(...plays.flat());
  }
  return moves.slice(0, length);
}

/**
 * Earlier calls, of one cast; without one, those that are seldom behind the last. There is time for
 * about three behind each kind of call, so that each walk begins with others.
 */
function againMove(random: Random, walk: number, cast: number | undefined): () => Move {
  return () => {
    const parameters = { cast, turn: walk * 3, index: random.next(), by: random.next() };
    return { kind: 'call again', parameters, play: (session) => callAgain(session, parameters) };
  };
}

/**
 * Scenarios from a shuffled deck: each is played once before one is played again. A few of the same
 * operation follow each other, so that a call has others like it before it. Between the steps of
 * every second one is a guest, a scenario that could run beside it; behind each, calls are made again.
 */
function dealt(
  all: readonly Scenario[],
  seed: number,
  from: number,
  count: number,
  random: Random,
): Move[] {
  const decks: Scenario[][] = [];
  const deck = (pass: number): readonly Scenario[] =>
    (decks[pass] ??= shuffledHands(all, new Random(seed + pass * 7919)));
  const guests = random.shuffled(all);
  const moves: Move[] = [];
  for (let place = 0; place < count; place += 1) {
    const at = from + place;
    const scenario = deck(Math.floor(at / all.length))[at % all.length];
    if (scenario === undefined) continue;
    moves.push(scenarioMove(scenario, place % 2 === 0 ? guests[place % all.length] : undefined));
    if (at % hand > 0) continue;
    const again = againMove(random, at, place % 2 ? random.next() : undefined);
    for (let time = 0; time < 12; time += 1) moves.push(again());
  }
  return moves;
}

const operationOf = ({ steps }: Scenario): string | undefined =>
  steps.findLast(({ operation }) => operation !== undefined)?.operation?.id;

/** How many scenarios of an operation follow each other. */
const hand = 5;

function shuffledHands(all: readonly Scenario[], random: Random): Scenario[] {
  const alike = [...Map.groupBy(random.shuffled(all), operationOf).values()];
  const hands = alike.flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / hand) }, (_, index) =>
      same.slice(index * hand, (index + 1) * hand),
    ),
  );
  return random.shuffled(hands).flat();
}

function scenarioMove(scenario: Scenario, company?: Scenario): Move {
  const guest = company === undefined || collide(scenario, company) ? undefined : company;
  const play = (session: Session): Promise<void> => playScenario(session, scenario, guest);
  return { kind: 'play a scenario', parameters: scenario.title, play };
}

export interface Played {
  readonly session: Session;
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
      if (error instanceof Contradiction) return { session, moves: begun, contradiction: error };
      if (error instanceof Spent) return { session, moves: begun, spent: error.message };
      // A reference that finds nothing says nothing: the move is left out, or ends where it stands.
      if (!(error instanceof Unresolved)) throw error;
    }
  }
  return { session, moves: begun };
}
