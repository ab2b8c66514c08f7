/** The environments of type staging as they are listed, against what the switches were told. */

import type { Checks } from '../../contradiction.ts';
import type { Session } from '../../session.ts';

/** The entry of a reading; its set of environments of type staging. */
type Reading = string;

/** What is believed of the switch of the shared branch; undefined is unknown. */
export class Staging {
  enabled: boolean | undefined;
  /** A reading before any switch told which state it belongs to. */
  unknown: Reading | undefined;
  off: Reading | undefined;
  on: Reading | undefined;
  /**
   * It was switched off since `on` was read. No identifier is promised to come back, so the set is
   * another reading's with one more.
   */
  renewed = false;
  /** Statement that a changed set would contradict: that of the last event. */
  since: string | undefined;

  /** The reading of the state that it is in. */
  get known(): Reading | undefined {
    if (this.enabled === undefined) return this.unknown;
    return this.enabled ? (this.renewed ? undefined : this.on) : this.off;
  }

  learn(reading: Reading): void {
    if (this.enabled === undefined) this.unknown ??= reading;
    else if (this.enabled) {
      if (this.renewed) this.on = reading;
      this.on ??= reading;
      this.renewed = false;
    } else this.off ??= reading;
  }
}

const own = '{walk.items[type=staging].id}';
const upToOne = { $min: 0, $max: 1 };

/** How far the set may differ from an earlier reading; nothing where no reading tells. */
function expectedSet(staging: Staging): Checks {
  const { enabled, unknown, off, on, known, since } = staging;
  const other = enabled ? off : on;
  const earlier = known ?? other ?? unknown ?? (enabled ? on : undefined);
  if (earlier === undefined) return {};
  // From an unknown state a switch may have changed nothing.
  const change = known !== undefined ? 0 : other === undefined ? upToOne : 1;
  // It may have another identifier than when it was on before.
  const replaced = known === undefined && other === undefined ? upToOne : 0;
  const before = `{steps.${earlier}.walk.items[type=staging].id}`;
  const that = [
    { value: { from: own, minus: before }, is: { $length: enabled ? change : 0 } },
    { value: { from: before, minus: own }, is: { $length: enabled ? replaced : change } },
  ];
  const because = `the set of ${earlier} is as it should be, now ${enabled ? 'enabled' : 'disabled'}`;
  return { [since ?? (enabled ? 'STAGE-5' : 'STAGE-6')]: { that, because } };
}

export async function readStaging(
  session: Session,
  { size, typed }: { readonly size: number | undefined; readonly typed: boolean },
): Promise<void> {
  const staging = session.beliefs(Staging);
  // What is read for the first time after a switch is believed, so it must have arrived.
  if (staging.known === undefined) await session.rest();
  const query = typed ? { type: 'staging' } : {};
  const walkPages = size === undefined ? {} : { limit: size };
  const checks = { 'ENV-1': 200, ...(typed && ofType) };
  const entry = await session.call(
    { call: 'listEnvironments', query, walkPages, checks },
    expectedSet(staging),
  );
  staging.since = undefined;
  staging.learn(entry.id);
}

const ofType: Checks = { 'ENV-6': { walk: { items: { $every: { type: 'staging' } } } } };
