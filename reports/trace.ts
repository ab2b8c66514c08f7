/** The calls of a run, one by one, for an author of scenarios. An edge: it writes. */

import { judgeCheck } from '../conformance/judge/check.ts';
import type { Judged } from '../conformance/judge/report.ts';
import { reasonOf } from '../conformance/judge/rules-of-evidence.ts';
import type { TraceEvent } from '../conformance/target/trace-event.ts';
import type { Redactor } from '../spec/base/redactor.ts';
import { visible } from '../spec/base/visible.ts';
import { callerIn } from './exchanges.ts';
import { duration, present, show, words } from './text.ts';

/** Takes the events of a run in their order. A scenario has a heading; each line names its step. */
export function createTrace(
  stream: { write(text: string): unknown },
  redactor: Pick<Redactor, 'value'>,
): (event: TraceEvent) => void {
  let scenario = '';
  return (raw) => {
    // Secrets are masked before anything is cut: half a secret would not be found.
    const event = redactor.value(raw);
    const lines = linesOf(event).map((line) => `  ${event.step}  ${line}`);
    if (event.scenario !== scenario) lines.unshift('', event.scenario);
    ({ scenario } = event);
    for (const line of lines) stream.write(`${visible(line)}\n`);
  };
}

type Exchange = Extract<TraceEvent, { type: 'exchange' }>;

function linesOf(event: TraceEvent): string[] {
  if (event.type === 'exchange') return [exchangeLine(event)];
  const { captured, checks, stopped } = event;
  return present(
    ...Object.entries(captured).map(([name, value]) => `captured ${name} = ${show(value)}`),
    ...checks.map(judgeCheck).map(resultLine),
    stopped !== undefined && `stopped: ${reasonOf(stopped)}`,
  );
}

/** `admin  GET /api/v1/deployments?limit=2 -> 200, 12 ms`; brackets mark calls that the engine added. */
function exchangeLine({ request, answer, kind, again }: Exchange): string {
  const who = callerIn(request.headers.authorization);
  const { pathname, search } = new URL(request.url);
  const status = answer.status === 0 ? 'no answer' : answer.status;
  const about = present(kind !== 'call' && kind, again === true && 'is sent again').join(', ');
  const call = `${who}  ${request.method} ${pathname}${search} -> ${status}`;
  return `${call}, ${duration(answer.durationMs)}${about === '' ? '' : ` (${about})`}`;
}

/** `AREA-1 violated: /body/name: expected "a", came "b"` */
function resultLine({ statement, verdict, reason, pointer, expected, actual }: Judged): string {
  const compared = `${pointer}: expected ${show(expected)}, came ${show(actual)}`;
  const why = present(
    pointer !== undefined && compared,
    verdict === 'observed' && show(actual),
    reason,
  ).join('; ');
  return `${statement} ${words(verdict)}${why === '' ? '' : `: ${why}`}`;
}
