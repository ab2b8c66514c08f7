/** What a client made of each loss, judged by what it sent; as data, and in lines for people. */
import type { OperationId } from '../../spec/contract.ts';
import { type JournalEntry, servedStatus } from '../world/journal.ts';
import type { CampaignFinding, CampaignOutcome, CampaignRequest, CampaignRun } from './campaign.ts';

/** A request that reached the world of a run. */
export interface Sent {
  readonly key: string;
  readonly operation: OperationId;
  readonly method: string;
  readonly target: string;
  readonly write: boolean;
  /** As the client got it. */
  readonly status: number;
  /** Why it was refused; null where it was not. */
  readonly refusal: string | null;
  /** The service carried it out, whatever the client heard of it. */
  readonly done: boolean;
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
  const { method, status, refusal } = entry;
  return {
    key: keyOf({ ...entry, body: entry.requestBody }),
    operation,
    method,
    target: targetOf(entry),
    write: method !== 'GET' && method !== 'HEAD',
    status,
    refusal: refusal?.message ?? null,
    done: isOk(servedStatus(entry)),
    lost,
  };
}

function isOk(status: number | null): boolean {
  return status !== null && status >= 200 && status < 400;
}

export function nthOf(sent: readonly Sent[], index: number): number {
  return sent.slice(0, index + 1).filter(({ key }) => key === sent[index]?.key).length;
}

export function requestOf(
  { operation, method, target, status, refusal }: Sent,
  nth: number,
): CampaignRequest {
  return { operation, method, target, nth, status, refusal };
}

/** What the client made of a loss, by what it sent afterwards. */
export function judge(
  rehearsal: readonly Sent[],
  { end, error, sent, status }: Performance,
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
  const place = rehearsal.findIndex((_, index, all) => isSame(all, index, sent, at));
  const base = rehearsal[place];
  const usual = rehearsal.slice(place + 1);
  const alike = (list: readonly Sent[]) => list.filter(({ key }) => key === lost.key);
  const done = (list: readonly Sent[]) => alike(list).filter((one) => one.done).length;
  // A refusal is an answer like any other where it is what comes when nothing is lost.
  const again = (list: readonly Sent[]) =>
    alike(list).filter(({ status: came }) => isOk(came) || isTheSame(came, base)).length;
  const reads = (list: readonly Sent[]) =>
    list.filter(({ write, status: came }) => !write && isOk(came)).length;
  const duplicate = lost.write && committed && done(later) > done(usual);
  const outcome = (): CampaignOutcome => {
    if (end === 'hung') return 'hung';
    if (end === 'rejected') return 'failed';
    // A poll that goes on has made up for a read; a write needs one more, or a look at its effect.
    if (lost.write ? again(later) > again(usual) : again(later) > 0) return 'recovered';
    if (lost.write && committed && reads(later) > reads(usual)) return 'recovered';
    // What it goes by came through before the body was cut: the status of a write, or a refusal.
    const told = isTheSame(lost.status, base);
    if (told && (isOk(lost.status) ? lost.write && committed : true)) return 'recovered';
    return 'swallowed';
  };
  return { outcome: outcome(), committed, duplicate, ...said };
}

function isTheSame(status: number, base: Sent | undefined): boolean {
  return status !== 0 && status === base?.status;
}

function isSame(all: readonly Sent[], index: number, sent: readonly Sent[], at: number): boolean {
  return all[index]?.key === sent[at]?.key && nthOf(all, index) === nthOf(sent, at);
}

export function findingsOf(run: CampaignRun, timeoutMs: number): CampaignFinding[] {
  const { request, phase, outcome, duplicate } = run;
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
    const text = `the client had not ended after ${timeoutMs} ms; where it has more patience, raise timeoutMs`;
    findings.push(finding('hang', false, text));
  }
  if (duplicate) {
    const note = idempotent ? ` (${method} may be repeated)` : '';
    findings.push(
      finding('duplicate-write', idempotent, `carried out, then carried out again${note}`),
    );
  }
  if (outcome === 'swallowed') {
    findings.push(
      finding('swallowed-error', false, `lost, yet the client succeeded${unheard(run)}`),
    );
  }
  return findings;
}

/** What a client that succeeded has not heard. */
function unheard({ committed, request: { status } }: CampaignRun): string {
  if (committed) return '';
  return status >= 400
    ? `, though the ${status} that comes without the loss never came`
    : ', and it was never carried out';
}

export function summary(
  requests: number,
  runs: readonly CampaignRun[],
  findings: readonly CampaignFinding[],
  untested: string | null,
  notes: readonly string[],
): string {
  const outcomes = ['recovered', 'failed', 'swallowed', 'hung', 'unreached'] as const;
  const counts = outcomes
    .map((outcome) => [runs.filter((run) => run.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const head = `${counted(requests, 'request')}, ${counted(runs.length, 'run')}: ${counts.join(', ') || 'none'}`;
  const nothing = untested === null ? [] : [`nothing was tested: ${untested}`];
  const lines = (harmless: boolean) =>
    findings.filter(({ idempotent }) => idempotent === harmless).map(({ text }) => text);
  const toKnow = [...lines(true), ...notes];
  return [
    head,
    ...nothing,
    ...lines(false),
    ...(toKnow.length === 0 ? [] : ['to know, and no failure:']),
    ...toKnow.map((line) => `  ${line}`),
  ].join('\n');
}

/** What may be a slip of the test, though it is no failure. */
export function notesOn({ sent, outside }: Performance, runs: readonly CampaignRun[]): string[] {
  const unreached = runs.filter(({ outcome }) => outcome === 'unreached');
  const never = [...new Set(unreached.map(({ request }) => `${request.method} ${request.target}`))];
  return [
    ...refusalsOf(sent),
    ...never.map((target) => `not tested: ${target} was another request when it was to be lost`),
    ...(outside === 0 || sent.length === 0
      ? []
      : [`not tested: ${counted(outside, 'request')} reached the world outside`]),
  ];
}

/** What is refused though nothing is lost: each refusal once, with how often it came. */
export function refusalsOf(rehearsal: readonly Sent[]): string[] {
  const refused = rehearsal
    .filter(({ status }) => status >= 400)
    .map(
      ({ operation, method, target, status, refusal }) =>
        `refused without a loss: ${operation}, ${method} ${target}: ${status}${refusal === null ? '' : `, ${refusal}`}`,
    );
  return [...new Set(refused)].map((line) => {
    const times = refused.filter((other) => other === line).length;
    return times === 1 ? line : `${line} (${times} times)`;
  });
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
