/**
 * Gives a run of the tests its own temporary folder, and removes it afterwards. It also compiles
 * the suite, because most processes of the tests load it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileOwnSuite } from '../../conformance/language/own-suite.ts';

export function setup(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-tests-'));
  // The cache of compiled modules is kept, because some hundred processes would compile them again.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = folder;
  try {
    compileOwnSuite();
  } catch {
    // If a scenario has a mistake, the tests that load the suite report it.
  }
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch (error) {
      // A run that a test has killed may still write there; the tests have not failed.
      process.stderr.write(`${folder} was not removed: ${(error as Error).message}\n`);
    }
  };
}
