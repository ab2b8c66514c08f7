/** What a campaign says besides its findings: that it tested nothing, and what may be a slip of the test. */
import { count } from '../../spec/base/count.ts';
import { type Attempt, type SentRequest, targetOf } from './campaign-judge.ts';
import type { CampaignRun } from './campaign-report.ts';

/** Why a campaign has tested nothing; null where something was tested. */
export function untestedBecause(
  { sent, unmatched, outside }: Attempt,
  runs: readonly CampaignRun[],
  operations: readonly string[] | undefined,
): string | null {
  if (runs.some(({ outcome }) => outcome !== 'unreached')) return null;
  if (runs.length > 0) {
    return 'no run made the request that it was to lose: it is another one each time, by a random id or a time in it perhaps';
  }
  const made = [...new Set(sent.map(({ operation }) => operation))];
  if (made.length > 0) {
    const named = operations?.join(' or ') ?? '';
    return operations === undefined
      ? 'phases names no way of losing a request'
      : `the test made no request for ${named === '' ? 'an operation that is named' : named}; it made some for ${made.join(', ')}`;
  }
  const none = 'no request for an operation reached the world that the test was given';
  if (outside > 0) {
    return `${none}, but ${outside} reached the world outside: give the client the world that is handed in, as in campaign(async (world) => { ... })`;
  }
  const [first] = unmatched;
  if (first !== undefined) {
    const { method, path, refusal } = first;
    return `${none}, but ${method} ${path}, which matched none: ${refusal?.message}`;
  }
  return `${none}: give the client that one, as in campaign(async (world) => { ... }), and await what it does`;
}

/** What may be a slip of the test, though it is no failure. */
export function notesOn({ sent, outside }: Attempt, runs: readonly CampaignRun[]): string[] {
  const unreached = runs.filter(({ outcome }) => outcome === 'unreached');
  const never = [...new Set(unreached.map(({ request }) => `${request.method} ${request.target}`))];
  return [
    ...refusalsOf(sent),
    ...never.map((target) => `not tested: ${target} was another request when it was to be lost`),
    ...(outside === 0 || sent.length === 0
      ? []
      : [`not tested: ${count(outside, 'request')} reached the world outside`]),
  ];
}

/** What is refused though nothing is lost: each refusal once, with how often it came. */
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
