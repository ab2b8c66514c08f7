/** Invented names, the same in the captures and the certificates of one tenant. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Certified } from '../conformance/commands/command.ts';
import { judgedAgain } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { anonymous } from '../conformance/watch/capture/anonymous.ts';
import { Pseudonyms } from '../conformance/watch/capture/names.ts';
import { outcome } from '../reports/outcome.ts';
import { Incomplete, ifThere, Refused } from '../spec/base/refused.ts';

const SEED_FILE = join('.lockstep', 'capture-seed');

/**
 * A certificate with the names that a capture invents, judged again without the real ones. Rejects with
 * Incomplete if a verdict becomes another one.
 */
export async function withoutNames(certified: Certified): Promise<Certified> {
  const suite = loadOwnSuite();
  // The names of environment variables and of the certificate file come from the company, so they are left
  // out.
  const { variables: _v, ca: _c, ...target } = certified.report.target;
  const bare = { ...certified, report: { ...certified.report, target } };
  const shown = anonymous(bare, new Pseudonyms(seedOf(undefined).key), suite);
  try {
    return { ...certified, ...shown, report: await judgedAgain(shown, suite) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { sentence } = outcome(certified.report);
    throw new Incomplete([
      `${error.message}, so no certificate is written. The run said: ${sentence} A run without --anonymous writes its certificate`,
    ]);
  }
}

/** The key of the invented names. Anybody who has it can find the real names, so it has a file of its own. */
export function seedOf(given: string | undefined): {
  readonly key: string;
  readonly told?: string;
} {
  if (given !== undefined) {
    const isShort = given.length < 16;
    const told =
      'a short seed can be guessed, and it reveals the real names: share the fixture only with people who may see them\n';
    return { key: given, ...(isShort && { told }) };
  }
  const file = resolve(SEED_FILE);
  const isThere = [dirname(file), file].map(mustBeOwn)[1];
  const known = isThere ? readFileSync(file, 'utf8').trim() : '';
  if (known !== '') return { key: known };
  const key = randomBytes(24).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return {
    key,
    told: `${SEED_FILE} holds the seed: keep it for the next capture, and keep it secret, because it reveals the real names\n`,
  };
}

/**
 * Whether the file or folder exists. Throws Refused if it may have come with a checkout, because somebody who
 * plants a seed, or a link to one, could find the real names. Git cannot store a file that others may not read.
 */
function mustBeOwn(path: string): boolean {
  const about = ifThere(() => lstatSync(path));
  const isOpen = about?.isFile() === true && (about.mode & 0o077) !== 0;
  if (about?.isSymbolicLink() !== true && (!isOpen || process.platform === 'win32'))
    return about !== undefined;
  throw new Refused(
    `${SEED_FILE}: ${path} is a link, or other users can read it; anybody who knows the seed can find the real names: delete it if it came with a checkout, else run chmod 600 on it`,
  );
}
