/**
 * Measures the explorer: of each hand-written deviation that a walk can meet, how many seeds find
 * it, and that walks over the mock as it is find nothing. `npm run explorer` writes
 * reports/explorer.md; it takes an hour on two cores.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { byArea } from '../mock/areas/catalogue.ts';
import { explorerMd, type Found } from '../reports/explorer-md.ts';
import { shareOut } from './share-out.ts';

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number');
  return value;
}

const { seeds, from, steps, plain, only } = new Command('explorer')
  .description('measures what the explorer finds')
  .option('--seeds <number>', 'how many seeds for each deviation', whole, 100)
  .option('--from <seed>', 'the first of them', whole, 1001)
  .option('--steps <number>', 'calls of each walk', whole, 2000)
  .option('--plain <number>', 'calls over the mock without a deviation', whole, 1_000_000)
  .option('--only <deviation...>', 'these alone; nothing is written')
  .parse()
  .opts();

const worker = new URL('./explorer-worker.ts', import.meta.url);
const told = (done: number, of: number, { id, found }: Found): void => {
  if (found < seeds) process.stderr.write(`[${done}/${of}] ${id}: ${found} of ${seeds}\n`);
  else if (done % 25 === 0) process.stderr.write(`[${done}/${of}]\n`);
};
const questions = Object.values(byArea)
  .flat()
  .map(({ id }) => id);
const asked = only ?? questions;
const answers = await shareOut<Found>(worker, asked, told, { seeds, from, steps });
answers.sort((a, b) => asked.indexOf(a.id) - asked.indexOf(b.id));
const [unchanged] =
  plain === 0
    ? []
    : await shareOut<Found>(worker, ['plain'], () => {}, { seeds: 1, from, steps: plain });
const text = explorerMd({ answers, plain: unchanged, from, steps });
if (only === undefined) {
  writeFileSync(fileURLToPath(new URL('../reports/explorer.md', import.meta.url)), text);
}
process.stdout.write(`${text.split('\n## ')[0]}\n`);
const least = Math.ceil(seeds * 0.95);
const missed = answers.filter(({ found }) => found < least);
process.exitCode = missed.length > 0 || (unchanged?.found ?? 0) > 0 ? 1 : 0;
