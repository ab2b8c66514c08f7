/** How a target went over its nights: a row for each statement, and what changed when. */

import type { Night, NightHead } from '../../conformance/judge/gate.generated.ts';
import { words } from '../text.ts';

/** A value for each night; undefined where that night did not see it. */
export type Series<V> = readonly (V | undefined)[];

export interface Trend {
  readonly target: string;
  readonly nights: readonly NightHead[];
  readonly verdicts: ReadonlyMap<string, Series<string>>;
  /** By operation: median and 95th percentile in milliseconds. */
  readonly latency: ReadonlyMap<string, Series<readonly number[]>>;
  /** How many milliseconds a change took to show. */
  readonly convergence: ReadonlyMap<string, Series<number>>;
  readonly changes: readonly { readonly night: number; readonly text: string }[];
}

/** One for each target, in the order of their names. */
export function trendsOf(all: readonly Night[]): Trend[] {
  const byTarget = [...Map.groupBy(all, ({ night }) => night.target)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return byTarget.map(([target, nights]) => {
    const verdicts = seriesOf(nights, (night) =>
      Object.entries(night.verdicts).flatMap(([verdict, ids]) =>
        ids.map((id) => [id, verdict] as const),
      ),
    );
    const silences = seriesOf(nights, (night) =>
      Object.entries(night.silences).map(([id, seen]) => [id, Object.keys(seen).sort().join(', ')]),
    );
    const about = seriesOf(nights, ({ night: { suite, allow } }) => [
      ['suite', suite],
      ['--allow', allow],
    ]);
    const changes = [...about, ...verdicts, ...silences].flatMap(([id, series]) =>
      changesOf(series).map(({ night, was, now }) => ({
        night,
        text: `${id}: ${words(was)} -> ${words(now)}`,
      })),
    );
    return {
      ...{ target, verdicts, nights: nights.map(({ night }) => night) },
      latency: seriesOf(nights, (night) => Object.entries(night.latency)),
      convergence: seriesOf(nights, (night) => Object.entries(night.convergence)),
      changes: changes.sort((a, b) => a.night - b.night),
    };
  });
}

function seriesOf<V>(
  nights: readonly Night[],
  of: (night: Night) => readonly (readonly [name: string, value: V | undefined])[],
): Map<string, (V | undefined)[]> {
  const found = new Map<string, (V | undefined)[]>();
  for (const [index, night] of nights.entries()) {
    for (const [name, value] of of(night)) {
      const series = found.get(name) ?? new Array<V | undefined>(nights.length).fill(undefined);
      series[index] = value;
      found.set(name, series);
    }
  }
  return new Map([...found].sort(([a], [b]) => order.compare(a, b)));
}

/** STAGE-9 comes before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });

/** Where a value is another than the last one that was seen; nights without one do not count. */
function changesOf(series: Series<string>) {
  const changes: { night: number; was: string; now: string }[] = [];
  let last: string | undefined;
  for (const [night, now] of series.entries()) {
    if (now === undefined || now === 'not-testable') continue;
    if (last !== undefined && last !== now) changes.push({ night, was: last, now });
    last = now;
  }
  return changes;
}
