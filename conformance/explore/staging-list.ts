/** The environments of type staging as they are listed, against what the switches were told. */

import { isObject } from '../../spec/base/json.ts';
import type { CallData, Contradiction, Entry } from './contradiction.ts';
import type { StagingSet } from './model.ts';
import { environments, environmentsPath, judgeTypes, judgeWalk } from './page-moves.ts';
import { walkAgain, walkList } from './page-reader.ts';
import type { Session } from './session.ts';

const own = '{walk.items[type=staging].id}';

function stagingIds(entry: Entry): string[] {
  return (entry.answer.walk?.items ?? [])
    .filter((item) => isObject(item) && item.type === 'staging')
    .map((item) => String((item as { id: unknown }).id));
}

interface Bounds {
  readonly $min: number;
  readonly $max: number;
}

/** How far the set may differ from an earlier reading. */
interface Expected {
  readonly earlier: StagingSet;
  readonly more: Bounds;
  readonly fewer: Bounds;
}

const none = { $min: 0, $max: 0 };
const one = { $min: 1, $max: 1 };
const upToOne = { $min: 0, $max: 1 };

/** Undefined where no reading tells. */
function expectedSet(session: Session): Expected | undefined {
  const { enabled, unknown, off, on } = session.model.staging;
  const same = enabled === undefined ? unknown : enabled ? on : off;
  if (same !== undefined) return { earlier: same, more: none, fewer: none };
  if (enabled === undefined) return undefined;
  const other = enabled ? off : on;
  const earlier = other ?? unknown;
  if (earlier === undefined) return undefined;
  // From an unknown state a switch may have changed nothing.
  const change = other === undefined ? upToOne : one;
  return enabled ? { earlier, more: change, fewer: none } : { earlier, more: none, fewer: change };
}

function lengthOfDifference(some: readonly string[], others: readonly string[]): number {
  return some.filter((id) => !others.includes(id)).length;
}

function fits({ $min, $max }: Bounds, length: number): boolean {
  return length >= $min && length <= $max;
}

export interface Reading {
  readonly size: number | undefined;
  readonly typed: boolean;
}

export async function readStaging(session: Session, { size, typed }: Reading): Promise<void> {
  const { staging } = session.model;
  const state =
    staging.enabled === undefined ? 'unknown' : staging.enabled ? 'enabled' : 'disabled';
  session.coverage.enter('staging/shared', state, typed ? 'listed by type' : 'listed');
  const data: CallData = {
    as: 'admin',
    call: 'listEnvironments',
    path: environmentsPath,
    ...(typed ? { query: { type: 'staging' } } : {}),
  };
  // What is read for the first time after a switch is believed, so it must have arrived.
  const known =
    staging.enabled === undefined ? undefined : staging.enabled ? staging.on : staging.off;
  if (known === undefined) await session.rest();
  const entry = await walkList(session, data, environments, size);
  const served = (): void => session.expectStatus(entry, 'ENV-1', 200, 'the list is served');
  served();
  const wrong = (): Contradiction | undefined => {
    const expected = expectedSet(session);
    if (expected === undefined) return undefined;
    const { earlier, more, fewer } = expected;
    const ids = stagingIds(entry);
    const added = lengthOfDifference(ids, earlier.ids);
    const lost = lengthOfDifference(earlier.ids, ids);
    if (fits(more, added) && fits(fewer, lost)) return undefined;
    const before = `{steps.${earlier.entry}.walk.items[type=staging].id}`;
    const that = [
      { value: { from: own, minus: before }, is: { $length: more } },
      { value: { from: before, minus: own }, is: { $length: fewer } },
    ];
    const because = `against ${earlier.entry}, ${added} are new and ${lost} gone, while ${state}`;
    const still = staging.enabled === true ? 'STAGE-5' : 'STAGE-6';
    return session.contradiction(entry, staging.since ?? still, { that }, because);
  };
  const read = async (): Promise<void> => {
    await walkAgain(session, entry, environments, size);
    served();
  };
  // A pagination that lies would hide items: it is judged first.
  judgeWalk(session, entry, size);
  if (typed) judgeTypes(session, entry, 'staging');
  await session.eventually(entry, wrong, read);
  if (entry.verbs.eventually === true) judgeWalk(session, entry, size);
  staging.since = undefined;
  const set = { ids: stagingIds(entry), entry: entry.id };
  if (staging.enabled === undefined) staging.unknown ??= set;
  else if (staging.enabled) staging.on ??= set;
  else staging.off ??= set;
}
