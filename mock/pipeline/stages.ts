/**
 * The stages of the pipeline that a deviation can wrap, and how it does.
 *
 * A wrap gets the stage as `next` and the scene in which it runs. It may call `next` or not, before
 * or after work of its own, and answers what the stage would have answered or something else.
 */
import type { Operation } from '../../spec/contract.ts';
import type { ActiveDeviation, DeviationRecord, Memory } from '../world/deviations.ts';
import type { State } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import type { Caller } from './credential.ts';
import type { ExchangeRequest, Handled, Refusal, Reply } from './exchange.ts';

/** What a stage before the handler answers: why it refuses the call, or undefined. */
export type Refused = Refusal | undefined;

/** What each stage answers. */
export interface StageResults {
  /** Whether a request over plain HTTP is served. */
  admit: boolean;
  /** Who asks. */
  authenticate: Caller | Refusal;
  /** Whether the caller may do what it asks. */
  authorise: Refused;
  /** Whether parameters and body fit the operation. */
  validate: Refused;
  /** Whether what the path names exists. */
  find: Refused;
  /** Whether the caller may edit what was found. */
  edit: Refused;
  /** The operation's own handler. */
  handle: Handled | Promise<Handled>;
  /** All from `authorise` to `handle`: what the call comes to. */
  serve: Handled | Promise<Handled>;
  /** The answer as it is about to be written out, that of a refusal included. */
  answer: Reply;
}

export type Stage = keyof StageResults;

/** A request on its way through a stage, and what a deviation remembers. */
export interface BaseScene {
  readonly operation: Operation;
  readonly world: World;
  readonly request: ExchangeRequest;
  readonly memory: Memory;
  /** The state as it was before the stage. */
  readonly before: State;
  /** Says that the deviation took effect, for wraps that change the state and not the answer. */
  readonly took: () => void;
}

/** Once the credential was accepted. */
export interface CallScene extends BaseScene {
  readonly call: Call;
}

/** When the answer is made. */
export interface AnswerScene extends BaseScene {
  /** Undefined where the credential was refused. */
  readonly call: Call | undefined;
  /** Why the answer is a refusal; null where it is not. */
  readonly refusal: Refusal | null;
}

/** What a wrap sees of each stage. */
export type SceneOf<S extends Stage> = S extends 'admit' | 'authenticate'
  ? BaseScene
  : S extends 'answer'
    ? AnswerScene
    : CallScene;

export type Wrap<S extends Stage> = (
  next: () => StageResults[S],
  scene: SceneOf<S>,
) => StageResults[S];

export type Wraps = { readonly [S in Stage]?: Wrap<S> };

/** A deviation as the pipeline knows it. */
export interface Deviation extends DeviationRecord {
  readonly wraps: Wraps;
}

/** What a stage knows of the exchange; the rest of its scene is the deviation's own. */
export type Context<S extends Stage> = Omit<SceneOf<S>, 'memory' | 'took' | 'before'>;

/**
 * Runs a stage inside the wraps of the deviations that are switched on; the last is the outermost.
 * A deviation took effect where its wrap answers something else than the stage within.
 */
export function runStage<S extends Stage>(
  stage: S,
  context: Context<S>,
  run: () => StageResults[S],
): StageResults[S] {
  const { world, operation, request } = context;
  if (!world.deviations.any) return run();
  let next = run;
  for (const active of world.deviations.of(operation.id, request)) {
    // A world holds what the catalogue made; it does not know the stages.
    const wrap = (active.deviation as Deviation).wraps[stage];
    if (wrap !== undefined) next = wrapped(wrap, next, context, active);
  }
  return next();
}

function wrapped<S extends Stage>(
  wrap: Wrap<S>,
  inner: () => StageResults[S],
  context: Context<S>,
  active: ActiveDeviation,
): () => StageResults[S] {
  const took = (): void => {
    active.effects += 1;
  };
  return () => {
    let within: unknown;
    const remember = <Value>(value: Value): Value => {
      within = value;
      return value;
    };
    const compare = <Value>(value: Value): Value => {
      if (value !== within) took();
      return value;
    };
    const own = { memory: active.memory, before: context.world.state.clone(), took };
    const scene = { ...context, ...own } as unknown as SceneOf<S>;
    return later(
      wrap(() => later(inner(), remember), scene),
      compare,
    );
  };
}

/** Passes a result through a function, now or once it is there. */
function later<Result>(result: Result, through: <Value>(value: Value) => Value): Result {
  return result instanceof Promise ? (result.then(through) as Result) : through(result);
}
