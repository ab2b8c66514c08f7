/**
 * Runs a client's tests against every service that this could be. After a plain run, there is one
 * run for each alternative, loss and broken promise that the plain run met. Each run has its own
 * world.
 */
import { globSync } from 'node:fs';
import { count } from '../../spec/base/count.ts';
import { NotThere, Refused } from '../../spec/base/refused.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import { sideBySide } from '../../spec/base/turns.ts';
import type { ClientReport } from './client-report.ts';
import { runCommand } from './command.ts';
import { failedIn } from './junit-tests.ts';
import { judgeRun, type Run, runTwiceIfBroken, sentIn } from './outcome.ts';
import type { OpenMock, RunMock } from './run-mock.ts';
import { inTurns, lossesOf, sweepOf, type Variation } from './variation.ts';

export interface ClientCommand {
  /**
   * The test command. `{run}` in an argument becomes the id of the run, in a form for file names.
   */
  readonly argv: readonly string[];
  readonly open: OpenMock;
  /** Variables that the command gets in addition to those of the run. */
  readonly env: NodeJS.ProcessEnv;
  readonly kinds: readonly Variation['kind'][];
  readonly jobs: number;
  readonly budgetMs: number;
  /**
   * The limit for one run. The default is five times the duration of the plain run, at least ten
   * seconds.
   */
  readonly timeoutMs?: number | undefined;
  /** The JUnit XML files that the command writes; `{run}` as above. */
  readonly junit?: string | undefined;
  /** Only variations with one of these ids. A `*` at the end matches any text. */
  readonly only?: readonly string[] | undefined;
  readonly accepted?: readonly string[];
  readonly signal?: AbortSignal;
  /** Gets the output of the command, with the name of the run. */
  readonly onOutput?: (run: string, chunk: Buffer) => void;
  readonly onPlan?: (plan: Plan) => void;
  readonly onProgress?: (done: number, of: number, elapsedMs: number) => void;
}

export interface Plan {
  readonly plain: Run;
  readonly variations: readonly Variation[];
  /** The expected duration of all variations, ms. */
  readonly expectedMs: number;
}

const LEAST_TIMEOUT_MS = 10_000;
const MOST_PLAIN_MS = 10 * 60_000;

/**
 * Rejects with NotThere if the plain run fails or reaches no mock. Rejects with Refused if the
 * command cannot be started or the mock refuses the variation.
 */
export async function runClient(command: ClientCommand): Promise<ClientReport> {
  const start = performance.now();
  await using plainMock = await command.open();
  const { plain, variations } = await begin(command, plainMock);
  const expectedMs = expected(variations, plain.durationMs) / command.jobs;
  command.onPlan?.({ plain, variations, expectedMs });
  const timeoutMs =
    command.timeoutMs ?? Math.max(LEAST_TIMEOUT_MS, 5 * command.jobs * plain.durationMs);
  const begun = performance.now();
  const over = new AbortController();
  const signals = [over.signal, ...(command.signal === undefined ? [] : [command.signal])];
  const stoppable = { ...command, signal: AbortSignal.any(signals) };
  let runs = 1;
  let done = 0;
  const judged = await sideBySide(variations, command.jobs, async (variation) => {
    if (performance.now() > begun + command.budgetMs) return undefined;
    const { judged: one, runs: played } = await runTwiceIfBroken(async () => {
      await using mock = await command.open(variation);
      let run = await play(mock, stoppable, variation.id, timeoutMs);
      // Commands in parallel may disturb each other, for example Maven's in one folder.
      if (run.end === 'failed' && run.entries.length === 0)
        run = await play(mock, stoppable, variation.id, timeoutMs);
      if (run.end === 'passed' && run.entries.length === 0)
        throw new NotThere(
          `the command passes in the run ${variation.id} without a request: let it keep no results of an earlier run (go test -count=1, gradle test --rerun-tasks)`,
        );
      return judgeRun(variation, plain, run);
    }).catch((error: unknown) => {
      // The other runs end as well.
      over.abort(error);
      throw error;
    });
    runs += played;
    done += 1;
    command.onProgress?.(done, variations.length, performance.now() - begun);
    return one;
  });
  const sent = sentIn(plain);
  const leftOut = variations.filter((_, index) => judged[index] === undefined);
  return {
    command: command.argv,
    kinds: command.kinds,
    met: {
      requests: sent.length,
      operations: [...new Set(sent.map(({ operation }) => operation))].sort(),
      silences: [...new Set(sent.flatMap(({ assumed }) => assumed))].sort(),
    },
    results: judged.filter((one) => one !== undefined),
    leftOut: leftOut.map(({ id }) => id),
    leftOutOf: [...new Set(leftOut.flatMap(({ statements }) => statements))].sort(),
    accepted: command.accepted ?? [],
    runs,
    durationMs: performance.now() - start,
  };
}

