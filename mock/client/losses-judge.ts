/**
 * Judges a client's reaction to each loss by its later requests, and notes possible mistakes in the
 * test.
 */
import { count } from '../../spec/base/count.ts';
import { equal } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { changeLine, type RowChange } from '../world/changes.ts';
import { isAccepted, isOk, type JournalEntry, targetOf } from '../world/journal.ts';
import type { End } from './command.ts';
import type { LossFinding, LossOutcome, LossRequest, LossRun } from './losses-report.ts';

/**
 * A request for an operation that reached the world of an attempt. Its status is that of the answer
 * to the client.
 */
export type SentRequest = JournalEntry & { readonly operation: OperationId };

/** One run of the client's test. */
export interface Attempt {
  readonly end: End;
  readonly error?: string;
  readonly sent: readonly SentRequest[];
  /** The requests of `sent` that were lost on purpose: the same request, once for each loss. */
  readonly lost: readonly SentRequest[];
  /** Requests to its world that matched no operation. */
  readonly unmatched: readonly JournalEntry[];
}

/** A request in the form of the report. `sent` are all requests of its attempt. */
export function requestOf(entry: SentRequest, sent: readonly SentRequest[]): LossRequest {
  const { operation, method, status } = entry;
  const target = targetOf(entry);
  const nth = 1 + sent.filter((other) => isSame(other, entry)).indexOf(entry);
  const refusal = entry.refusal?.message ?? null;
  return { operation, method, target, nth, status, refusal };
}

function isSame(one: SentRequest, other: SentRequest): boolean {
  return one.fingerprint === other.fingerprint;
}

