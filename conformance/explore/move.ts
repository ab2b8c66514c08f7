/** Moves: what a walk is made of. A move is data with a way to play it against a session. */

import type { Arbitrary } from 'fast-check';
import type { Effect } from '../../spec/contract.ts';
import type { Target } from '../target/target.ts';
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
  about: Omit<MoveKind, 'arbitrary'>,
  parameters: Arbitrary<Parameters>,
  play: (session: Session, parameters: Parameters) => Promise<void>,
): MoveKind {
  const arbitrary = parameters.map(
    (value): Move => ({
      kind: about.kind,
      parameters: value,
      play: (session) => play(session, value),
    }),
  );
  return { ...about, arbitrary };
}

/** What the kinds of moves are made for: who acts, and what is bound. */
export interface Setting {
  readonly target: Target;
  /** Who may do everything in the bound deployment. */
  readonly principals: readonly string[];
}

export function settingOf(target: Target): Setting {
  const principals = ['admin', 'oauth', 'scoped'].filter((name) => target.credentials.has(name));
  return { target, principals };
}

export function isAvailable(kind: MoveKind, target: Target): boolean {
  return kind.needs.every((need) => {
    if (target.credentials.has(need)) return true;
    const [name = '', field] = need.split('.');
    const binding = target.bindings[name];
    return binding !== undefined && (field === undefined || (binding[field] ?? null) !== null);
  });
}

/** The statement that is broken where a principal is not let in, and `otherwise` for others. */
export function accessStatement(actor: unknown, status: number, otherwise: string): string {
  if (status !== 401 && status !== 403) return otherwise;
  if (actor === 'scoped') return 'AUTH-9';
  return actor === 'oauth' ? 'AUTH-5' : otherwise;
}
