/** What a client made of each loss, judged by what it sent; as data, and in lines for people. */
import type { OperationId } from '../spec/contract.ts';
import type { CampaignFinding, CampaignOutcome, CampaignRequest, CampaignRun } from './campaign.ts';
import type { FaultOrder } from './world/faults.ts';
import type { JournalEntry } from './world/journal.ts';

/** A request that reached the world of a run. */
export interface Sent {
  readonly key: string;
  readonly operation: OperationId;
  readonly method: string;
  readonly target: string;
  readonly write: boolean;
  readonly ok: boolean;
  readonly lost: boolean;
}

/** One run of the test. */
export interface Performance {
  readonly end: 'resolved' | 'rejected' | 'hung';
  readonly error?: string;
  readonly sent: readonly Sent[];
  /** Requests to its world that are for no operation. */
  readonly unmatched: readonly JournalEntry[];
  /** How many requests reached the world outside meanwhile. */
  readonly outside: number;
  /** Status of the lost request as the service had it; null where it did nothing. */
  readonly status: number | null;
}

/** A journal holds so much of a body at most. */
const COMPARED_BYTES = 64 * 1024;

export function keyOf(call: {
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

export function sentOf(entry: JournalEntry, operation: OperationId, lost: boolean): Sent {
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

export function nthOf(sent: readonly Sent[], index: number): number {
  return sent.slice(0, index + 1).filter(({ key }) => key === sent[index]?.key).length;
}

export function requestOf({ operation, method, target }: Sent, nth: number): CampaignRequest {
  return { operation, method, target, nth };
}

/** What the client made of a loss, by what it sent afterwards. */
export function judge(
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

export function findingsOf(run: CampaignRun, timeoutMs: number): CampaignFinding[] {
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

export function summary(
  requests: number,
  runs: readonly CampaignRun[],
  findings: readonly CampaignFinding[],
  untested: string | null,
): string {
  const outcomes = ['recovered', 'failed', 'swallowed', 'hung', 'unreached'] as const;
  const counts = outcomes
    .map((outcome) => [runs.filter((run) => run.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const head = `${counted(requests, 'request')}, ${counted(runs.length, 'run')}: ${counts.join(', ') || 'none'}`;
  const nothing = untested === null ? [] : [`nothing was tested: ${untested}`];
  return [head, ...nothing, ...findings.map(({ text }) => text)].join('\n');
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
