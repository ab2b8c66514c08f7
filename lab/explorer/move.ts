/** Moves: what a walk is made of. A move is data with a way to play it against a session. */

import fc, { type Arbitrary } from 'fast-check';
import type { Target } from '../../conformance/target/target.ts';
import type { Effect, OperationId } from '../../spec/contract.ts';
import type { PageChecks, Session } from './session.ts';

export interface Move {
  readonly kind: string;
  readonly parameters: unknown;
  readonly play: (session: Session) => Promise<void>;
}

export interface MoveKind {
  readonly kind: string;
  /** The worst that the target could do with it, should it accept what it must refuse. */
  readonly effect: Effect;
  /** It shows what others of its area have changed, though it could change something. */
  readonly reads?: boolean;
  /** Credentials and `binding.field`: what it cannot do without. */
  readonly needs: readonly string[];
  /** How often it is made, against the others. */
  readonly weight: number;
  readonly arbitrary: Arbitrary<Move>;
}

export function moveKind<Parameters>(
  kind: string,
  weight: number,
  facts: Pick<MoveKind, 'needs' | 'effect' | 'reads'>,
  parameters: Arbitrary<Parameters>,
  play: (session: Session, parameters: Parameters) => Promise<void>,
): MoveKind {
  const move = (value: Parameters): Move => ({
    kind,
    parameters: value,
    play: (session) => play(session, value),
  });
  // Small values and large ones are no more likely to fail here.
  const arbitrary = fc.noBias(parameters.map(move));
  return { kind, weight, ...facts, arbitrary };
}

/** What the moves are made for. */
export interface Setting {
  readonly target: Target;
  /** The credentials of the target that the table of authorisation lets make the operation's own call. */
  readonly actors: (operation: OperationId) => readonly string[];
}

/** Half of the calls are the administrator's, so that one often returns behind somebody else's. */
export const anActor = (allowed: readonly string[]): Arbitrary<string> =>
  fc.oneof(fc.constant('admin'), fc.constantFrom('admin', ...allowed));

/** Who makes a call several times: mostly one once, else two in turns, up to six times. */
export const inTurns = (allowed: readonly string[]): Arbitrary<readonly string[]> =>
  fc
    .tuple(
      anActor(allowed),
      fc.constantFrom('admin', ...allowed),
      fc.constantFrom(1, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 6),
    )
    .map(([one, other, times]) =>
      Array.from({ length: times }, (_, turn) => (turn % 2 === 0 ? one : other)),
    );

/** What the explorer must be told of an area. */
export interface ExploredArea {
  readonly moves?: (setting: Setting) => readonly MoveKind[];
  readonly walks?: PageChecks;
}
