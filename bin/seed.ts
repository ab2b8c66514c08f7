/** The seed of invented names, for captures and certificates of one tenant. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ifThere } from '../spec/base/refused.ts';

const SEED_FILE = join('.lockstep', 'capture-seed');

/** The key of the invented names. Whoever has it can turn them back, so it stands in a file of its own. */
export function seedOf(given: string | undefined): {
  readonly key: string;
  readonly told?: string;
} {
  if (given !== undefined) {
    const isShort = given.length < 16;
    const told =
      'a short seed can be guessed, and turns the invented names back: share the fixture with whom you would show the names\n';
    return { key: given, ...(isShort && { told }) };
  }
  const file = resolve(SEED_FILE);
  const known = ifThere(() => readFileSync(file, 'utf8').trim());
  if (known !== undefined && known !== '') return { key: known };
  const key = randomBytes(24).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return {
    key,
    told: `${SEED_FILE} holds the seed: keep it for the next capture, and to yourself, as it turns the invented names back\n`,
  };
}
