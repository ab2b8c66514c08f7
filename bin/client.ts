/** `lockstep client`: the tests of a client, in any language, against every service that this could be. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../conformance/judge/report.ts';
import { originOf } from '../mock/cli/env-command.ts';
import { checkHealth, controlOver } from '../mock/cli/mock-client.ts';
import { type ClientCommand, type Plan, runClient } from '../mock/client/client.ts';
import {
  baselineOf,
  type ClientReport,
  clientText,
  failuresIn,
  missedIn,
} from '../mock/client/client-report.ts';
import { relianceOf } from '../mock/client/reliance.ts';
import { type OpenMock, ownMocks, worldsOf } from '../mock/client/run-mock.ts';
import type { Variation } from '../mock/client/variation.ts';
import { startMock } from '../mock/kits/index.ts';
import { count } from '../spec/base/count.ts';
import { isObject, parseJson } from '../spec/base/json.ts';
import { ifThere, NotThere, Refused } from '../spec/base/refused.ts';
import { quoted, visible } from '../spec/base/visible.ts';
import { clientJunit } from './client/junit.ts';
import { clientPage } from './client/page.ts';
import { onSignal } from './listening.ts';
import type { ClientOptions as Options } from './options/client.ts';

/** The exit code. Rejects with Refused or NotThere. */
export async function runClientCommand(argv: readonly string[], options: Options): Promise<number> {
  const { log, baseline, updateBaseline, reliance, out, run, complete } = options;
  for (const file of out) formOf(file);
  if (updateBaseline === true && baseline === undefined)
    throw new Refused('--update-baseline needs --baseline FILE');
  if (reliance !== undefined && run.length > 0)
    throw new Refused('--reliance takes all runs: leave out --run');
  const accepted = acceptedIn(baseline);
  const aborter = new AbortController();
  // The second signal does not wait for the tests to stop cleanly.
  onSignal(() => aborter.abort(new NotThere('ended by a signal')), ['SIGINT', 'SIGTERM', 'SIGHUP']);
  if (log !== undefined) mkdirSync(log, { recursive: true });
  const command = commandOf(argv, options, await opening(options));
  const print = printOf(run.length > 0);
  const logged = new Set<string>();
  const report = await runClient({
    ...command,
    ...{ accepted, signal: aborter.signal, onProgress: tellProgress(options) },
    onPlan: tellPlan(options, command.jobs),
    onOutput(name, chunk) {
      // The first output of a run replaces a file of an earlier command.
      const flag = logged.has(name) ? 'a' : 'w';
      logged.add(name);
      if (log !== undefined) writeFileSync(join(log, `${name}.log`), chunk, { flag });
      else print(name, chunk);
    },
  });
  const text = clientText(report, againOf(argv, options));
  process.stdout.write(visible(text, 'lines'));
  for (const file of out) writeFileSync(file, forms[formOf(file)](report, text, complete === true));
  if (reliance !== undefined)
    writeFileSync(reliance, `${JSON.stringify(relianceOf(report), null, 2)}\n`);
  if (updateBaseline === true && baseline !== undefined)
    writeFileSync(baseline, `${JSON.stringify({ accepted: baselineOf(report) }, null, 2)}\n`);
  const judged = updateBaseline === true ? { ...report, accepted: baselineOf(report) } : report;
  const { results } = judged;
  if (results.length > 0 && results.every(({ outcome }) => outcome === 'not met'))
    return exitCodes.couldNotRun;
  const isBroken = failuresIn(judged).length > 0 || (complete && missedIn(judged).length > 0);
  return isBroken ? exitCodes.violation : exitCodes.ok;
}

/** The command that repeats a run, with ID in the place of its id. */
function againOf(argv: readonly string[], options: Options): string {
  const { fixture, baseUrl, ca, adminTokenEnv, timeout } = options;
  const given = Object.entries({
    ...{ fixture, 'base-url': baseUrl, ca, 'admin-token-env': adminTokenEnv },
    timeout: timeout === undefined ? undefined : `${timeout / 1000}s`,
  });
  const place = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return ['lockstep client', ...place, '--run ID --', ...argv.map(quoted)].join(' ');
}

/** Prints the plain run, because no other follows if it fails. If `isAll`, prints each run under its name. */
function printOf(isAll: boolean) {
  let last = 'plain';
  return (name: string, chunk: Buffer): void => {
    if (name !== 'plain' && !isAll) return;
    if (name !== last) process.stderr.write(`==> ${name} <==\n`);
    last = name;
    process.stderr.write(chunk);
  };
}

