/** Why a campaign has tested nothing: a report that found nothing must not look like a good one. */

import { meant } from '../../spec/base/similar.ts';
import { operationIds } from '../pipeline/match.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { CampaignOptions, CampaignRun } from './campaign.ts';
import type { Performance } from './campaign-judge.ts';

/** Throws a TypeError where an operation is named that there is not. */
export function checkOperations({ operations = [] }: CampaignOptions): void {
  for (const name of operations) {
    if (operationIds.includes(name)) continue;
    const likely = meant(name, operationIds);
    const instead =
      likely === undefined ? `there are ${operationIds.join(', ')}` : `was ${likely} meant?`;
    throw new TypeError(`there is no operation ${name}; ${instead}`);
  }
}

/** A sentence; null where something was tested. `outside` counts requests to the world itself. */
export function untestedBecause(
  { sent, unmatched, outside }: Performance,
  runs: readonly CampaignRun[],
  { operations }: CampaignOptions,
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
  const [stray] = unmatched;
  if (stray !== undefined) return `${none}, but ${tellStray(stray)}`;
  return `${none}: give the client that one, as in campaign(async (world) => { ... }), and await what it does`;
}

function tellStray({ method, path, refusal }: JournalEntry): string {
  const near = refusal?.nearest;
  const instead =
    near === undefined ? '' : `; nearest is ${near.operation}, ${near.method} ${near.path}`;
  return `${method} ${path}, which matched none${instead}`;
}
