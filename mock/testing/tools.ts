/** Looks for programs of other people, which a machine may lack. */
import { spawnSync } from 'node:child_process';

/**
 * Whether a program is there and new enough. If not, the output says loudly which tests were not run.
 */
export function hasTool(
  probe: readonly [string, ...string[]],
  version: RegExp,
  notRun: string,
): boolean {
  const [tool, ...args] = probe;
  const { stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  // Java answers on stderr.
  if (version.test(`${stdout ?? ''}${stderr ?? ''}`)) return true;
  const message = `${notRun} WAS NOT RUN: there is no ${tool} here that is new enough`;
  process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  return false;
}

export const curl = { probe: ['curl', '--version'], version: /^curl \d/ } as const;
