/** Judges a run of a test command. */

import type { JournalEntry } from '../world/journal.ts';
import type { Ran } from './command.ts';
import { findingsOf, judgeAttempt, requestOf, type SentRequest } from './losses-judge.ts';
import type { Variation } from './variation.ts';

/** One run, with the requests that reached its world. */
export interface Run extends Ran {
  readonly entries: readonly JournalEntry[];
  /** Names of the tests that failed; undefined if the command does not say. */
  readonly failed: readonly string[] | undefined;
  /** Whether the deviation took effect. */
  readonly isMet: boolean;
}

/**
 * `held`: the tests passed. `broken`: they failed. `flaky`: one run failed, and its repetition
 * passed. `not met`: the variation did not come up. A loss is `broken` if the client handled it
 * badly.
 */
export type Outcome = 'held' | 'broken' | 'flaky' | 'not met';

export interface Judged extends Pick<Variation, 'id' | 'kind' | 'text' | 'statements'> {
  readonly outcome: Outcome;
  /** Names of the tests that failed, if the command reports them. */
  readonly tests: readonly string[];
  /** The client's mistake when a request was lost. */
  readonly said?: string;
}

export type { End } from './command.ts';

/**
 * Whether the result is a flaw: a broken promise that no test noticed, or any other variation that breaks the
 * tests.
 */
export const isBad = ({ kind, outcome }: Pick<Judged, 'kind' | 'outcome'>): boolean =>
  kind === 'mutant' ? outcome === 'held' || outcome === 'flaky' : outcome === 'broken';

/** A line about the flaw; null if there is none. */
export function mistakeIn(judged: Judged): string | null {
  const { id, kind, text, said } = judged;
  if (!isBad(judged)) return null;
  return `${id}  ${kind === 'mutant' ? `nobody noticed: ${text}` : (said ?? text)}`;
}

export const sentIn = ({ entries }: Pick<Run, 'entries'>): readonly SentRequest[] =>
  entries.filter((entry): entry is SentRequest => entry.operation !== null);

/** Judges a single run. `limit` is the option for the duration of a run. */
export function judgeRun(
  variation: Variation,
  plain: Run,
  run: Run,
  limit = "--timeout and the test runner's limit",
): Judged {
  const { id, kind, text, statements } = variation;
  const own = { id, kind, text, statements };
  const tests = run.failed ?? [];
  const said = kind === 'loss' ? findingIn(variation, plain, run, limit) : undefined;
  const isAsked = () =>
    sentIn(run).some(({ assumed }) => statements.some((id) => assumed.includes(id)));
  const isMet = { sweep: isAsked, mutant: () => run.isMet, loss: () => said !== undefined }[kind]();
  if (!isMet) return { ...own, outcome: 'not met', tests: [] };
  const holds = said === undefined ? run.end === 'passed' : said === '';
  if (holds) return { ...own, outcome: 'held', tests };
  return { ...own, outcome: 'broken', tests, ...(said !== undefined && { said }) };
}

/**
 * Runs a variation, and repeats it if it is broken. If the repetition is not broken, the variation
 * is flaky.
 */
export async function runTwiceIfBroken(
  run: () => Promise<Judged>,
): Promise<{ readonly judged: Judged; readonly runs: number }> {
  const first = await run();
  if (first.outcome !== 'broken') return { judged: first, runs: 1 };
  const again = await run();
  const isBroken = again.outcome === 'broken';
  return { judged: isBroken ? again : { ...first, outcome: 'flaky' }, runs: 2 };
}

/** The client's mistakes when a request was lost, empty if there are none; undefined if no request was lost. */
function findingIn(
  { id, loss }: Variation,
  plain: Run,
  run: Run,
  limit: string,
): string | undefined {
  const [sent, usual] = [sentIn(run), sentIn(plain)];
  const lost = sent.filter(({ fault }) => fault !== null);
  if (loss === undefined || lost.length === 0) return undefined;
  const judged = judgeAttempt(usual, loss.request, { end: run.end, sent, lost, unmatched: [] });
  const phase = id.slice(id.indexOf(':') + 1);
  const request = requestOf(loss.request, usual);
  return findingsOf({ request, phase, ...judged }, Math.round(run.durationMs), limit)
    .filter(({ idempotent }) => !idempotent)
    .map(({ text }) => text)
    .join('\n');
}
