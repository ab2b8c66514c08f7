/**
 * Losses: runs a client's test once for each of its requests and each way of losing it, every time in a
 * fork of the world. The report judges the client's reactions, as data and as text.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { insteadOf } from '../../spec/base/similar.ts';
import { sideBySide } from '../../spec/base/turns.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { lossPhases } from '../client/loss-phases.ts';
import {
  type Attempt,
  findingsOf,
  judgeAttempt,
  notesOn,
  refusalsOf,
  requestOf,
  type SentRequest,
  untestedBecause,
} from '../client/losses-judge.ts';
import { type LossReport, reportText } from '../client/losses-report.ts';
import { sentIn } from '../client/outcome.ts';
import { checkFaultOrder, type FaultOrder } from '../world/fault.ts';
import { checkOptions, namesOf } from '../world/world-request.ts';
import { type AnyWorld, follow } from './any-world.ts';

export interface LossOptions {
  /**
   * Ways of losing a request, by name; `lossPhases` if they are not given. Each is a fault. It may name the
   * operation and the credential, and how many `times` in a row a request is lost.
   */
  readonly phases?: Readonly<Record<string, FaultOrder>> | undefined;
  /**
   * Wall time after which a run counts as hung (default 4000). It must be longer than the client's own limits
   * and pauses, and shorter than the test framework's limit for all runs.
   */
  readonly timeoutMs?: number | undefined;
  /** Runs at a time (default 64). Use 1 for a client that keeps state outside its test. */
  readonly jobs?: number | undefined;
  /** Loses requests for these operations only. */
  readonly operations?: readonly OperationId[] | undefined;
}

const optionNames = namesOf<LossOptions>({
  ...{ phases: true, timeoutMs: true, jobs: true, operations: true },
});

/** Below the five seconds that vitest, Jest and others allow a test. */
export const TIMEOUT_MS = 4000;
/** With so many, all stalls together cost their time only once, and no run waits long for its turn. */
export const JOBS = 64;
/** The time that a hung run has to end cleanly, ms. */
const GRACE_MS = 250;

/** A client's test. The signal aborts when the run has hung. */
export type ClientTest<Handle> = (
  world: Handle,
  context: { readonly signal: AbortSignal },
) => unknown;

/**
 * Rejects if the test fails or hangs although nothing is lost. Rejects with a FaultError if a phase is not a
 * fault. Rejects with a TypeError if an operation does not exist, or if a phase chooses requests.
 */
export async function loseEach<Handle extends AnyWorld<Handle>>(
  origin: Handle,
  test: ClientTest<Handle>,
  options: LossOptions = {},
): Promise<LossReport> {
  const { phases = lossPhases, timeoutMs = TIMEOUT_MS, jobs = JOBS, operations } = options;
  checkOptions(options, optionNames, 'losses');
  checkOperations(operations);
  checkPhases(phases, Object.keys(origin.credentials));
  const attempt = (lose?: FaultOrder) => runAttempt(origin, test, timeoutMs, lose);
  const before = await origin.requests.recorded;
  const undisturbed = await attempt();
  const outside = (await origin.requests.recorded) - before;
  if (undisturbed.end !== 'passed') {
    const failure = unusable(undisturbed, timeoutMs, 'even if nothing is lost');
    throw new Error([failure, ...refusalsOf(undisturbed.sent)].join('\n'));
  }
  const targets = undisturbed.sent
    .filter(({ operation }) => operations?.includes(operation) ?? true)
    .map((entry) => ({ entry, request: requestOf(entry, undisturbed.sent) }));
  const cases = targets.flatMap((target) =>
    Object.entries(phases)
      .filter(([, order]) => isFor(order, target.entry))
      .map(([phase, order]) => ({ target, phase, order })),
  );
  const runs = await sideBySide(cases, jobs, async ({ target, phase, order }) => {
    const { entry, request } = target;
    const { fingerprint } = entry;
    const { operation: _chosen, credential: _known, ...how } = order;
    const done = await attempt({ times: 1, ...how, fingerprint, after: request.nth - 1 });
    return { request, phase, ...judgeAttempt(undisturbed.sent, entry, done) };
  });
  const untested = untestedBecause(undisturbed, outside, runs, operations);
  const findings = runs
    .flatMap((run) => findingsOf(run, timeoutMs, 'timeoutMs'))
    .sort((a, b) => Number(a.idempotent) - Number(b.idempotent));
  const requests = targets.map(({ request }) => request);
  const notes = notesOn(undisturbed, outside, runs, Object.keys(phases));
  const report = { untested, requests, runs, findings, notes };
  return {
    ...report,
    ok: untested === null && findings.every((finding) => finding.idempotent),
    text: reportText(report),
  };
}

