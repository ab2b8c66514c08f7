/**
 * Measures the explorer with faults that need a history of calls: whether `certify` notices a
 * fault, or else how many seeds find it. Walks without a fault must find nothing. `npm run
 * explorer` writes reports/explorer.md; it takes half an hour on two cores.
 */
import { writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { shareOut } from '../exam/share-out.ts';
import { explorerMd, explorerRow, type Found, isNoticed } from './explorer-md.ts';
import { historyIds, type Measure } from './explorer-worker.ts';

const options = new Command('explorer')
  .description('measures what the explorer finds')
  .option('--seeds <number>', 'the number of seeds for each fault', Number, 20)
  .option('--from <seed>', 'the first seed', Number, 1001)
  .option('--steps <number>', 'the number of calls for each seed', Number, 6000)
  .option('--plain <number>', 'the number of calls without a fault', Number, 200_000)
  .option(
    '--only <fault...>',
    'only these faults, such as "mock dbt:refusals-stick"; no table is written',
  )
  .parse()
  .opts();
const { seeds, from, steps, only } = options;

/** Prints each row when it is done, so that an interrupted run has shown its results. */
function measured(ids: readonly string[], what: Omit<Measure, 'from'>): Promise<Found[]> {
  const told = (done: number, of: number, answer: Found): void => {
    process.stderr.write(`[${done}/${of}] ${explorerRow(answer)}\n`);
  };
  const worker = new URL('./explorer-worker.ts', import.meta.url);
  return shareOut(worker, ids, told, { ...what, from });
}

const faults = await measured(only ?? historyIds, { seeds, steps });
// Ten seeds on the mock, and ten on the tenant.
const quiet = { seeds: 10, steps: Math.ceil(options.plain / 20) };
const plain = options.plain === 0 ? [] : await measured(['mock plain', 'tenant plain'], quiet);
const text = explorerMd({ faults, plain, seeds, from, steps });
process.stdout.write(text);
if (only === undefined) {
  writeFileSync(new URL('../../reports/explorer.md', import.meta.url), text);
}
const isFine = faults.every(isNoticed) && plain.every(({ found }) => found === 0);
process.exitCode = isFine ? 0 : 1;
