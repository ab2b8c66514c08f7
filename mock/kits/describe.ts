/** Requests of a journal, and changes of rows, as lines for a terminal. */
import { explanationLines, tellFault } from '../pipeline/explain.ts';
import { inline } from '../world/changes.ts';
import type { Repair } from '../world/explanation.ts';
import { type Journal, type JournalEntry, tellStatus } from '../world/journal.ts';

type RepairsFor = (entry: JournalEntry) => readonly Repair[];
const none: RepairsFor = () => [];

/** The most requests that a failed test prints. */
const MOST = 10;

/** A criterion that a request does not meet. */
export interface Difference {
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * The text that a failed test prints, because it often holds the cause: requests that were refused, met a
 * fault, or were only partly understood, and the events. Empty if there are none. `unaddressed` requests
 * reached the default world, because they named no world, or a world that was deleted. All other requests are
 * printed with their repairs from `repairsFor`.
 */
export function describeFailures(
  requests: Pick<Journal, 'list' | 'notes'>,
  unaddressed: readonly JournalEntry[] = [],
  repairsFor: RepairsFor = none,
): string {
  const happened = requests.notes.slice(-MOST);
  return [
    ...section(
      'the world refused, injected a fault, or ignored something:',
      requests.list(),
      repairsFor,
    ),
    ...(happened.length === 0 ? [] : ["events on the service's side:"]),
    ...happened.map((note) => `  ${note}`),
    ...section('requests that named no existing world, and reached the default one:', unaddressed),
  ].join('\n');
}

/** Appends a text to an error: to its message, and to its stack, because most runners print the stack. */
export function append<Failure>(error: Failure, text: string): Failure {
  if (text === '' || typeof error !== 'object' || error === null) return error;
  const { message = '', stack = '' } = error as { readonly message?: string; stack?: string };
  const longer = `${message}\n\n${text}`;
  const changed = stack.includes(message) ? stack.replace(message, () => longer) : stack;
  return Object.assign(error, { message: longer, stack: changed });
}

function section(
  head: string,
  entries: readonly JournalEntry[],
  repairsFor: RepairsFor = none,
): string[] {
  const odd = entries.filter(isOdd);
  if (odd.length === 0) return [];
  const before = Math.max(0, odd.length - MOST);
  return [
    head,
    ...(before > 0 ? [`  ${before} before these`] : []),
    ...odd.slice(-MOST).map((entry) => describeEntry(entry, [], repairsFor(entry))),
  ];
}

/** Whether a request was refused, met a fault, or was not wholly understood. */
function isOdd({ refusal, fault, passedOver }: JournalEntry): boolean {
  return refusal !== null || fault !== null || passedOver.length > 0;
}

/** The refused requests among the printed ones. */
export function refusedAndPrinted(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries
    .filter(isOdd)
    .slice(-MOST)
    .filter(({ refusal }) => refusal !== null);
}

/** A request and its answer, its differences from the expected request, and the reason of a refusal. */
export function describeEntry(
  entry: JournalEntry,
  differences: readonly Difference[] = [],
  repairs: readonly Repair[] = [],
): string {
  const { id, method, path, query, operation, credential, passedOver, refusal, fault } = entry;
  const target = query === '' ? path : `${path}?${query}`;
  const who = `${operation ?? 'no operation'}, ${credential ?? 'no credential'}`;
  const refused = refusal !== null && refusal.statement !== 'fault' ? refusal : null;
  return [
    `  #${id} ${method} ${target} -> ${tellStatus(entry)} (${who})`,
    ...differences.map(
      ({ name, expected, actual }) =>
        `     ${name}: expected ${inline(expected)}, was ${inline(actual)}`,
    ),
    ...passedOver.map((unknown) => `     ignored: ${unknown}`),
    ...(fault === null ? [] : [`     struck by ${tellFault(fault)}`]),
    ...(refused === null ? [] : [`     refused: ${refused.message}`]),
    ...(refused === null ? [] : explanationLines(refused, repairs).map((line) => `       ${line}`)),
  ].join('\n');
}
