/** Looks for other programs, which a machine may not have. */
import { spawnSync } from 'node:child_process';

/**
 * Whether a program is installed and new enough. If not, the output says loudly which tests were
 * not run.
 */
export function hasTool(
  probe: readonly [string, ...string[]],
  version: RegExp,
  notRun: string,
): boolean {
  const [tool, ...args] = probe;
  const { stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  // Java prints its version to stderr.
  if (version.test(`${stdout ?? ''}${stderr ?? ''}`)) return true;
  const message = `${notRun} WAS NOT RUN: there is no ${tool} here that is new enough`;
  process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  return false;
}

export const curl = { probe: ['curl', '--version'], version: /^curl \d/ } as const;
