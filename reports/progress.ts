/**
 * Progress of a run on a stream: a bar with counts and the running scenario on a terminal, a
 * few plain lines elsewhere. An edge: it writes, and reads the clock that it is given.
 */

import type { ProgressEvent } from '../conformance/judge/progress-event.ts';
import type { RunOptions, Verdict } from '../conformance/judge/report.ts';
import { mayFailRun } from '../conformance/judge/verdict.ts';
import { visible } from '../spec/base/visible.ts';
import { count, duration, present, words } from './text.ts';

/** The used part of a writable stream; `process.stderr` is one. */
interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type State = ReturnType<typeof nothingYet>;

function nothingYet() {
  const none = { total: 0, done: 0, failed: 0, waiting: '', leftMs: 0 };
  const times: { startedAt?: number; expectedMs?: number } = {};
  return { ...none, times, running: new Set<string>(), verdicts: new Map<Verdict, number>() };
}

const redrawMs = 50;
const clearLine = '\r\u001b[2K';

/**
 * Takes the events of a run in their order. After `ended` the bar is gone. `now` gives milliseconds
 * from any origin: only differences are used. A deviation from a standard is told if it fails the run.
 */
export function createProgress(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
  standards: RunOptions['standards'] = 'report',
): (event: ProgressEvent) => void {
  const state = nothingYet();
  const failures = everyFailure.filter((verdict) => mayFailRun(verdict, standards));
  const draw = stream.isTTY === true ? bar(stream, now, failures) : plain(stream);
  return (event) => {
    follow(state, event, now());
    draw(event, state, failedScenario(event, state, failures));
  };
}

function follow(state: State, event: ProgressEvent, now: number): void {
  const { type } = event;
  const { times } = state;
  if (type === 'planned') times.expectedMs = event.milliseconds;
  if (type === 'started') times.startedAt ??= now;
  state.waiting = type === 'waiting' ? `${event.reason} (${duration(event.milliseconds)})` : '';
  if (type === 'started') state.total = event.scenarios;
  if (type === 'scenario-started') state.running.add(event.scenario);
  if (type !== 'scenario-ended') return;
  state.running.delete(event.scenario);
  state.done += 1;
  // A scenario may get more turns than were planned, to find the cause of a failure.
  state.total = Math.max(state.total, state.done + state.running.size);
  state.leftMs = leftMs(state, now);
  for (const [verdict, number] of Object.entries(event.verdicts) as [Verdict, number][]) {
    state.verdicts.set(verdict, (state.verdicts.get(verdict) ?? 0) + number);
  }
}

/** The remaining time: at first from the plan, later more and more from the pace so far. */
function leftMs({ done, total, times }: State, now: number): number {
  const share = done / total;
  const elapsed = now - (times.startedAt ?? now);
  const { expectedMs = elapsed / share } = times;
  return (1 - share) * (elapsed + (1 - share) * expectedMs);
}

/** The remaining time as a text, rounded because it is an estimate. */
function leftText({ leftMs: left }: State): string {
  const step = left < 60_000 ? 5000 : 30_000;
  return left < 2500 ? '' : `, about ${duration(Math.round(left / step) * step)} left`;
}

type Draw = (event: ProgressEvent, state: State, failed: string | undefined) => void;

/** Shorter waits are not logged. */
const longWaitMs = 5000;

/** A log shows the progress ten times, and each failure; the summary has the rest. */
function plain(stream: ProgressStream): Draw {
  let told = 0;
  const say = (line: string): void => void stream.write(`${visible(line)}\n`);
  return (event, state, failed) => {
    // Failures that run again are announced as well, with a larger number.
    if (event.type === 'started' && state.done === 0)
      say(`${count(event.scenarios, 'scenario')} against ${event.baseUrl}`);
    if (event.type === 'waiting' && event.milliseconds >= longWaitMs)
      say(`waiting: ${state.waiting}`);
    if (event.type !== 'scenario-ended') return;
    if (failed !== undefined) say(failed);
    const tenths = Math.floor((10 * state.done) / Math.max(1, state.total));
    if (tenths <= told) return;
    told = tenths;
    say(`${state.done} of ${state.total}${leftText(state)}`);
  };
}

/** Draws over its own line; failures are written above it, and stay. */
function bar(stream: ProgressStream, now: () => number, failures: readonly Verdict[]): Draw {
  let drawn = Number.NEGATIVE_INFINITY;
  return (event, state, failed) => {
    if (event.type === 'ended') return void stream.write(clearLine);
    if (failed !== undefined) stream.write(`${clearLine}${visible(failed)}\n`);
    else if (now() - drawn < redrawMs) return;
    drawn = now();
    stream.write(clearLine + barText(state, stream.columns ?? 80, failures));
  };
}

/** The first failures stay on the screen; the summary has all. */
const failuresTold = 5;

/** From bad to good. */
const everyFailure = ['violated', 'deviates', 'unstable'] as const;

function failedScenario(
  event: ProgressEvent,
  state: State,
  failures: readonly Verdict[],
): string | undefined {
  if (event.type !== 'scenario-ended' || event.outcome === 'not-run') return undefined;
  const { outcome, verdicts } = event;
  const worst = failures.find((verdict) => (verdicts[verdict] ?? 0) > 0);
  const word = outcome === 'ran' ? worst : words(outcome);
  if (word === undefined) return undefined;
  state.failed += 1;
  if (state.failed > failuresTold) return undefined;
  const more = state.failed === failuresTold ? ' (further failures are in the summary)' : '';
  const because = event.reason === undefined ? '' : `: ${event.reason}`;
  return `${word}  ${event.scenario}${because}${more}`;
}

const barWidth = 24;

function barText(state: State, columns: number, failures: readonly Verdict[]): string {
  const share = state.total === 0 ? 0 : Math.min(1, state.done / state.total);
  const full = Math.round(share * barWidth);
  const number = (verdict: Verdict): number => state.verdicts.get(verdict) ?? 0;
  const broken = failures.reduce((sum, verdict) => sum + number(verdict), 0);
  const counts = present(
    `${state.done}/${state.total}`,
    `${number('verified')} verified`,
    broken > 0 && `${broken} broken`,
    number('not-testable') > 0 && `${number('not-testable')} not testable`,
  ).join(', ');
  const left = leftText(state);
  const [first = ''] = state.running;
  const others = state.running.size > 1 ? ` +${state.running.size - 1}` : '';
  const activity = state.waiting === '' ? `${first}${others}` : `waiting: ${state.waiting}`;
  // One column stays free: some terminals wrap as soon as the last one is filled.
  const text = visible(`${counts}${left}  ${activity}`).slice(
    0,
    Math.max(0, columns - barWidth - 3),
  );
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}  ${text}`;
}
