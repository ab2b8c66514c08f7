/**
 * A campaign: a client's test, replayed once for each of its requests and each way of losing it,
 * every time in a fork of the world. What the client made of it comes back as data and as text.
 */
import type { OperationId } from '../spec/contract.ts';
import type { FaultOrder } from './world/faults.ts';
import type { JournalEntry } from './world/journal.ts';
import type { World } from './world/world.ts';

export interface CampaignOptions {
  /** Ways of losing a request, by name; `campaignPhases` where they are not given. */
  readonly phases?: Readonly<Record<string, FaultOrder>> | undefined;
  /** Wall time after which a run counts as hung (default 1000). */
  readonly timeoutMs?: number | undefined;
  /** Runs at a time (default 1). More suit a client that keeps nothing outside its test. */
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

/** A request that the client makes when nothing is lost. */
export interface CampaignRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** 1 for the first request that is the same to the byte, 2 for the second, and so on. */
  readonly nth: number;
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
  readonly ok: boolean;
  readonly requests: readonly CampaignRequest[];
  readonly runs: readonly CampaignRun[];
  readonly findings: readonly CampaignFinding[];
  /** A line in sum, then a line for each finding. */
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
  end(): void;
}

/** Rejects where the test fails, or hangs, although nothing is lost. */
export async function runCampaign<Handle>(
  fork: () => Stage<Handle>,
  test: CampaignTest<Handle>,
  options: CampaignOptions = {},
): Promise<CampaignReport> {
  const { phases = campaignPhases, timeoutMs = 1000, jobs = 1, operations } = options;
  const perform = (lose?: FaultOrder) => performOnce(fork(), test, timeoutMs, lose);
  const rehearsal = await perform();
  if (rehearsal.end !== 'resolved') {
    const how = rehearsal.end === 'hung' ? `does not end within ${timeoutMs} ms` : 'fails';
    throw new Error(`the test ${how} even where nothing is lost: ${rehearsal.error ?? 'no error'}`);
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
    return { request, phase, ...judge(rehearsal.sent, performance, order) };
  });
  const findings = runs.flatMap((run) => findingsOf(run, timeoutMs));
  return {
    ok: findings.every((finding) => finding.idempotent),
    requests: targets.map(({ entry, nth }) => requestOf(entry, nth)),
    runs,
    findings,
    text: summary(targets.length, runs, findings),
  };
}

interface Sent {
  readonly key: string;
  readonly operation: OperationId;
  readonly method: string;
  readonly target: string;
  readonly write: boolean;
  readonly ok: boolean;
  readonly lost: boolean;
}

interface Performance {
  readonly end: 'resolved' | 'rejected' | 'hung';
  readonly error?: string;
  readonly sent: readonly Sent[];
  /** Status of the lost request as the service had it; null where it did nothing. */
  readonly status: number | null;
}

