/** What the commands that listen or wait share: the end by a signal, and an address that cannot be used. */
import { constants } from 'node:os';
import { Refused } from '../spec/base/refused.ts';

/** The first signal calls `stop`; a second signal ends the process at once. */
export function onSignal(
  stop: () => unknown,
  signals: readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP')[] = ['SIGINT', 'SIGTERM'],
): void {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stopping) process.exit(128 + constants.signals[signal]);
      stopping = true;
      stop();
    });
  }
}

/** The system's error about an address, in words; any other error as it is. */
export function aboutAddress(error: unknown, host: string, port: number | undefined): unknown {
  const elsewhere = `${host} is not an address of this machine; the default is 127.0.0.1`;
  const told: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken; choose another with --port, or 0 for a free one`,
    EACCES: `Port ${port} of ${host} may not be used by this user; choose one above 1023`,
    EADDRNOTAVAIL: elsewhere,
    ENOTFOUND: elsewhere,
  };
  const message = told[(error as NodeJS.ErrnoException).code ?? ''];
  return message === undefined ? error : new Refused(message);
}
