/**
 * What a deviation does: which stages of a call it wraps, and what it makes of them. Every operator
 * ends in one of the functions below.
 */
import type { Caller } from '../../mock/pipeline/credential.ts';
import { type Handled, isRefusal, type Refusal, type Reply } from '../../mock/pipeline/exchange.ts';
import type {
  AnswerScene,
  BaseScene,
  CallScene,
  Refused,
  Stage,
  Wrap,
  Wraps,
} from '../../mock/pipeline/stages.ts';

export type Does = Wraps;
/** A stage that may refuse a call before it is handled. */
export type Check = 'authorise' | 'validate' | 'find' | 'edit';
export type Scene = CallScene;

/** Replaces who asks, or why they are not let in. */
export const onAuthentication = (
  change: (result: Caller | Refusal, scene: BaseScene) => Caller | Refusal,
): Does => ({ authenticate: (next, scene) => change(next(), scene) });

/** Replaces why a check refuses a call; undefined where it does not. */
export const onCheck = (
  check: Check,
  change: (refused: Refused, scene: Scene) => Refused,
): Does => ({ [check]: (next: () => Refused, scene: Scene) => change(next(), scene) });

/** Stands around the handler. */
export const onHandling = (handle: Wrap<'handle'>): Does => ({ handle });

/** Replaces what the handler has done, at once or later; the state is as it left it. */
export const onceDone = (change: (done: Handled, scene: Scene) => Handled): Does =>
  onHandling((next, scene) => whenDone(next(), (done) => change(done, scene)));

/** Happens once a call was refused by a check or by its handler. */
export const onRefusal = (act: (refusal: Refusal, scene: Scene) => void): Does => ({
  serve: (next, scene) =>
    whenDone(next(), (done) => {
      // The state that the refused call leaves behind.
      if (isRefusal(done)) act(done, { ...scene, before: scene.world.state.clone() });
      return done;
    }),
});

/** Replaces an answer as it is about to be written out, that of a refusal too. */
export const onAnswer = (change: (reply: Reply, scene: AnswerScene) => Reply): Does => ({
  answer: (next, scene) => change(next(), scene),
});

/** Does all of it. Where two parts wrap the same stage, the later one stands around the earlier. */
export function together(parts: readonly Does[]): Does {
  return parts.reduce(around);
}

function around(inner: Does, outer: Does): Does {
  const both = eachStage(outer, (wrap, stage) => {
    const within = inner[stage];
    if (within === undefined) return wrap;
    return (next, scene) =>
      wrap(() => within(next, { ...scene, before: scene.world.state.clone() }), scene);
  });
  return { ...inner, ...both };
}

/** The same stages, each wrapped in another way. */
export function eachStage(
  does: Does,
  change: <S extends Stage>(wrap: Wrap<S>, stage: S) => Wrap<S>,
): Does {
  const changed = Object.entries(does).map(([stage, wrap]) => [
    stage,
    change(wrap as Wrap<Stage>, stage as Stage),
  ]);
  return Object.fromEntries(changed) as Does;
}

/** What was answered at once; undefined where it is refused, or not there yet. */
export function replyOf(result: Handled | Promise<Handled>): Reply | undefined {
  return result instanceof Promise || isRefusal(result) ? undefined : result;
}

/** Applies a change to what a handler returns, now or later. */
export function whenDone(
  result: Handled | Promise<Handled>,
  change: (done: Handled) => Handled,
): Handled | Promise<Handled> {
  return result instanceof Promise ? result.then(change) : change(result);
}