async function performOnce<Handle>(
  stage: Stage<Handle>,
  test: CampaignTest<Handle>,
  timeoutMs: number,
  lose: FaultOrder | undefined,
): Promise<Performance> {
  const { world, handle } = stage;
  const sent: Sent[] = [];
  let status: number | null = null;
  // A strike is told of just before its request is journalled.
  let struck = false;
  const onStrike = (came: number | null) => {
    struck = true;
    status = came;
  };
  if (lose !== undefined) world.faults.add({ ...lose, onStrike }, true);
  const unsubscribe = world.journal.subscribe((entry) => {
    if (entry.operation !== null) sent.push(sentOf(entry, entry.operation, struck));
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
    await within(running, timeoutMs);
  }
  stage.end();
  return { ...ended, sent, status };
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
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
  return results;
}

/** A journal holds so much of a body at most. */
const COMPARED_BYTES = 64 * 1024;

function keyOf(call: {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array | undefined;
}): string {
  const body = new TextDecoder().decode(call.body?.subarray(0, COMPARED_BYTES));
  return `${call.method} ${targetOf(call)} ${body}`;
}

function targetOf({ path, query }: { readonly path: string; readonly query: string }): string {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return query === '' ? clean : `${clean}?${query}`;
}

function sentOf(entry: JournalEntry, operation: OperationId, lost: boolean): Sent {
  const { method, status } = entry;
  return {
    key: keyOf({ ...entry, body: entry.requestBody }),
    operation,
    method,
    target: targetOf(entry),
    write: method !== 'GET' && method !== 'HEAD',
    ok: isOk(status),
    lost,
  };
}

function isOk(status: number | null): boolean {
  return status !== null && status >= 200 && status < 400;
}

function nthOf(sent: readonly Sent[], index: number): number {
  return sent.slice(0, index + 1).filter(({ key }) => key === sent[index]?.key).length;
}

function requestOf({ operation, method, target }: Sent, nth: number): CampaignRequest {
  return { operation, method, target, nth };
}

/** What the client made of a loss, by what it sent afterwards. */
function judge(
  rehearsal: readonly Sent[],
  { end, error, sent, status }: Performance,
  order: FaultOrder,
): Omit<CampaignRun, 'request' | 'phase'> {
  const at = sent.findIndex(({ lost }) => lost);
  const lost = sent[at];
  const said = error === undefined ? {} : { error };
  if (lost === undefined) {
    const outcome = end === 'hung' ? 'hung' : 'unreached';
    return { outcome, committed: false, duplicate: false, ...said };
  }
  const committed = isOk(status);
  const later = sent.slice(at + 1);
  const usual = rehearsal.slice(
    rehearsal.findIndex((_, index, all) => isSame(all, index, sent, at)) + 1,
  );
  const again = (list: readonly Sent[]) =>
    list.filter(({ key, ok }) => key === lost.key && ok).length;
  const reads = (list: readonly Sent[]) => list.filter(({ write, ok }) => !write && ok).length;
  const duplicate = lost.write && committed && again(later) > again(usual);
  const outcome = (): CampaignOutcome => {
    if (end === 'hung') return 'hung';
    if (end === 'rejected') return 'failed';
    // A poll that goes on has made up for a read; a write needs one more, or a look at its effect.
    if (lost.write ? again(later) > again(usual) : again(later) > 0) return 'recovered';
    if (lost.write && committed && reads(later) > reads(usual)) return 'recovered';
    // The status of a write came through before its body was cut.
    if (lost.write && committed && order.phase === 'mid-body') return 'recovered';
    return 'swallowed';
  };
  return { outcome: outcome(), committed, duplicate, ...said };
}

function isSame(all: readonly Sent[], index: number, sent: readonly Sent[], at: number): boolean {
  return all[index]?.key === sent[at]?.key && nthOf(all, index) === nthOf(sent, at);
}

function findingsOf(run: CampaignRun, timeoutMs: number): CampaignFinding[] {
  const { request, phase, outcome, duplicate, committed } = run;
  const { method, target, nth } = request;
  const which = nth === 1 ? '' : ` (no. ${nth})`;
  const idempotent = method === 'PUT' || method === 'DELETE';
  const finding = (kind: CampaignFinding['kind'], harmless: boolean, text: string) => ({
    kind,
    request,
    phase,
    idempotent: harmless,
    text: `${kind}: ${method} ${target}${which}, ${phase}: ${text}`,
  });
  const findings: CampaignFinding[] = [];
  if (outcome === 'hung') {
    findings.push(finding('hang', false, `the client had not ended after ${timeoutMs} ms`));
  }
  if (duplicate) {
    const note = idempotent ? ` (${method} may be repeated)` : '';
    findings.push(
      finding('duplicate-write', idempotent, `carried out, then carried out again${note}`),
    );
  }
  if (outcome === 'swallowed') {
    const done = committed ? '' : ', and it was never carried out';
    findings.push(finding('swallowed-error', false, `lost, yet the client succeeded${done}`));
  }
  return findings;
}

function summary(
  requests: number,
  runs: readonly CampaignRun[],
  findings: readonly CampaignFinding[],
): string {
  const outcomes = ['recovered', 'failed', 'swallowed', 'hung', 'unreached'] as const;
  const counts = outcomes
    .map((outcome) => [runs.filter((run) => run.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const head = `${requests} requests, ${runs.length} runs: ${counts.join(', ') || 'none'}`;
  return [head, ...findings.map(({ text }) => text)].join('\n');
}
