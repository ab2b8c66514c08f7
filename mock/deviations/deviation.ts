/**
 * A deviation: one deliberate departure from one or more statements, as data plus a small transform
 * at one of the points where an answer is made.
 */
export type {
  CheckStage as Stage,
  HookDeviation as Deviation,
} from '../pipeline/hooks.ts';
export type { AnswerScene, CallScene as Scene } from '../pipeline/stages.ts';
export type { Memory } from '../world/deviations.ts';
