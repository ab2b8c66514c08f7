/** Deviations that are written as hooks at five points of the pipeline, as wraps of its stages. */

import type { Operation } from '../../spec/contract.ts';
import type { DeviationRecord, Memory } from '../world/deviations.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import { type ExchangeRequest, isRefusal, type Refusal, type Reply } from './exchange.ts';
import type { AnswerScene, CallScene, Wrap, Wraps } from './stages.ts';

/** A point at which a call may be refused before it is handled. */
export type CheckStage = 'authorise' | 'validate' | 'find' | 'edit';

export interface HookDeviation extends DeviationRecord {
  /** Replaces the result of authentication. */
  readonly authenticate?: (
    result: Caller | Refusal,
    scene: {
      readonly operation: Operation;
      readonly request: ExchangeRequest;
      readonly world: World;
      readonly memory: Memory;
    },
  ) => Caller | Refusal;
  /** Replaces the result of a stage. */
  readonly stage?: (
    stage: CheckStage,
    refused: Refusal | undefined,
    scene: { readonly call: Call; readonly request: ExchangeRequest; readonly memory: Memory },
  ) => Refusal | undefined;
  /** Wraps the handler: may change the call before it and the state after it. */
  readonly handle?: (
    next: () => Reply | Refusal | Promise<Reply | Refusal>,
    scene: CallScene,
  ) => Reply | Refusal | Promise<Reply | Refusal>;
  /** Happens after a call was refused by a stage or its handler. */
  readonly refused?: (refusal: Refusal, scene: CallScene) => void;
  /** Replaces the answer as it is about to be written out. */
  readonly answer?: (answer: Reply, scene: AnswerScene) => Reply;
}

const made = new WeakMap<DeviationRecord, Wraps>();

export function wrapsOfHooks(deviation: HookDeviation): Wraps {
  const known = made.get(deviation);
  if (known !== undefined) return known;
  const { authenticate, stage, handle, refused, answer } = deviation;
  const check = (at: CheckStage): Wrap<CheckStage> | undefined =>
    stage && ((next, scene) => stage(at, next(), scene));
  const wraps = {
    authenticate: authenticate && ((next, scene) => authenticate(next(), scene)),
    authorise: check('authorise'),
    validate: check('validate'),
    find: check('find'),
    edit: check('edit'),
    handle,
    serve: refused && wrapOfRefused(refused),
    answer: answer && ((next, scene) => answer(next(), scene)),
  } as Wraps;
  made.set(deviation, wraps);
  return wraps;
}

function wrapOfRefused(refused: NonNullable<HookDeviation['refused']>): Wrap<'serve'> {
  return (next, scene) => {
    const told = (done: Reply | Refusal) => {
      // The state that a refused call leaves behind.
      if (isRefusal(done)) refused(done, { ...scene, before: scene.world.state.clone() });
      return done;
    };
    const done = next();
    return done instanceof Promise ? done.then(told) : told(done);
  };
}
