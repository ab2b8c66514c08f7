import { constants } from 'node:os';

/** The first signal stops the process cleanly, with exit code 0; a second signal ends it at once. */
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