/**
 * The expected time: most broken promises are noticed, and a failed run is played again. Parallel
 * runs slow each other down.
 */
function expected(variations: readonly Variation[], plainMs: number): number {
  const runs = variations.map(({ kind }) => (kind === 'mutant' ? 1.7 : 1.1));
  return 1.2 * plainMs * runs.reduce((sum, one) => sum + one, 0);
}

/** The plain run, and the plan of the other runs. */
async function begin(command: ClientCommand, mock: RunMock) {
  const limitMs = command.timeoutMs ?? MOST_PLAIN_MS;
  const plain = await play(mock, command, 'plain', limitMs);
  checkPlain(plain, Object.keys(mock.variables), limitMs);
  if (command.junit !== undefined && plain.failed === undefined)
    throw new Refused(
      `the plain run wrote no tests into ${command.junit} (--junit): let the command write JUnit's XML there`,
    );
  return { plain, variations: await planned(command, mock, plain) };
}

function checkPlain(plain: Run, variables: readonly string[], limitMs: number): void {
  const { end, entries } = plain;
  const [first] = entries;
  if (end === 'passed' && sentIn(plain).length > 0) return;
  const how = {
    passed: 'the command passes',
    failed: 'the command fails against the plain mock, which varies nothing',
    hung: `the command does not end within ${limitMs / 1000} s (--timeout) against the plain mock, which varies nothing`,
  }[end];
  if (first === undefined) {
    const inProcess = variables.includes('LOCKSTEP_RUN_FILE')
      ? ''
      : '; mocks in the process of a test take part only without --base-url';
    throw new NotThere(
      `${how}, and no request reached the mock: let your client read its address and credentials from the environment (${variables.join(', ')})${inProcess}`,
    );
  }
  throw new NotThere(
    sentIn(plain).length === 0
      ? `${how}, and its requests matched no operation, such as ${first.method} ${first.path}`
      : `${how}; ${count(entries.length, 'request')} reached it`,
  );
}

/** The runs to make for everything that the plain run met, one of each kind in turn. */
async function planned(
  { kinds, only }: ClientCommand,
  mock: RunMock,
  plain: Run,
): Promise<readonly Variation[]> {
  const sent = sentIn(plain);
  const all = inTurns([
    kinds.includes('sweep') ? sweepOf(sent, await mock.silences()) : [],
    kinds.includes('loss') ? lossesOf(sent) : [],
    kinds.includes('mutant') ? await mock.mutants() : [],
  ]);
  if (only === undefined) return all;
  const ids = all.map(({ id }) => id);
  const unmet = only.find((pattern) => !ids.some((id) => isNamed(id, pattern)));
  if (unmet !== undefined)
    throw new Refused(`the tests do not meet ${unmet}${insteadOf(unmet, ids)}`);
  return all.filter(({ id }) => only.some((pattern) => isNamed(id, pattern)));
}

const isNamed = (id: string, pattern: string): boolean =>
  id === pattern || (pattern.endsWith('*') && id.startsWith(pattern.slice(0, -1)));

/** Messages of test runners that end a slow test. They would hide that the client hangs. */
const TEST_TIMED_OUT =
  /Test timed out in \d+ms|Exceeded timeout of [\d,]+ ms for a|Timeout of \d+ms exceeded|test timed out after|Failed: Timeout/;

async function play(
  mock: RunMock,
  { argv, env, junit, signal, onOutput }: ClientCommand,
  id: string,
  timeoutMs: number,
): Promise<Run> {
  const name = id.replaceAll(/[^\w.-]+/g, '-');
  const filled = (text: string) => text.replaceAll('{run}', name);
  // The clock of a file system may be a little slow.
  const since = Date.now() - 100;
  // Go would use its cache if a port number occurred again.
  const GOFLAGS = `${env.GOFLAGS ?? ''} -count=1`.trim();
  let tail = '';
  let isTimedOut = false;
  const { end, durationMs } = await runCommand({
    argv: argv.map(filled),
    env: { ...env, GOFLAGS, ...mock.variables, LOCKSTEP_RUN: id },
    ...{ timeoutMs, signal },
    onOutput(chunk) {
      const text = tail + chunk;
      isTimedOut ||= TEST_TIMED_OUT.test(text);
      tail = text.slice(-100);
      onOutput?.(name, chunk);
    },
  });
  const failed = junit === undefined ? undefined : failedIn(globSync(filled(junit)), since);
  return {
    ...{ end: end === 'failed' && isTimedOut ? 'hung' : end, durationMs },
    ...{ ...(await mock.seen()), failed },
  };
}
