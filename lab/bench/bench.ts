/**
 * Measures the speed and scale of the mock and its peers. `npm run bench` writes reports/bench.md
 * and recorded.json; README.md says more.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { growthTable } from './growth.ts';
import { type Effort, known } from './known.ts';
import { methods } from './methods.ts';
import { findPeer, root, run } from './processes.ts';
import * as table from './table.ts';

const [reports, recordedFile] = [join(root, 'reports'), join(root, 'lab/bench/recorded.json')];

/** Takes one measure. If it fails, each of its rows gives the reason. */
async function take(name: string, effort: Effort): Promise<table.Measured[]> {
  process.stderr.write(`${name} ...\n`);
  const measure = known.measures[name];
  const rows = measure?.rows ?? {};
  const failed = (error: Error): table.Figures =>
    Object.fromEntries(Object.keys(rows).map((key) => [key, { missing: reason(error) }]));
  const figures =
    (measure && (await methods[measure.method]?.(effort, measure).catch(failed))) ?? {};
  const measured = table.measuredOf(name, rows, figures);
  for (const row of measured) process.stdout.write(`${table.lineOf(row)}\n`);
  return measured;
}

/** The last useful line of an error. */
const reason = ({ message }: Error): string =>
  /(\w*Error|FATAL ERROR|lockstep): .*/.exec(message)?.[0] ?? message.slice(-300);

/** A table of the mock's speed as something grows, with an explanation. */
async function grow(name: string, effort: Effort): Promise<string> {
  process.stderr.write(`${name} ...\n`);
  const { axis = '', why = '' } = known.growths[name] ?? {};
  const table = await growthTable(name, axis, effort).catch(
    (error: Error) => `**COULD NOT RUN: ${reason(error)}**`,
  );
  process.stdout.write(`${table}\n`);
  return `## Requests/s against ${axis}\n\n${table}\n\n${why}`;
}

/** Fails only if a figure is too slow twice in a row, because a busy machine can cause one slow figure. */
async function shortForm(effort: Effort): Promise<boolean> {
  const recorded: Record<string, number> = JSON.parse(readFileSync(recordedFile, 'utf8'));
  const worse = async (name: string) => table.regressions(await take(name, effort), recorded);
  let isFine = true;
  for (const [name, { short }] of Object.entries(known.measures)) {
    if (short !== true || (await worse(name)).length === 0) continue;
    const again = await worse(name);
    for (const line of again) process.stderr.write(`twice in a row, ${line}\n`);
    isFine &&= again.length === 0;
  }
  return isFine;
}

async function fullForm(effort: Effort): Promise<boolean> {
  const measured: table.Measured[] = [];
  const growth: string[] = [];
  for (const name of Object.keys(known.measures)) measured.push(...(await take(name, effort)));
  for (const name of Object.keys(known.growths)) growth.push(await grow(name, effort));
  const peers = ['prism', 'mockoon-cli'].map(async (name) => {
    const peer = findPeer(name, effort.peers);
    if (peer === undefined) return `**${name} IS NOT INSTALLED**`;
    return `${name} ${(await run([peer, '--version'])).stdout.trim()}`;
  });
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${date}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const load = `${effort.rounds} rounds of ${effort.seconds} s; the figures are medians.`;
  const about = [machine, ...(await Promise.all(peers)), load].join(', ');
  writeFileSync(join(reports, 'bench.md'), table.benchMd(about, measured, growth));
  writeFileSync(recordedFile, `${JSON.stringify(table.recordedOf(measured), null, 2)}\n`);
  return !measured.map(table.lineOf).some((line) => /\| \*\*(no|COULD NOT)/.test(line));
}

function atLeastOne(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number of at least 1 was expected.');
}

const names = [...Object.keys(known.measures), ...Object.keys(known.growths)];
const { only, ...options } = new Command('bench')
  .option('--short', 'compare some ratios with recorded.json, in about two minutes')
  .addOption(new Option('--only <name...>', 'print these, and write no table').choices(names))
  .option('--peers <dir>', 'folder where Prism CLI and Mockoon CLI are, if not on PATH')
  .option('--rounds <n>', 'how often to measure (default: 5, or 3 with --short)', atLeastOne)
  .option('--seconds <n>', 'how long a round of load lasts', atLeastOne, 2)
  .option('--requests <n>', 'for the measure of memory', atLeastOne, 10_000_000)
  .option('--test-seconds <n>', 'the seconds of npm test, to be recorded', atLeastOne)
  .exitOverride(({ exitCode }) => process.exit(exitCode && 2))
  .parse()
  .opts();
const effort: Effort = { rounds: options.short ? 3 : 5, ...options };
for (const name of only ?? []) await (name in known.measures ? take : grow)(name, effort);
process.exitCode =
  only !== undefined || (await (options.short ? shortForm : fullForm)(effort)) ? 0 : 1;