function isFor({ operation, credential }: FaultOrder, entry: SentRequest): boolean {
  return (
    (operation ?? entry.operation) === entry.operation &&
    (credential ?? entry.credential) === entry.credential
  );
}

/** Fields that choose requests. They are refused here, because each request is lost in turn. */
const CHOOSING = ['when', 'fingerprint', 'after', 'every', 'probability', 'rateLimit'] as const;

function checkPhases(phases: Readonly<Record<string, FaultOrder>>, credentials: string[]): void {
  for (const [name, order] of Object.entries(phases)) {
    checkFaultOrder(order, credentials);
    const choosing = CHOOSING.find((field) => order[field] !== undefined);
    if (choosing === undefined) continue;
    throw new TypeError(
      `The phase ${name} has ${choosing}, which chooses requests, but each request is lost in turn; a phase may have operation, credential and times`,
    );
  }
}

function checkOperations(operations: readonly string[] = []): void {
  const known = [...contract.operations.keys()];
  const unknown = operations.find((name) => !known.some((id) => id === name));
  if (unknown === undefined) return;
  throw new TypeError(`The operation ${unknown} is not known${insteadOf(unknown, known)}`);
}

/**
 * The reason why a test cannot be used if it does not pass by itself. `when` says that nothing was varied.
 */
export function unusable(
  { end, error = 'no error' }: Pick<Attempt, 'end' | 'error'>,
  timeoutMs: number,
  when: string,
): string {
  const how = end === 'hung' ? `does not end within ${timeoutMs} ms (timeoutMs)` : 'fails';
  return `the test ${how} ${when}: ${error}`;
}

async function runAttempt<Handle extends AnyWorld<Handle>>(
  origin: Handle,
  test: ClientTest<Handle>,
  timeoutMs: number,
  lose: FaultOrder | undefined,
): Promise<Attempt> {
  await using world = await origin.fork();
  const fault = lose && (await world.faults.add(lose));
  const received = await follow(world);
  const { settle, ...ended } = await endOf(world, test, timeoutMs);
  const entries = await received();
  await settle();
  const sent = sentIn({ entries });
  return {
    ...ended,
    sent,
    lost: sent.filter((entry) => fault !== undefined && entry.fault?.id === fault.id),
    unmatched: entries.filter(({ operation }) => operation === null),
  };
}

/** Runs a test with a time limit; `settle` ends a test that has hung. */
export async function endOf<Handle extends AnyWorld>(
  world: Handle,
  test: ClientTest<Handle>,
  timeoutMs: number,
): Promise<Pick<Attempt, 'end' | 'error'> & { readonly settle: () => Promise<void> }> {
  const aborter = new AbortController();
  const running = Promise.resolve()
    .then(() => test(world, { signal: aborter.signal }))
    .then(
      () => ({ end: 'passed' as const }),
      (error: unknown) => ({ end: 'failed' as const, error: String(error) }),
    );
  const ended = await within(running, timeoutMs);
  if (ended !== undefined) return { ...ended, settle: async () => {} };
  const settle = async () => {
    aborter.abort(new Error('the run has hung'));
    await world.faults.clear();
    // The test may still send requests, and they should find its world.
    await within(running, Math.min(timeoutMs, GRACE_MS));
  };
  return { end: 'hung', settle };
}

/** Undefined if the time is over before. */
async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, pause(ms, undefined, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
