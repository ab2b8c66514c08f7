/** The commands that watch traffic, composed: `proxy` and `grade`. */
import { watchFacts } from '../conformance/areas/watch.ts';
import { grade } from '../conformance/commands/grade.ts';
import { type ProxyOptions, startProxy } from '../conformance/commands/proxy.ts';
import type { WatchedOptions, WatchIo } from '../conformance/commands/watch-target.ts';
import { complain, printError, redactor } from '../reports/terminal.ts';
import { version } from '../spec/base/version.ts';
import { visible } from '../spec/base/visible.ts';
import { aboutAddress, onSignal } from './listening.ts';
import { finish } from './runner.ts';
import { trafficWorld } from './traffic/traffic-world.ts';

const surroundings = (): WatchIo => ({
  ...{ env: process.env, cwd: process.cwd(), version, redactor, facts: watchFacts },
  onWarning: complain,
  onViolation: (text) => printError(`${visible(text)}\n`),
});

/** Serves until a signal stops it; a second signal ends it at once. Resolves to the exit code. */
export async function runProxy(options: ProxyOptions): Promise<number> {
  const { to, adminToken } = options;
  if (adminToken !== undefined) redactor.add(adminToken, '{adminToken}');
  const journal = await trafficWorld(to.replace(/\/$/, ''), adminToken);
  const proxy = await startProxy(options, { ...surroundings(), journal }).catch(
    (error: unknown) => {
      throw aboutAddress(error, options.host ?? '127.0.0.1', options.port);
    },
  );
  printError(`Lockstep watches ${to} at ${proxy.baseUrl}\n`);
  const admin = `${proxy.baseUrl}/__admin`;
  printError(`console, journal, report: ${admin}/, ${admin}/requests, ${admin}/report\n`);
  await new Promise<void>((done) => onSignal(done));
  return await finish(await proxy.close(), { tenantFile: options.tenant });
}

/** Judges recorded traffic; resolves to the exit code. */
export async function runGrade(har: string, options: WatchedOptions): Promise<number> {
  return await finish(await grade(har, options, surroundings()), { tenantFile: options.tenant });
}
