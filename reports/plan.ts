/** The plan of a run in words: printed before its first call, and by `--dry-run`. */

import { expectedMs, type Pace } from '../conformance/judge/progress-event.ts';
import {
  markOfRun,
  type PlannedWrite,
  type Report,
  type Stay,
} from '../conformance/judge/report.ts';
import { isObject, parseJson } from '../spec/base/json.ts';
import { visible } from '../spec/base/visible.ts';
import { count, duration, present } from './text.ts';

interface About {
  readonly writes: readonly PlannedWrite[];
  /** Estimates: the number of requests, and of waits until a change shows. */
  readonly requests: number;
  readonly waits: number;
  /** The most writes that each round of a soak adds. */
  readonly soakWrites?: number;
}

/** Every write to a tenant, a line for each object; for a mock's own world only their number. */
export function planText(
  about: About,
  { kind, baseUrl }: Pick<Report['target'], 'kind' | 'baseUrl'>,
  pace: Pace,
): string {
  const { writes } = about;
  const head = visible(`plan: ${count(writes.length, 'write')} to ${baseUrl}`);
  if (kind === 'mock') return `${head}, all in a world of its own\n`;
  if (writes.length === 0) return `${head}\n${timeText(about, pace)}\n`;
  const alike = Map.groupBy(writes, ({ effect, operation, object }) => {
    return `${effect.padEnd(10)}  ${operation} on ${object}`;
  });
  const stays = plannedStays(writes);
  const texts = present(
    `${head} if no promise is broken`,
    ...[...alike].map(([what, all]) => visible(`  ${what}: ${callsText(all)}`)).sort(),
    restartsText(writes),
    markText(writes),
    ...(stays.length > 0 ? ['lasting changes, which nothing takes back:'] : []),
    ...stays.map((text) => `  ${text}`),
    soakText(about, pace),
    timeText(about, pace),
    'A failed step is tried again, which writes more; --max-writes limits the sum. Nothing has been written yet.',
  );
  return `${texts.join('\n')}\n`;
}

/** One thing that a run has left on purpose. */
export function stayText({ object, name, times }: Stay): string {
  return visible(`${object}: ${name}${times > 1 ? `, ${times} times` : ''}`);
}

/** The number of calls to one object, their callers, and the fields they write. */
function callsText(all: readonly PlannedWrite[]): string {
  const [own, looks, backs] = [undefined, 'look', 'put-back'].map((kind) =>
    all.filter((one) => one.kind === kind),
  );
  const refused = all.filter(({ answer }) => answer === 'refused').length;
  const fields = [...new Set(all.flatMap(({ sends = '' }) => fieldsIn(sends)))];
  const isKept = (backs ?? []).length > 0;
  const texts = present(
    fields.length > 0 && `${fields.join(', ')}${isKept ? ', overwritten' : ''}`,
    refused > 0 && `${refused} that the target must refuse`,
    isKept && `${backs?.length} to put the old value back`,
    (looks ?? []).length > 0 && `${looks?.length} with {}, to read it`,
    `as ${callersIn(own ?? [])}`,
  );
  return `${count(all.length, 'call')}: ${texts.join('; ')}`;
}

/** The callers. Headers that are not a proper credential are counted. */
function callersIn(calls: readonly PlannedWrite[]): string {
  const [headers, names] = [new Set<string>(), new Set<string>()];
  for (const { actor } of calls) (actor.startsWith('header') ? headers : names).add(actor);
  return present(...names, headers.size > 0 && count(headers.size, 'odd header')).join(', ');
}

/** The fields of a body; only the first if the body was cut. */
function fieldsIn(sends: string): string[] {
  const body = parseJson(sends);
  if (isObject(body)) return Object.keys(body);
  return /^\{"(\w+)":/.exec(sends)?.slice(1) ?? [];
}

/** How a run on another machine learns of this one. */
function markText(writes: readonly PlannedWrite[]): string {
  const mark = writes.find(({ scenario, kind }) => scenario === markOfRun && !kind);
  if (mark === undefined)
    return 'mark: none, so two machines at once would not notice each other; bind a folder';
  return visible(
    `mark: while the run writes, ${mark.object} has the name of the run, and at the end its own again; a run on another machine that reads the name stops`,
  );
}

/** The number of restarts if the target accepts every call that it may accept. */
function restartsText(writes: readonly PlannedWrite[]): string | false {
  const restarts = writes.filter(
    ({ effect, answer, sends }) =>
      effect === 'disruptive' && answer !== 'refused' && fieldsIn(sends ?? '').length > 0,
  );
  const backs = writes.filter(({ effect, kind }) => effect === 'disruptive' && kind === 'put-back');
  const most = restarts.length + backs.length;
  return most > 0 && `restarts: ${most} at most, ${backs.length} of them to put back a version`;
}

/** The lasting changes of a plan, a line for each object and each thing once. */
function plannedStays(writes: readonly PlannedWrite[]): string[] {
  const left = writes.filter(({ leaves = [] }) => leaves.length > 0);
  return [...Map.groupBy(left, ({ object }) => object)].map(([object, all]) => {
    const names = [...new Set(all.flatMap(({ leaves = [] }) => leaves))];
    return visible(`${object}, by ${count(all.length, 'call')}: ${names.join(', ')}`);
  });
}

/** The writes of a soak are limited by time, so their number is not known. */
function soakText({ soakWrites = 0 }: About, { soakMs = 0 }: Pace): string | false {
  const round = `each round adds up to ${count(soakWrites, 'write')} to those above`;
  return (
    soakWrites > 0 &&
    `soak: until ${duration(soakMs)} have passed, scenarios are repeated in rounds; ${round}, until the next would exceed --max-writes`
  );
}

function timeText(about: About, pace: Pace): string {
  const { requests, waits } = about;
  const { rate, budgetMs } = pace;
  const { least, most } = expectedMs(about, pace);
  const how = rate === undefined ? '' : ` at ${rate} a second`;
  const takes =
    waits === 0 || least === most ? duration(least) : `${duration(least)} to ${duration(most)}`;
  const end = budgetMs === undefined ? '' : ` No scenario begins after ${duration(budgetMs)}.`;
  const atLeast = (pace.soakMs ?? 0) > 0 ? 'at least ' : '';
  return `It takes about ${takes}: ${atLeast}${count(requests, 'request')}${how}.${end}`;
}
