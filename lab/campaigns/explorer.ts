/**
 * Measures the explorer: which faults that only a history of calls shows `certify` refuses, how many
 * seeds find each of the others, and that walks find nothing if nothing is wrong.
 * `npm run explorer` writes reports/explorer.md; it takes half an hour on two cores.
 */
import { writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { shareOut } from '../exam/share-out.ts';
import { explorerMd, explorerRow, type Found, isNoticed } from './explorer-md.ts';
import { historyIds, type Measure } from './explorer-worker.ts';

const options = new Command('explorer')
  .description('measures what the explorer finds')
  .option('--seeds <number>', 'how many seeds for each fault', Number, 20)
  .option('--from <seed>', 'the first of them', Number, 1001)
  .option('--steps <number>', 'calls of each seed', Number, 6000)
  .option('--plain <number>', 'calls without a fault', Number, 200_000)
  .option(
    '--only <fault...>',
    'these alone, such as "mock dbt:refusals-stick", or any other fault; nothing is written',
  )
  .parse()
  .opts();
const { seeds, from, steps, only } = options;

/** Prints each row as it is done, so that a run that breaks off has told what it found. */
function measured(ids: readonly string[], what: Omit<Measure, 'from'>): Promise<Found[]> {
  const told = (done: number, of: number, answer: Found): void => {
    process.stderr.write(`[${done}/${of}] ${explorerRow(answer)}\n`);
  };
  const worker = new URL('./explorer-worker.ts', import.meta.url);
  return shareOut(worker, ids, told, { ...what, from });
}

const faults = await measured(only ?? historyIds, { seeds, steps });
// With ten seeds over the mock, and over the tenant.
const quiet = { seeds: 10, steps: Math.ceil(options.plain / 20) };
const plain = options.plain === 0 ? [] : await measured(['mock plain', 'tenant plain'], quiet);
const text = explorerMd({ faults, plain, seeds, from, steps });
process.stdout.write(text);
if (only === undefined) {
  writeFileSync(new URL('../../reports/explorer.md', import.meta.url), text);
}
const isFine = faults.every(isNoticed) && plain.every(({ found }) => found === 0);
process.exitCode = isFine ? 0 : 1;
