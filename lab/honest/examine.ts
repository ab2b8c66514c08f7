/** `lockstep exam --honest`: honest tenants of every kind, on all cores; the suite must pass each. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ifThere, Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { shareOut, tellProgress } from '../exam/share-out.ts';
import { drawn, type Named, packs, shrunk, singles } from './draw.ts';
import type { Answer } from './honest.ts';
import { honestMd, type Refusal } from './honest-md.ts';

/** Options of `lockstep exam --honest`. */
export interface HonestCommand {
  /** Ids of variants, or rules (the part of an id before the colon). */
  readonly only?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly check?: true | undefined;
  /** The number of random tenants; the default is 200. */
  readonly tenants?: number | undefined;
}

const SEED = 20_261_125;
const worker = new URL('./honest-worker.ts', import.meta.url);

/**
 * Runs the exam, prints the refused tenants, and writes or compares the table. Returns the exit
 * code.
 */
export async function examineHonestly(command: HonestCommand): Promise<number> {
  const { only = [], out, check = false, tenants = 200 } = command;
  const start = performance.now();
  const isChosen = ({ ids }: Named): boolean =>
    only.length === 0 ||
    only.some((word) => ids.some((id) => id === word || id.startsWith(`${word}:`)));
  const every = singles('mock');
  const names = every.flatMap(({ ids }) => ids);
  const unknown = only.find(
    (word) => !names.some((id) => id === word || id.startsWith(`${word}:`)),
  );
  if (unknown !== undefined)
    throw new Refused(`there is no honest variant ${unknown}${hint(unknown, names)}`);
  const alone = every.filter(isChosen);
  const answers = await askAll(alone);
  const refusals = await refusalsIn(alone, answers);
  const refused = new Set(refusals.flatMap(({ ids }) => ids));
  const isOut = (id: string): boolean => refused.has(id);
  const packed = packs('tenant', isOut).filter(isChosen);
  const together = [...packed, ...drawn('mock', tenants, SEED, isOut).filter(isChosen)];
  refusals.push(...(await refusalsIn(together, await askAll(together))));
  const table = honestMd({ alone, answers, packs: packed, refusals });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `${alone.length + together.length} honest tenants in ${seconds} s: ${refusals.length} refused\n`,
  );
  for (const { base, ids, seed, refused } of refusals)
    process.stdout.write(
      `REFUSED on the ${base}, seed ${seed}: ${ids.join(' + ')}\n  ${refused.join('\n  ')}\n`,
    );
  const exitCode = refusals.length === 0 ? 0 : 1;
  if (only.length > 0 && out === undefined) return exitCode;
  const folder = out ?? fileURLToPath(new URL('../../reports', import.meta.url));
  const file = join(folder, 'honest.md');
  if (check) {
    if (ifThere(() => readFileSync(file, 'utf8')) === table) return exitCode;
    process.stderr.write(
      `lockstep: ${file} is not what the exam gives: run npm run exam -- --honest\n`,
    );
    return 1;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, table);
  return exitCode;
}

/** The suite's answer on each tenant. */
async function askAll(tenants: readonly Named[]): Promise<Answer[]> {
  const questions = tenants.map((tenant) => JSON.stringify(tenant));
  return shareOut<Answer>(worker, questions, (done, of) => tellProgress(done, of));
}

/** The refused tenants. Each is shrunk to the variants that cause the refusal. */
async function refusalsIn(
  tenants: readonly Named[],
  answers: readonly Answer[],
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const [at, tenant] of tenants.entries()) {
    if (answers[at]?.refused.length === 0) continue;
    let refused = answers[at]?.refused ?? [];
    process.stderr.write(`refused on the ${tenant.base}, looking for the reason: ${refused[0]}\n`);
    const fewest = await shrunk(tenant, async (fewer) => {
      const [answer] = await askAll([fewer]);
      if (answer?.refused.length === 0) return false;
      refused = answer?.refused ?? [];
      return true;
    });
    refusals.push({ ...fewest, refused });
  }
  return refusals;
}
