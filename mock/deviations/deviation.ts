/**
 * A deviation: one deliberate departure from one or more statements, as data, and the stages of the
 * pipeline that it wraps.
 */
export type { WrappingDeviation as Deviation } from '../pipeline/stages.ts';
export type { Memory } from '../world/deviations.ts';
