/** A run of a test command, judged. */

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
 * `held`: the tests passed. `broken`: they failed. `flaky`: one run failed, and the same again passed.
 * `not met`: the variation did not come up. A loss is `broken` if the client handled it badly.
 */
export type Outcome = 'held' | 'broken' | 'flaky' | 'not met';

/** A variation, and its outcome. */
export interface Judged extends Pick<Variation, 'id' | 'kind' | 'text' | 'statements'> {
  readonly outcome: Outcome;
  /** Names of the tests that failed, if the command says. */
  readonly tests: readonly string[];
  /** The client's mistake when a request was lost. */
  readonly said?: string;
}

export type { End } from './command.ts';

/** Whether it is a flaw: a broken promise that no test noticed, or any other variation that breaks the tests. */
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

/** `again` is the same run once more, if the first was red; `limit` is the option for the duration of a run. */
export function judgeRun(
  variation: Variation,
  plain: Run,
  first: Run,
  again?: Run,
  limit = '--timeout',
): Judged {
  const { id, kind, text, statements } = variation;
  const came =
    kind === 'loss'
      ? judgeLoss(variation, plain, [first, again ?? first], limit)
      : judgeTests(kind, first, again);
  return { id, kind, text, statements, tests: [], ...came };
}

type Came = Pick<Judged, 'outcome'> & Partial<Pick<Judged, 'tests' | 'said'>>;

function judgeTests(kind: Variation['kind'], first: Run, again: Run | undefined): Came {
  const isMet = first.isMet || again?.isMet === true;
  if (kind === 'mutant' && !isMet) return { outcome: 'not met' };
  if (first.end === 'passed') return { outcome: 'held' };
  const tests = again?.failed ?? first.failed ?? [];
  return { outcome: again?.end === 'passed' ? 'flaky' : 'broken', tests };
}

function judgeLoss(variation: Variation, plain: Run, runs: readonly Run[], limit: string): Came {
  const [one, two] = runs.map((run) => findingIn(variation, plain, run, limit));
  const tests = runs[0]?.failed ?? [];
  if (one === undefined) return { outcome: 'not met' };
  if (one === '') return { outcome: 'held', tests };
  return two ? { outcome: 'broken', tests, said: two } : { outcome: 'flaky', tests };
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
  const end = ({ passed: 'resolved', failed: 'rejected', hung: 'hung' } as const)[run.end];
  const judged = judgeAttempt(usual, loss.request, { end, sent, lost, unmatched: [] });
  const phase = id.slice(id.indexOf(':') + 1);
  const request = requestOf(loss.request, usual);
  return findingsOf({ request, phase, ...judged }, Math.round(run.durationMs), limit)
    .filter(({ idempotent }) => !idempotent)
    .map(({ text }) => text)
    .join('\n');
}
