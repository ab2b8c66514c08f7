/**
 * A campaign: a client's test, run once for each of its requests and each way of losing it, every
 * time in a fork of the world. What the client made of it comes back as data and as text.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { insteadOf } from '../../spec/base/similar.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import type { FaultOrder } from '../world/fault.ts';
import { heldText, type JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import {
  type Attempt,
  findingsOf,
  judgeAttempt,
  notesOn,
  refusalsOf,
  requestKey,
  requestOf,
  type SentRequest,
  untestedBecause,
} from './campaign-judge.ts';
import { type CampaignReport, reportText } from './campaign-report.ts';

export interface CampaignOptions {
  /** Ways of losing a request, by name; `campaignPhases` where they are not given. */
  readonly phases?: Readonly<Record<string, FaultOrder>> | undefined;
  /**
   * Wall time after which a run counts as hung (default 4000): longer than the client's own limits
   * and pauses, and shorter than what the test framework allows for the whole campaign.
   */
  readonly timeoutMs?: number | undefined;
  /** Runs at a time (default 64). Use 1 for a client that keeps state outside its test. */
  readonly jobs?: number | undefined;
  /** Loses requests for these operations only. */
  readonly operations?: readonly OperationId[] | undefined;
}

/** The ways in which a campaign loses a request. */
export const campaignPhases = {
  before: { phase: 'before', status: 503 },
  'after-commit': { phase: 'after-commit', status: 504 },
  'mid-body': { phase: 'mid-body' },
  reset: { phase: 'socket', kind: 'reset' },
  'half-close': { phase: 'socket', kind: 'half-close' },
  stall: { phase: 'socket', kind: 'stall' },
} as const satisfies Readonly<Record<string, FaultOrder>>;

/** Below the five seconds that vitest, Jest and others allow a test. */
const TIMEOUT_MS = 4000;
/** Enough for a stall to cost its time once, and few enough that no run waits long for its turn. */
const JOBS = 64;
/** What is left to a run that has hung, for ending in good order, ms. */
const GRACE_MS = 250;

/** A client's test. The signal aborts when the run has hung. */
export type CampaignTest<Handle> = (
  world: Handle,
  context: { readonly signal: AbortSignal },
) => unknown;

/** A fork of the world for one run; the handle is as the test uses it. */
type Fork<Handle extends Disposable> = { readonly handle: Handle; readonly world: World };

/**
 * Rejects where the test fails, or hangs, although nothing is lost, with a FaultError where a phase
 * is no fault, and with a TypeError where an operation is named that there is not.
 */
export async function runCampaign<Handle extends Disposable>(
  origin: World,
  fork: () => Fork<Handle>,
  test: CampaignTest<Handle>,
  options: CampaignOptions = {},
): Promise<CampaignReport> {
  const { phases = campaignPhases, timeoutMs = TIMEOUT_MS, jobs = JOBS, operations } = options;
  checkOperations(operations);
  const attempt = (lose?: FaultOrder) => runAttempt(origin, fork(), test, timeoutMs, lose);
  const undisturbed = await attempt();
  if (undisturbed.end !== 'resolved') throw unusable(undisturbed, timeoutMs);
  const targets = undisturbed.sent
    .filter(({ operation }) => operations?.includes(operation) ?? true)
    .map((entry) => ({ entry, request: requestOf(entry, undisturbed.sent) }));
  const cases = targets.flatMap((target) =>
    Object.entries(phases).map(([phase, order]) => ({ target, phase, order })),
  );
  const runs = await sideBySide(cases, jobs, async ({ target, phase, order }) => {
    const { entry, request } = target;
    const { operation, nth } = request;
    const key = requestKey(entry);
    const when: NonNullable<FaultOrder['when']> = (call) =>
      requestKey({ ...call, requestBody: heldText(call.body) }) === key;
    const done = await attempt({ ...order, operation, when, after: nth - 1, times: 1 });
    return { request, phase, ...judgeAttempt(undisturbed.sent, entry, done) };
  });
  const untested = untestedBecause(undisturbed, runs, operations);
  const findings = runs
    .flatMap((run) => findingsOf(run, timeoutMs))
    .sort((a, b) => Number(a.idempotent) - Number(b.idempotent));
  const requests = targets.map(({ request }) => request);
  const report = { untested, requests, runs, findings, notes: notesOn(undisturbed, runs) };
  return {
    ...report,
    ok: untested === null && findings.every((finding) => finding.idempotent),
    text: reportText(report),
  };
}

function checkOperations(operations: readonly string[] = []): void {
  const known = [...contract.operations.keys()];
  const unknown = operations.find((name) => !known.some((id) => id === name));
  if (unknown === undefined) return;
  throw new TypeError(`The operation ${unknown} is not known${insteadOf(unknown, known)}`);
}

/** Without a loss the test itself has to pass. */
function unusable({ end, error = 'no error', sent }: Attempt, timeoutMs: number): Error {
  const how = end === 'hung' ? `does not end within ${timeoutMs} ms (timeoutMs)` : 'fails';
  const head = `the test ${how} even where nothing is lost: ${error}`;
  return new Error([head, ...refusalsOf(sent)].join('\n'));
}

async function runAttempt<Handle extends Disposable>(
  origin: World,
  fork: Fork<Handle>,
  test: CampaignTest<Handle>,
  timeoutMs: number,
  lose: FaultOrder | undefined,
): Promise<Attempt> {
  using handle = fork.handle;
  const { world } = fork;
  const entries: JournalEntry[] = [];
  const before = origin.journal.recorded;
  const fault = lose === undefined ? undefined : world.faults.add(lose);
  const unsubscribe = world.journal.subscribe((entry) => void entries.push(entry));
  const aborter = new AbortController();
  const running = Promise.resolve()
    .then(() => test(handle, { signal: aborter.signal }))
    .then(
      () => ({ end: 'resolved' as const }),
      (error: unknown) => ({ end: 'rejected' as const, error: String(error) }),
    );
  const ended = (await within(running, timeoutMs)) ?? { end: 'hung' as const };
  unsubscribe();
  if (ended.end === 'hung') {
    aborter.abort(new Error('the run has hung'));
    world.faults.clear();
    // What it still sends should find its world.
    await within(running, Math.min(timeoutMs, GRACE_MS));
  }
  const sent = entries.filter((entry): entry is SentRequest => entry.operation !== null);
  return {
    ...ended,
    sent,
    lost: fault && sent.find((entry) => entry.fault?.id === fault.id),
    unmatched: entries.filter(({ operation }) => operation === null),
    outside: origin.journal.recorded - before,
  };
}

/** Undefined where the time is over first. */
async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, pause(ms, undefined, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}

async function sideBySide<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const workers = Array.from({ length: Math.max(1, jobs) }, async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  });
  await Promise.all(workers);
  return results;
}
