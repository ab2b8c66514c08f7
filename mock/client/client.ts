/**
 * Runs a client's tests against every service that this could be: a plain run, then one run for each
 * alternative, loss and broken promise that it met, each in a world of its own.
 */
import { globSync } from 'node:fs';
import type { Control } from '../../spec/base/control-client.ts';
import { Refused } from '../../spec/base/refused.ts';
import { NotThere } from '../cli/not-there.ts';
import { type ClientReport, resultOf } from './client-report.ts';
import { type Ran, runCommand } from './command.ts';
import { testsIn } from './junit-tests.ts';
import { type Judged, judgeRun, type Run, sentIn } from './outcome.ts';
import { reachedBy } from './reach.ts';
import { openRunWorld } from './run-world.ts';
import { inTurns, lossesOf, mutantsOf, sweepOf, type Variation } from './variation.ts';

export interface ClientCommand {
  /** The test command. `{run}` in an argument becomes the id of the run, fit for a file's name. */
  readonly argv: readonly string[];
  readonly control: Control;
  /** Variables that the command gets besides those of the run. */
  readonly env: NodeJS.ProcessEnv;
  readonly kinds: readonly Variation['kind'][];
  readonly fixture?: string | undefined;
  readonly jobs: number;
  readonly budgetMs: number;
  /** For one run; by default five times what the plain run takes, and ten seconds at least. */
  readonly timeoutMs?: number | undefined;
  /** Where the command writes JUnit's XML; `{run}` as above. */
  readonly junit?: string | undefined;
  /** Only this variation. */
  readonly only?: string | undefined;
  readonly accepted?: readonly string[];
  readonly signal?: AbortSignal;
  /** What the command prints, and in which run. */
  readonly onOutput?: (run: string, chunk: Buffer) => void;
  readonly onPlan?: (plan: Plan) => void;
  readonly onResult?: (result: Judged, done: number, of: number) => void;
}

export interface Plan {
  readonly plain: Run;
  readonly variations: readonly Variation[];
  /** How long all of them take, ms. */
  readonly expectedMs: number;
}

const LEAST_TIMEOUT_MS = 10_000;

/**
 * Rejects with NotThere if the plain run fails or reaches nothing, with Refused if the command cannot be
 * started or the mock refuses what is ordered.
 */
export async function runClient(command: ClientCommand): Promise<ClientReport> {
  const start = performance.now();
  const plain = await playPlain(command);
  const variations = await planned(command, plain);
  // Runs in parallel slow each other down, and a red one is played again.
  const expectedMs = (variations.length * plain.durationMs * 1.2) / command.jobs;
  command.onPlan?.({ plain, variations, expectedMs });
  const timeoutMs =
    command.timeoutMs ?? Math.max(LEAST_TIMEOUT_MS, 5 * command.jobs * plain.durationMs);
  const until = performance.now() + command.budgetMs;
  const judged: Judged[] = [];
  let runs = 1;
  const queue = variations.values();
  const worker = async () => {
    for (const variation of queue) {
      const first = await play(command, variation, timeoutMs);
      const isRed = judgeRun(variation, plain, [first]).outcome === 'broken';
      const again = isRed ? await play(command, variation, timeoutMs) : undefined;
      runs += isRed ? 2 : 1;
      const result = judgeRun(variation, plain, [first, again]);
      judged.push(result);
      command.onResult?.(result, judged.length, variations.length);
      if (performance.now() > until) return;
    }
  };
  await Promise.all(Array.from({ length: command.jobs }, worker));
  const done = new Set(judged.map(({ variation }) => variation));
  const sent = sentIn(plain);
  return {
    command: command.argv,
    met: {
      requests: sent.length,
      operations: [...new Set(sent.map(({ operation }) => operation))].sort(),
      silences: [...new Set(sent.flatMap(({ assumed }) => assumed))].sort(),
    },
    results: variations
      .flatMap((one) => judged.find(({ variation }) => variation === one) ?? [])
      .map(resultOf),
    leftOut: variations.filter((one) => !done.has(one)).map(({ id }) => id),
    accepted: command.accepted ?? [],
    runs,
    durationMs: performance.now() - start,
  };
}

async function playPlain(command: ClientCommand): Promise<Played> {
  const plain = await play(command, undefined, command.timeoutMs ?? 10 * 60_000);
  const reached = plain.entries.length;
  if (plain.end !== 'passed') {
    const how = plain.end === 'hung' ? 'does not end' : 'fails';
    throw new NotThere(
      `the command ${how} against the plain mock, where nothing is wrong; ${reached} requests reached it`,
    );
  }
  if (sentIn(plain).length > 0) return plain;
  const names = Object.keys(plain.variables).join(', ');
  throw new NotThere(
    reached === 0
      ? `the command passed, and no request reached the mock: let your client read its address and credentials from the environment (${names})`
      : `the command passed, and its ${reached} requests matched no operation, such as ${plain.entries[0]?.method} ${plain.entries[0]?.path}`,
  );
}

/** What is to be run: all that was met, in turns of each kind. */
async function planned(command: ClientCommand, plain: Run): Promise<readonly Variation[]> {
  const { control, fixture, kinds, jobs, only } = command;
  const sent = sentIn(plain);
  const open = () => openRunWorld(control, {}, fixture);
  const world = await open();
  const sweep = kinds.includes('sweep') ? sweepOf(sent, await world.silences()) : [];
  const losses = kinds.includes('loss') ? lossesOf(sent) : [];
  const known = kinds.includes('mutant') ? await world.deviations() : [];
  await world.close();
  const wanted = only === undefined ? known : known.filter(({ id }) => id === only);
  const mutants = mutantsOf(await reachedBy(sent, wanted, open, jobs));
  const all = inTurns([sweep, losses, mutants]);
  if (only === undefined) return all;
  const named = all.filter(({ id }) => id === only);
  if (named.length > 0) return named;
  throw new Refused(
    known.some(({ id }) => id === only)
      ? `the tests do not meet ${only}`
      : `there is no run ${only}; a plain run and its plan name them all`,
  );
}

type Played = Run & { readonly variables: Readonly<Record<string, string>> };

async function play(
  { argv, control, env, fixture, junit, signal, onOutput }: ClientCommand,
  variation: Variation | undefined,
  timeoutMs: number,
): Promise<Played> {
  const id = variation?.id ?? 'plain';
  const name = id.replaceAll(/[^\w.-]+/g, '-');
  const filled = (text: string) => text.replaceAll('{run}', name);
  const world = await openRunWorld(control, variation, fixture);
  try {
    const { variables } = world;
    const ran: Ran = await runCommand({
      argv: argv.map(filled),
      env: { ...env, ...variables, LOCKSTEP_RUN: id },
      ...{ timeoutMs, signal },
      onOutput: (chunk) => onOutput?.(name, chunk),
    });
    const { entries } = await world.journal();
    const effects = variation?.deviation === undefined ? 0 : await world.effects();
    const failed = junit === undefined ? undefined : testsIn(globSync(filled(junit)))?.failed;
    return { ...ran, entries, effects, failed, variables };
  } finally {
    await world.close();
  }
}
