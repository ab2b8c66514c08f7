/**
 * What a deviation does: at which stages of a call it stands, and what it makes of them. Every
 * operator ends in one of the five functions below.
 */
import type { Caller } from '../pipeline/authenticate.ts';
import type { Call } from '../pipeline/call.ts';
import { type Answer, isRefusal, type Refusal } from '../pipeline/exchange.ts';
import type { AnswerScene, Deviation, Memory, Scene, Stage } from './deviation.ts';

export type Does = Pick<Deviation, 'authenticate' | 'stage' | 'handle' | 'refused' | 'answer'>;
export type Handled = Answer | Refusal;
export type Handle = NonNullable<Deviation['handle']>;
export type Next = Parameters<Handle>[0];
/** The scene of a credential that is looked at. */
export type AuthenticationScene = Parameters<NonNullable<Deviation['authenticate']>>[1];
/** The scene of a stage that may refuse the call. */
export type StageScene = Parameters<NonNullable<Deviation['stage']>>[2];

/** Replaces who asks, or why they are not let in. */
export const onAuthentication = (
  change: (result: Caller | Refusal, scene: AuthenticationScene) => Caller | Refusal,
): Does => ({ authenticate: change });

/** Replaces why one of these stages refuses a call; undefined where it does not. */
export const onStage = (
  stages: readonly Stage[],
  change: (refused: Refusal | undefined, scene: StageScene) => Refusal | undefined,
): Does => ({
  stage: (at, refused, scene) => (stages.includes(at) ? change(refused, scene) : refused),
});

/** Stands around the handler. */
export const onHandling = (handle: Handle): Does => ({ handle });

/** Happens once a call was refused by a stage or by its handler. */
export const onRefusal = (act: (refusal: Refusal, scene: Scene) => void): Does => ({
  refused: act,
});

/** Replaces an answer as it is about to be written out, that of a refusal too. */
export const onAnswer = (change: (answer: Answer, scene: AnswerScene) => Answer): Does => ({
  answer: change,
});

/** Does one after the other. Each stage may be taken by one of them. */
export function together(parts: readonly Does[]): Does {
  const all = Object.assign({}, ...parts) as Does;
  const stages = parts.flatMap((part) => Object.keys(part));
  if (stages.length > Object.keys(all).length) throw new Error(`twice at one of: ${stages}`);
  return all;
}

/** Applies a change to what a handler returns, now or later. */
export function whenDone(
  result: Handled | Promise<Handled>,
  change: (done: Handled) => Handled,
): Handled | Promise<Handled> {
  return result instanceof Promise ? result.then(change) : change(result);
}

export type { Answer, Call, Memory, Refusal, Scene, Stage };
export { isRefusal };
