/** What a client made of each loss, judged by what it sent afterwards. */
import { equal } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import type { Change } from '../world/changes.ts';
import type { FaultCall } from '../world/fault.ts';
import { type JournalEntry, servedStatus } from '../world/journal.ts';
import type {
  CampaignFinding,
  CampaignOutcome,
  CampaignRequest,
  CampaignRun,
} from './campaign-report.ts';
import { lineOf } from './describe.ts';

/** A request that reached the world of an attempt. */
export interface SentRequest {
  /** Its `status` is as the client got it. */
  readonly request: CampaignRequest;
  /** Equal for requests that are the same to the byte. */
  readonly key: string;
  readonly write: boolean;
  /** The service carried it out, whether or not the client got the answer. */
  readonly done: boolean;
  readonly lost: boolean;
  readonly changes: readonly Change[];
}

/** One run of the client's test. */
export interface Attempt {
  readonly end: 'resolved' | 'rejected' | 'hung';
  readonly error?: string;
  readonly sent: readonly SentRequest[];
  /** Requests to its world that are for no operation. */
  readonly unmatched: readonly JournalEntry[];
  /** How many requests reached the world outside meanwhile. */
  readonly outside: number;
}

/** A journal holds no more of a body. */
export function keyOf(call: Pick<FaultCall, 'method' | 'path' | 'query'>, body: string | null) {
  return `${call.method} ${targetOf(call)} ${body}`;
}

function targetOf({ path, query }: Pick<FaultCall, 'path' | 'query'>): string {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return query === '' ? clean : `${clean}?${query}`;
}

/** `earlier` are the requests before it, `fault` is the id of the one that loses a request. */
export function sentRequest(
  entry: JournalEntry,
  operation: OperationId,
  earlier: readonly SentRequest[],
  fault: string | undefined,
): SentRequest {
  const { method, status, refusal, changes } = entry;
  const key = keyOf(entry, entry.requestBody);
  const nth = 1 + earlier.filter((other) => other.key === key).length;
  const target = targetOf(entry);
  return {
    request: { operation, method, target, nth, status, refusal: refusal?.message ?? null },
    key,
    write: method !== 'GET' && method !== 'HEAD',
    done: isOk(servedStatus(entry) ?? 0),
    lost: fault !== undefined && entry.fault?.id === fault,
    changes,
  };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 400;
}

const UNRESOLVED = { hung: 'hung', rejected: 'failed' } as const;

/** What the client made of a loss. `undisturbed` is what it sends when nothing is lost. */
export function judgeAttempt(
  undisturbed: readonly SentRequest[],
  { end, error, sent }: Attempt,
): Omit<CampaignRun, 'request' | 'phase'> {
  const failure = error === undefined ? {} : { error };
  const at = sent.findIndex(({ lost }) => lost);
  const lost = sent[at];
  if (lost === undefined) {
    const outcome = end === 'hung' ? 'hung' : 'unreached';
    return { outcome, committed: false, duplicate: false, again: [], ...failure };
  }
  const place = undisturbed.findIndex(
    ({ key, request }) => key === lost.key && request.nth === lost.request.nth,
  );
  const later = sent.slice(at + 1);
  const usual = undisturbed.slice(place + 1);
  const done = (list: readonly SentRequest[]) =>
    list.filter((one) => one.key === lost.key && one.done).length;
  const outcome =
    end === 'resolved'
      ? outcomeOf(lost, later, usual, undisturbed[place]?.request.status)
      : UNRESOLVED[end];
  const duplicate = lost.write && lost.done && done(later) > done(usual);
  const repeated = later.find((one) => one.key === lost.key && one.done);
  const again = duplicate ? describeChanges(repeated?.changes ?? []) : [];
  return { outcome, committed: lost.done, duplicate, again, ...failure };
}

/** Times aside: those say when, not what. */
function describeChanges(changes: readonly Change[]): string[] {
  return changes
    .map(({ before, after, ...row }) => ({
      ...row,
      before: withoutTimes(before),
      after: withoutTimes(after),
    }))
    .filter(({ before, after }) => !equal(before, after))
    .map(lineOf);
}

const withoutTimes = (row: object | undefined) =>
  row && Object.fromEntries(Object.entries(row).filter(([name]) => !name.endsWith('At')));

/** Of a client that succeeded. `expected` is the status of the request when it is not lost. */
function outcomeOf(
  lost: SentRequest,
  later: readonly SentRequest[],
  usual: readonly SentRequest[],
  expected: number | undefined,
): CampaignOutcome {
  const isExpected = (status: number) => status !== 0 && status === expected;
  // A refusal is an answer like any other where it is what comes when nothing is lost.
  const answered = (list: readonly SentRequest[]) =>
    list.filter(
      ({ key, request: { status } }) => key === lost.key && (isOk(status) || isExpected(status)),
    ).length;
  const reads = (list: readonly SentRequest[]) =>
    list.filter(({ write, request }) => !write && isOk(request.status)).length;
  // A poll that goes on has made up for a read; a write needs one more, or a look at its effect.
  if (lost.write ? answered(later) > answered(usual) : answered(later) > 0) return 'recovered';
  if (lost.write && lost.done && reads(later) > reads(usual)) return 'recovered';
  // The status came through before the body was cut: enough for a write, or for a refusal.
  const { status } = lost.request;
  const enough = !isOk(status) || (lost.write && lost.done);
  return isExpected(status) && enough ? 'recovered' : 'swallowed';
}

export function findingsOf(run: CampaignRun, timeoutMs: number): CampaignFinding[] {
  const { request, phase, outcome, duplicate, again } = run;
  const { operation, method, target, nth } = request;
  const which = nth === 1 ? '' : ` (no. ${nth})`;
  const finding = (kind: CampaignFinding['kind'], said: string, idempotent = false) => {
    const text = `${kind}: ${method} ${target}${which}, ${phase}: ${said}`;
    return { kind, request, phase, idempotent, text };
  };
  const findings: CampaignFinding[] = [];
  if (outcome === 'hung') {
    const said = `the client had not ended after ${timeoutMs} ms; where it has more patience, raise timeoutMs`;
    findings.push(finding('hang', said));
  }
  if (duplicate) {
    const repeatable = contract.operations.get(operation)?.idempotent === true;
    const why = !repeatable
      ? `; nothing says that ${operation} may be repeated`
      : again.length === 0
        ? `, which changed nothing more: ${operation} may be repeated`
        : `, which changed more than once would: ${again.join('; ')}`;
    const harmless = repeatable && again.length === 0;
    const said = `carried out, then carried out again${why}`;
    findings.push(finding('duplicate-write', said, harmless));
  }
  if (outcome === 'swallowed') {
    findings.push(finding('swallowed-error', `lost, yet the client succeeded${unheard(run)}`));
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
