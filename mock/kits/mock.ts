/** What `lockstep/mock` exports. */
export { type DispatcherOptions, dispatcherOf } from '../adapters/dispatcher.ts';
export * from '../index.ts';
