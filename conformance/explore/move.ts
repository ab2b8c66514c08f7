/** Moves: what a walk is made of. A move is data with a way to play it against a session. */

import type { Arbitrary } from 'fast-check';
import type { Effect, OperationId } from '../../spec/contract.ts';
import type { Target } from '../target/target.ts';
import type { Expectation } from './access.ts';
import type { Checks } from './contradiction.ts';
import type { Holders } from './sender.ts';
import type { Session } from './session.ts';

export interface Move {
  readonly kind: string;
  readonly parameters: unknown;
  readonly play: (session: Session) => Promise<void>;
}

export interface MoveKind {
  readonly kind: string;
  /** The worst that the target could do with it, should it accept what it must refuse. */
  readonly effect: Effect;
  /** Credentials and `binding.field`: what it cannot do without. */
  readonly needs: readonly string[];
  /** How often it is made, against the others. */
  readonly weight: number;
  readonly arbitrary: Arbitrary<Move>;
}

export function moveKind<Parameters>(
  kind: string,
  weight: number,
  { needs, effect }: Pick<MoveKind, 'needs' | 'effect'>,
  parameters: Arbitrary<Parameters>,
  play: (session: Session, parameters: Parameters) => Promise<void>,
): MoveKind {
  const arbitrary = parameters.map(
    (value): Move => ({ kind, parameters: value, play: (session) => play(session, value) }),
  );
  return { kind, weight, needs, effect, arbitrary };
}

/** What the moves are made for. */
export interface Setting {
  readonly target: Target;
  /**
   * The credentials of the target, and `none`, of which the table of authorisation expects this
   * for the operation, made as its own call.
   */
  readonly actors: (operation: OperationId, expected: Expectation) => readonly string[];
}

/** What the explorer must be told of an area. */
export interface ExploredArea {
  readonly moves?: (setting: Setting) => readonly MoveKind[];
  /** What every walk over the pages of a list is judged by. */
  readonly walks?: Partial<Record<'walkPages' | 'scimList', Checks>>;
  readonly holders?: Holders;
}

/** An element by any number, for choices that are made before the list is known. */
export function pick<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}
