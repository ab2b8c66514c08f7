/** Runs a stage of the pipeline with the deviations of the world around it. */
import type { ActiveDeviation } from '../world/deviations.ts';
import type { Context, SceneOf, Stage, StageResults, Wrap, WrappingDeviation } from './stages.ts';

/**
 * Runs a stage inside the wraps of the deviations that are switched on; the last is the outermost.
 * A deviation took effect where its wrap answers something else than the stage within.
 */
export function runStage<S extends Stage>(
  stage: S,
  context: Context<S>,
  run: () => StageResults[S],
): StageResults[S] {
  const { world, operation } = context;
  if (!world.deviations.any) return run();
  let next = run;
  for (const active of world.deviations.of(operation.id)) {
    const wrap = wrapOf(active, stage);
    if (wrap !== undefined) next = wrapped(wrap, next, context, active);
  }
  return next();
}

function wrapOf<S extends Stage>({ deviation }: ActiveDeviation, stage: S): Wrap<S> | undefined {
  // A world holds what the catalogue made; it does not know the stages.
  return (deviation as WrappingDeviation).wraps[stage];
}

function wrapped<S extends Stage>(
  wrap: Wrap<S>,
  inner: () => StageResults[S],
  context: Context<S>,
  active: ActiveDeviation,
): () => StageResults[S] {
  return () => {
    let within: unknown;
    const remember = <Value>(value: Value): Value => {
      within = value;
      return value;
    };
    const compare = <Value>(value: Value): Value => {
      if (value !== within) active.effects += 1;
      return value;
    };
    const result = wrap(() => later(inner(), remember), sceneOf(context, active));
    return later(result, compare);
  };
}

/** Passes a result through a function, now or once it is there. */
function later<Result>(result: Result, through: <Value>(value: Value) => Value): Result {
  return result instanceof Promise ? (result.then(through) as Result) : through(result);
}

function sceneOf<S extends Stage>(context: Context<S>, active: ActiveDeviation): SceneOf<S> {
  const own = {
    memory: active.memory,
    before: context.world.state.clone(),
    took() {
      active.effects += 1;
    },
  };
  return { ...context, ...own } as unknown as SceneOf<S>;
}
