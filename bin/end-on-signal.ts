import { constants } from 'node:os';

/** At the first signal the process stops cleanly and exits 0; at a second one it is gone at once. */
export function endOnSignal(stop: () => Promise<void>): void {
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(128 + constants.signals[signal]);
      ending = true;
      void stop().then(() => process.exit(0));
    });
  }
}
