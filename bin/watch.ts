/** The commands that watch traffic, composed: `proxy` and `grade`. */
import { constants } from 'node:os';
import { watchFacts } from '../conformance/areas/watch.ts';
import { grade } from '../conformance/commands/grade.ts';
import { type ProxyOptions, startProxy } from '../conformance/commands/proxy.ts';
import type { WatchedOptions, WatchIo } from '../conformance/commands/watch-target.ts';
import { complain, printError, redactor } from '../reports/terminal.ts';
import { Refused } from '../spec/base/refused.ts';
import { version } from '../spec/base/version.ts';
import { visible } from '../spec/base/visible.ts';
import { finish } from './runner.ts';

const surroundings = (): WatchIo => ({
  ...{ env: process.env, cwd: process.cwd(), version, redactor, facts: watchFacts },
  onWarning: complain,
  onViolation: (text) => printError(`${visible(text)}\n`),
});

/** Serves until a signal stops it; a second signal ends it at once. Resolves to the exit code. */
export async function runProxy(options: ProxyOptions): Promise<number> {
  if (options.adminToken !== undefined) redactor.add(options.adminToken, '{adminToken}');
  const proxy = await startProxy(options, surroundings()).catch((error: unknown) => {
    throw explain(error, options);
  });
  printError(`Lockstep watches ${options.to} at ${proxy.baseUrl}\n`);
  printError(
    `journal and report: ${proxy.baseUrl}/__admin/requests, ${proxy.baseUrl}/__admin/report\n`,
  );
  await new Promise<void>((done) => {
    let ending = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (ending) process.exit(128 + constants.signals[signal]);
        ending = true;
        done();
      });
  });
  return await finish(await proxy.close(), { tenantFile: options.tenant });
}

function explain(error: unknown, { host = '127.0.0.1', port }: ProxyOptions): unknown {
  const told: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken; choose another with --port, or 0 for a free one`,
    EACCES: `Port ${port} of ${host} may not be used by this user; choose one above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; the default is 127.0.0.1`,
  };
  const message = told[(error as NodeJS.ErrnoException).code ?? ''];
  return message === undefined ? error : new Refused(message);
}

/** Judges recorded traffic; resolves to the exit code. */
export async function runGrade(har: string, options: WatchedOptions): Promise<number> {
  return await finish(grade(har, options, surroundings()), { tenantFile: options.tenant });
}