function isWrite({ method }: SentRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * Judges a client's reaction to a loss. `target` is the request to lose, one of the `undisturbed`
 * requests.
 */
export function judgeAttempt(
  undisturbed: readonly SentRequest[],
  target: SentRequest,
  { end, error, sent, lost }: Attempt,
): Omit<LossRun, 'request' | 'phase'> {
  const failure = error === undefined ? {} : { error };
  const last = lost.at(-1);
  if (last === undefined) {
    const outcome = end === 'hung' ? 'hung' : 'unreached';
    return { outcome, committed: false, duplicate: false, again: [], ...failure };
  }
  const usual = undisturbed.slice(undisturbed.indexOf(target) + 1);
  const later = sent.slice(sent.indexOf(last) + 1);
  const outcome = end === 'passed' ? outcomeOf(last, later, usual, target.status) : end;
  const carriedOut = (list: readonly SentRequest[]) =>
    list.filter((one) => isSame(one, last) && isAccepted(one));
  const [first] = carriedOut(lost);
  const repeated = first ? carriedOut(sent.slice(sent.indexOf(first) + 1)) : [];
  const duplicate = isWrite(last) && repeated.length > carriedOut(usual).length;
  const again = duplicate ? describeChanges(repeated[0]?.changes ?? []) : [];
  return { outcome, committed: first !== undefined, duplicate, again, ...failure };
}

/** Times are left out, because a repetition may change them without harm. */
function describeChanges(changes: readonly RowChange[]): string[] {
  return changes
    .map(({ before, after, ...row }) => ({
      ...row,
      before: withoutTimes(before),
      after: withoutTimes(after),
    }))
    .filter(({ before, after }) => !equal(before, after))
    .map(changeLine);
}

const withoutTimes = (row: object | undefined) =>
  row && Object.fromEntries(Object.entries(row).filter(([name]) => !name.endsWith('At')));

/**
 * The outcome for a client that succeeded. `expected` is the status of the request if it is not
 * lost.
 */
function outcomeOf(
  lost: SentRequest,
  later: readonly SentRequest[],
  usual: readonly SentRequest[],
  expected: number,
): LossOutcome {
  if (isWhole(lost)) return 'recovered';
  const isExpected = (status: number) => status !== 0 && status === expected;
  // A refusal counts as an answer if the same refusal comes when nothing is lost.
  const answered = (list: readonly SentRequest[]) =>
    list.filter((one) => isSame(one, lost) && (isOk(one.status) || isExpected(one.status))).length;
  const reads = (list: readonly SentRequest[]) =>
    list.filter((one) => !isWrite(one) && isOk(one.status)).length;
  const lostWrite = isWrite(lost);
  // A repeated poll makes up for a lost read. A lost write needs one more write, or a read of its effect.
  if (lostWrite ? answered(later) > answered(usual) : answered(later) > 0) return 'recovered';
  if (lostWrite && isAccepted(lost) && reads(later) > reads(usual)) return 'recovered';
  // The status arrived before the body was cut. For a write or a refusal, the status is enough.
  const enough = !isOk(lost.status) || (lostWrite && isAccepted(lost));
  return isExpected(lost.status) && enough ? 'recovered' : 'swallowed';
}

/** Whether the client got the service's own answer, even if it came late. */
function isWhole({ fault, refusal }: SentRequest): boolean {
  return fault?.cut === undefined && refusal?.statement !== 'fault';
}

/** `limit` is the option for the duration of a run. */
export function findingsOf(run: LossRun, timeoutMs: number, limit: string): LossFinding[] {
  const { request, phase, outcome, duplicate, again } = run;
  const { operation, method, target, nth } = request;
  const which = nth === 1 ? '' : ` (no. ${nth})`;
  const finding = (kind: LossFinding['kind'], said: string, idempotent = false) => {
    const text = `${kind}: ${method} ${target}${which}, ${phase}: ${said}`;
    return { kind, request, phase, idempotent, text };
  };
  const findings: LossFinding[] = [];
  if (outcome === 'hung') {
    const said = `the client had not ended after ${timeoutMs} ms; if it waits longer by design, raise ${limit}`;
    findings.push(finding('hang', said));
  }
  if (duplicate) {
    const repeatable = contract.operations.get(operation)?.idempotent === true;
    const why = !repeatable
      ? `; nothing says that ${operation} may be repeated`
      : again.length === 0
        ? `, which changed nothing more: ${operation} may be repeated`
        : `, which changed more than a single request: ${again.join('; ')}`;
    const harmless = repeatable && again.length === 0;
    const said = `carried out, then carried out again${why}`;
    findings.push(finding('duplicate-write', said, harmless));
  }
  if (outcome === 'swallowed') {
    findings.push(finding('swallowed-error', `lost, yet the client succeeded${unheard(run)}`));
  }
  return findings;
}

/** The end of a sentence about a client that succeeded without the service's answer. */
function unheard({ committed, request: { status } }: LossRun): string {
  if (committed) return '';
  return status >= 400
    ? `, though the ${status} that comes without the loss never came`
    : ', and it was never carried out';
}

/** The reason why nothing was tested; null if something was. `outside` counts requests to the world outside. */
export function untestedBecause(
  { sent, unmatched }: Attempt,
  outside: number,
  runs: readonly LossRun[],
  operations: readonly string[] | undefined,
): string | null {
  if (runs.some(({ outcome }) => outcome !== 'unreached')) return null;
  if (runs.length > 0) {
    return 'no run made the request that it should lose: the request differs each time, perhaps by a random id or a time';
  }
  const made = [...new Set(sent.map(({ operation }) => operation))];
  if (made.length > 0) {
    const named = operations?.join(' or ') ?? '';
    return operations === undefined
      ? `phases names no way of losing the requests of the test: ${made.join(', ')}`
      : `the test made no request for ${named === '' ? 'an operation that is named' : named}; it made some for ${made.join(', ')}`;
  }
  const none = 'no request for an operation reached the world that the test was given';
  if (outside > 0) {
    return `${none}, but ${outside} reached the world outside: give the client the world of the test, as in losses(async (world) => { ... })`;
  }
  const [first] = unmatched;
  if (first !== undefined) {
    const { method, path, refusal } = first;
    return `${none}, but ${method} ${path}, which matched none: ${refusal?.message}`;
  }
  return `${none}: give the client that world, as in losses(async (world) => { ... }), and await its calls`;
}

/** Possible mistakes in the test, which are not failures. */
export function notesOn(
  { sent }: Attempt,
  outside: number,
  runs: readonly LossRun[],
  phases: readonly string[],
): string[] {
  const unreached = runs.filter(({ outcome }) => outcome === 'unreached');
  const used = new Set(runs.map(({ phase }) => phase));
  // If no phase is used, `untested` says so.
  const unused = used.size === 0 ? [] : phases.filter((name) => !used.has(name));
  const never = [...new Set(unreached.map(({ request }) => `${request.method} ${request.target}`))];
  return [
    ...refusalsOf(sent),
    ...unused.map((name) => `not tested: ${name} fits no request`),
    ...never.map((target) => `not tested: ${target} differed in the run that should lose it`),
    ...(outside === 0 || sent.length === 0
      ? []
      : [`not tested: ${count(outside, 'request')} reached the world outside`]),
  ];
}

/** The refusals without a loss: each once, with its number. */
export function refusalsOf(sent: readonly SentRequest[]): string[] {
  const refused = sent
    .filter(({ status }) => status >= 400)
    .map((entry) => {
      const { operation, method, status, refusal } = entry;
      const why = refusal === null ? '' : `, ${refusal.message}`;
      return `refused without a loss: ${operation}, ${method} ${targetOf(entry)}: ${status}${why}`;
    });
  return [...Map.groupBy(refused, (line) => line)].map(([line, { length: times }]) =>
    times === 1 ? line : `${line} (${times} times)`,
  );
}
