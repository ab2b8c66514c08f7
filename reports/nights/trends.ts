/** How a target went over its nights: a row for each statement, and what changed when. */

import { dayOf } from '../../conformance/gate/night.ts';
import type { Night } from '../../conformance/judge/gate.generated.ts';
import { words } from '../text.ts';

/** A value for each night; undefined where that night did not see it. */
export type Series<V> = readonly (V | undefined)[];

export type Trend = ReturnType<typeof trendsOf>[number];

/** One for each target, in the order of their names. */
export function trendsOf(all: readonly Night[]) {
  const byTarget = [...Map.groupBy(all, ({ night }) => night.target)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return byTarget.map(([target, nights]) => {
    const verdicts = seriesOf(nights, (night) =>
      Object.entries(night.verdicts).flatMap(([verdict, ids]) => ids.map((id) => [id, verdict])),
    );
    const silences = seriesOf(nights, (night) =>
      Object.entries(night.silences).map(([id, seen]) => [id, Object.keys(seen).sort().join(', ')]),
    );
    const about = seriesOf(nights, ({ night: { suite, allow } }) =>
      Object.entries({ suite, '--allow': allow }),
    );
    const changes = [...about, ...verdicts, ...silences].flatMap(changesOf);
    return {
      ...{ target, verdicts, nights: nights.map(({ night }) => night) },
      days: nights.map(({ night }) => dayOf(night.startedAt)),
      /** By operation: median and 95th percentile in milliseconds. */
      latency: seriesOf(nights, (night) => Object.entries(night.latency)),
      /** How many milliseconds a change took to show. */
      convergence: seriesOf(nights, (night) => Object.entries(night.convergence)),
      /** Each with the number of its night. */
      changes: changes.sort((a, b) => a.night - b.night),
    };
  });
}

function seriesOf<V>(
  nights: readonly Night[],
  of: (night: Night) => readonly (readonly [name: string, value: V])[],
): Map<string, Series<V>> {
  const all = nights.map((night) => new Map(of(night)));
  const names = new Set(all.flatMap((values) => [...values.keys()]));
  return new Map(
    [...names].sort(order.compare).map((name) => [name, all.map((values) => values.get(name))]),
  );
}

/** STAGE-9 comes before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });

/** Where a value is another than the last one that was seen; nights without one do not count. */
function changesOf([id, series]: readonly [string, Series<string | undefined>]) {
  const changes: { night: number; text: string }[] = [];
  let last: string | undefined;
  for (const [night, now] of series.entries()) {
    if (now === undefined || now === 'not-testable') continue;
    if (last !== undefined && last !== now) {
      changes.push({ night, text: `${id}: ${words(last)} -> ${words(now)}` });
    }
    last = now;
  }
  return changes;
}
