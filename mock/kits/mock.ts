/** What `lockstep/mock` exports. */
export { type DispatcherOptions, dispatcherOf } from '../transport/dispatcher.ts';
export * from './index.ts';
