/**
 * A campaign: a client's test, replayed once for each of its requests and each way of losing it,
 * every time in a fork of the world. What the client made of it comes back as data and as text.
 */
import type { OperationId } from '../../spec/contract.ts';
import type { FaultOrder } from '../world/fault.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import {
  findingsOf,
  judge,
  keyOf,
  notesOn,
  nthOf,
  type Performance,
  refusalsOf,
  requestOf,
  type Sent,
  sentOf,
  summary,
} from './campaign-judge.ts';
import { checkOperations, untestedBecause } from './campaign-untested.ts';

export interface CampaignOptions {
  /** Ways of losing a request, by name; `campaignPhases` where they are not given. */
  readonly phases?: Readonly<Record<string, FaultOrder>> | undefined;
  /**
   * Wall time after which a run counts as hung (default 4000): longer than the client's own limits
   * and pauses, and shorter than what the test framework allows for the whole campaign.
   */
  readonly timeoutMs?: number | undefined;
  /** Runs at a time (default 64). 1 suits a client that keeps something outside its test. */
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

/** A request that the client makes when nothing is lost. */
export interface CampaignRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** 1 for the first request that is the same to the byte, 2 for the second, and so on. */
  readonly nth: number;
  /** Of its answer when nothing is lost. */
  readonly status: number;
  /** Why it is refused even then; null where it is not. */
  readonly refusal: string | null;
}

/**
 * How the client took it: it went on and made up for the loss, it failed as it should, it went on
 * as if nothing had been lost, it never ended, or it did not make the request this time.
 */
export type CampaignOutcome = 'recovered' | 'failed' | 'swallowed' | 'hung' | 'unreached';

export interface CampaignRun {
  readonly request: CampaignRequest;
  readonly phase: string;
  readonly outcome: CampaignOutcome;
  /** The service had carried the request out before its answer was lost. */
  readonly committed: boolean;
  /** The write was carried out again, more often than without the loss. */
  readonly duplicate: boolean;
  /** What the client failed with. */
  readonly error?: string;
}

export interface CampaignFinding {
  readonly kind: 'hang' | 'duplicate-write' | 'swallowed-error';
  readonly request: CampaignRequest;
  readonly phase: string;
  /** A write whose repetition HTTP calls harmless (PUT, DELETE). Such a finding leaves `ok` true. */
  readonly idempotent: boolean;
  readonly text: string;
}

export interface CampaignReport {
  /** Something was tested, and no finding is a failure. */
  readonly ok: boolean;
  /** Why nothing was tested, and what to do; null where something was. */
  readonly untested: string | null;
  readonly requests: readonly CampaignRequest[];
  readonly runs: readonly CampaignRun[];
  /** Those that make it fail come first. */
  readonly findings: readonly CampaignFinding[];
  /** What may be a slip of the test, and is no failure: what is refused anyway, or was not tested. */
  readonly notes: readonly string[];
  /**
   * A line in sum; why nothing was tested, or a line for each finding that is a failure; then what is
   * none, under a line that says so.
   */
  readonly text: string;
}

/** A client's test. The signal aborts when the run has hung. */
export type CampaignTest<Handle> = (
  world: Handle,
  context: { readonly signal: AbortSignal },
) => unknown;

/** A fork of the world for one run. */
export interface Stage<Handle> {
  readonly handle: Handle;
  readonly world: World;
  /** What it is a fork of. */
  readonly origin: World;
  end(): void;
}

/**
 * Rejects where the test fails, or hangs, although nothing is lost, with a FaultError where a phase
 * is no fault, and with a TypeError where an operation is named that there is not.
 */
export async function runCampaign<Handle>(
  fork: () => Stage<Handle>,
  test: CampaignTest<Handle>,
  options: CampaignOptions = {},
): Promise<CampaignReport> {
  const { phases = campaignPhases, timeoutMs = TIMEOUT_MS, jobs = JOBS, operations } = options;
  checkOperations(options);
  const perform = (lose?: FaultOrder) => performOnce(fork(), test, timeoutMs, lose);
  const rehearsal = await perform();
  if (rehearsal.end !== 'resolved') {
    const how =
      rehearsal.end === 'hung' ? `does not end within ${timeoutMs} ms (timeoutMs)` : 'fails';
    const error = `the test ${how} even where nothing is lost: ${rehearsal.error ?? 'no error'}`;
    throw new Error([error, ...refusalsOf(rehearsal.sent)].join('\n'));
  }
  const targets = rehearsal.sent
    .map((entry, index) => ({ entry, nth: nthOf(rehearsal.sent, index) }))
    .filter(({ entry }) => operations?.includes(entry.operation) ?? true);
  const cases = targets.flatMap((target) =>
    Object.entries(phases).map(([phase, order]) => ({ ...target, phase, order })),
  );
  const runs = await inTurn(cases, jobs, async ({ entry, nth, phase, order }) => {
    const when: NonNullable<FaultOrder['when']> = (call) => keyOf(call) === entry.key;
    const lose = { ...order, operation: entry.operation, when, after: nth - 1, times: 1 };
    const performance = await perform(lose);
    const request = requestOf(entry, nth);
    return { request, phase, ...judge(rehearsal.sent, performance) };
  });
  const untested = untestedBecause(rehearsal, runs, options);
  const notes = notesOn(rehearsal, runs);
  const found = runs.flatMap((run) => findingsOf(run, timeoutMs));
  const findings = [...found].sort((a, b) => Number(a.idempotent) - Number(b.idempotent));
  return {
    ok: untested === null && findings.every((finding) => finding.idempotent),
    untested,
    requests: targets.map(({ entry, nth }) => requestOf(entry, nth)),
    runs,
    findings,
    notes,
    text: summary(targets.length, runs, findings, untested, notes),
  };
}

async function performOnce<Handle>(
  stage: Stage<Handle>,
  test: CampaignTest<Handle>,
  timeoutMs: number,
  lose: FaultOrder | undefined,
): Promise<Performance> {
  const { world, handle, origin } = stage;
  const sent: Sent[] = [];
  const unmatched: JournalEntry[] = [];
  const before = origin.journal.recorded;
  let status: number | null = null;
  // A strike is told of just before its request is journalled.
  let struck = false;
  const onStrike = (came: number | null) => {
    struck = true;
    status = came;
  };
  try {
    if (lose !== undefined) world.faults.add({ ...lose, onStrike }, true);
  } catch (error) {
    stage.end();
    throw error;
  }
  const unsubscribe = world.journal.subscribe((entry) => {
    if (entry.operation === null) unmatched.push(entry);
    else sent.push(sentOf(entry, entry.operation, struck));
    struck = false;
  });
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
  stage.end();
  return { ...ended, sent, unmatched, outside: origin.journal.recorded - before, status };
}

/** Undefined where the time is over first. */
async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(jobs, items.length)) }, worker));
  return results;
}
