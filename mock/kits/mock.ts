/** The exports of `lockstep/mock`. */
export { type DispatcherOptions, dispatcherOf } from '../transport/dispatcher.ts';
export * from './index.ts';