/** The text of a report file, by the end of its name. */
const forms = {
  json: (report: ClientReport) => `${JSON.stringify(report, null, 2)}\n`,
  txt: (_report: ClientReport, text: string) => text,
  xml: (report: ClientReport, _text: string, isComplete: boolean) =>
    clientJunit(report, isComplete),
  html: clientPage,
};

function formOf(file: string): keyof typeof forms {
  const [, end = ''] = /\.(\w+)$/.exec(file) ?? [];
  if (Object.hasOwn(forms, end)) return end as keyof typeof forms;
  throw new Refused(
    `--out takes a file that ends in ${Object.keys(forms).join(', ')}, not ${file}`,
  );
}

const flags = { sweep: 'sweep', losses: 'loss', mutants: 'mutant' } as const;
const defaultBudgetMs = 5 * 60_000;

function commandOf(argv: readonly string[], options: Options, open: OpenMock): ClientCommand {
  const named = Object.entries(flags).filter(([flag]) => options[flag as keyof typeof flags]);
  const kinds = (named.length > 0 ? named : Object.entries(flags)).map(([, kind]) => kind);
  const { junit } = options;
  // Runs that write to one file cannot go in parallel.
  const oneFile = junit !== undefined && !junit.includes('{run}');
  return {
    ...{
      argv,
      kinds,
      junit,
      env: process.env,
      only: options.run.length > 0 ? options.run : undefined,
      open,
    },
    jobs: oneFile ? 1 : (options.jobs ?? availableParallelism()),
    budgetMs: options.budget ?? defaultBudgetMs,
    timeoutMs: options.timeout,
  };
}

/** Rejects with Refused or NotThere if there is no mock at the address that was given. */
async function opening({ baseUrl, ca, adminTokenEnv: token, fixture }: Options): Promise<OpenMock> {
  if (baseUrl === undefined) return ownMocks(startMock, fixture);
  const address = { baseUrl: originOf(baseUrl), ca, token };
  await checkHealth(address);
  return worldsOf(controlOver(address));
}

function tellPlan({ budget = defaultBudgetMs }: Options, jobs: number) {
  return ({ plain, variations, expectedMs }: Plan): void => {
    const of = (kind: Variation['kind']) => variations.filter((one) => one.kind === kind).length;
    const stalls = variations.filter(({ loss }) => loss?.order.kind === 'stall').length;
    const about = `about ${Math.ceil(Math.min(expectedMs, budget) / 1000)} s`;
    const left = expectedMs > budget ? ', which is the budget (--budget): not all of them' : '';
    const waits =
      stalls === 0
        ? ''
        : `; ${stalls} of them take longer, because their answer never comes and the client waits for it`;
    process.stderr.write(
      `The plain run passed in ${(plain.durationMs / 1000).toFixed(1)} s with ${count(plain.entries.length, 'request')}. ` +
        `Now ${count(of('sweep'), 'alternative')}, ${count(of('loss'), 'loss', 'losses')} and ${count(of('mutant'), 'broken promise')}, ` +
        `a run for each, ${jobs} at a time: ${about}${left}${waits}.\n`,
    );
  };
}

/** A terminal shows one line that changes; a log gets ten lines. */
function tellProgress({ budget = defaultBudgetMs }: Options) {
  return (done: number, of: number, elapsedMs: number): void => {
    const leftMs = Math.min((elapsedMs * (of - done)) / done, Math.max(0, budget - elapsedMs));
    const told = `${done} of ${of}${done === of ? '' : `, about ${Math.ceil(leftMs / 1000)} s left`}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${told}\x1b[K${done === of ? '\n' : ''}`);
    else if (Math.floor((10 * done) / of) > Math.floor((10 * (done - 1)) / of))
      process.stderr.write(`${told}\n`);
  };
}

function acceptedIn(file: string | undefined): readonly string[] {
  const text = file === undefined ? undefined : ifThere(() => readFileSync(file, 'utf8'));
  if (text === undefined) return [];
  const value = parseJson(text);
  const list = isObject(value) ? value.accepted : undefined;
  if (Array.isArray(list) && list.every((id) => typeof id === 'string')) return list;
  throw new Refused(`${file} is not a baseline: {"accepted": ["FOLDER-15:refused"]} was expected`);
}
