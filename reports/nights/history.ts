/** The history of a gate: how verdicts, latencies and convergence of a target went over its nights. */

import { dayOf } from '../../conformance/gate/night.ts';
import type { Night } from '../../conformance/judge/gate.generated.ts';
import { quantile } from '../../spec/base/quantile.ts';
import type { Digest, DigestLine } from '../diff/digest.ts';
import { count, duration, ranges, words } from '../text.ts';

/** One for each target, in the order of their names; what is latest comes first. */
export function historyDigests(all: readonly Night[]): Digest[] {
  const targets = [...Map.groupBy(all, ({ night }) => night.target)];
  return targets.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, nights]) => historyDigest(nights));
}

function historyDigest(nights: readonly Night[]): Digest {
  const days = nights.map(({ night }) => dayOf(night.startedAt));
  const dated = (at: number, text: string): DigestLine => ({ name: days[at] ?? '', text });
  const verdicts = rowsOf(nights, (night) =>
    Object.entries(night.verdicts).flatMap(([verdict, ids]) => ids.map((id) => [id, verdict])),
  );
  const silences = rowsOf(nights, (night) =>
    Object.entries(night.silences).map(([id, seen]) => [id, Object.keys(seen).sort().join(', ')]),
  );
  const suites = rowsOf(nights, ({ night: { suite, allow } }) =>
    Object.entries({ suite, '--allow': allow }),
  );
  const changes = [...suites, ...verdicts, ...silences].flatMap(changesOf);
  const moved = verdicts.filter((row) => changesOf(row).length > 0);
  const steady = Map.groupBy(
    verdicts.filter((row) => !moved.includes(row)),
    ({ series }) => series.findLast((verdict) => verdict !== undefined) ?? '',
  );
  const last = nights.at(-1)?.night;
  const column = `a column for ${count(together(nights.length), 'night')}, ${days[0]} to ${days.at(-1)}`;
  return {
    ...{ title: last?.target ?? '', headline: last?.headline ?? '', warnings: [] },
    tone: last?.exitCode === 0 ? 'same' : 'worse',
    about: { history: `${count(nights.length, 'night')} since ${days[0]}` },
    sections: [
      {
        heading: 'Nights',
        lines: nights.map(({ night }, at) => dated(at, night.headline)).reverse(),
      },
      {
        heading: 'What changed',
        lines: changes.sort((a, b) => b.at - a.at).map(({ at, text }) => dated(at, text)),
      },
      {
        heading: 'Latency',
        note: `the median of the last night, within what 95 % came, and the median before; ${column}`,
        lines: rowsOf(nights, ({ latency }) => Object.entries(latency)).map(timed),
      },
      {
        heading: 'Until a change shows',
        note: `the last night, and the median of those before; ${column}`,
        lines: rowsOf(nights, ({ convergence }) =>
          Object.entries(convergence).map(([name, ms]) => [name, [ms]]),
        ).map(timed),
      },
      {
        heading: 'Statements whose verdict changed',
        note: `${column}; ${marks.map(([verdict, mark]) => `${mark} ${words(verdict)}`).join(', ')}`,
        lines: moved.map(({ name, series }) => ({ name, text: line(series, markOf) })),
      },
      {
        heading: 'Statements that stayed as they were',
        uncounted: true,
        lines: [...steady].map(([verdict, rows]) => {
          return { name: words(verdict), text: ranges(rows.map(({ name }) => name)) };
        }),
      },
    ],
  };
}

/** A value for each night; undefined where that night did not see it. */
interface Row<V> {
  readonly name: string;
  readonly series: readonly (V | undefined)[];
}

function rowsOf<V>(
  nights: readonly Night[],
  of: (night: Night) => readonly (readonly [name: string, value: V])[],
): Row<V>[] {
  const all = nights.map((night) => new Map(of(night)));
  const names = [...new Set(all.flatMap((seen) => [...seen.keys()]))].sort(order.compare);
  return names.map((name) => ({ name, series: all.map((seen) => seen.get(name)) }));
}

/** STAGE-9 comes before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });

/** Where a value is another than the last one that was seen; nights without one do not count. */
function changesOf({ name, series }: Row<string | undefined>) {
  const seen = [...series.entries()].flatMap(([at, now]) =>
    now === undefined || now === 'not-testable' ? [] : [{ at, now }],
  );
  return seen.flatMap(({ at, now }, index) => {
    const was = seen[index - 1]?.now ?? now;
    return was === now ? [] : [{ at, text: `${name}: ${words(was)} -> ${words(now)}` }];
  });
}

/** Of each night a median, and of latencies also within what 95 % came. */
function timed({ name, series }: Row<readonly number[]>): DigestLine {
  const medians = series.map((night) => night?.[0]);
  const [last = 0, ...before] = medians.filter((one) => one !== undefined).toReversed();
  const most = series.findLast((night) => night !== undefined)?.[1];
  const within = most === undefined ? '' : `, 95 % ${duration(most)}`;
  const was = before.length > 0 ? duration(quantile(before)) : '–';
  const top = Math.max(...medians.map((one = 0) => one));
  const bar = (some: readonly number[]) => '▁▂▃▄▅▆▇█'[Math.floor((Math.max(...some) / top) * 7)];
  const bars = line(medians, bar);
  return { name, text: `${duration(last)}${within}, before ${was}  ${bars}` };
}

/** From bad to good: a column of several nights shows the worst of them. */
const marks = Object.entries({
  ...{ violated: '✗', deviates: '!', unstable: '~', 'verified-in-part': '-' },
  ...{ 'not-testable': '?', verified: '✓', observed: 'o' },
});
const markOf = (some: readonly string[]): string | undefined =>
  marks.find(([verdict]) => some.includes(verdict))?.[1];

/** More nights than these share a column, so that a line stays short however many there are. */
const COLUMNS = 60;
const together = (nights: number): number => Math.ceil(nights / COLUMNS);

/** A character for each night, or for a few together. */
function line<V>(
  series: readonly (V | undefined)[],
  of: (some: readonly V[]) => string | undefined,
): string {
  const size = together(series.length);
  const columns = Array.from({ length: Math.ceil(series.length / size) }, (_, index) =>
    series.slice(index * size, (index + 1) * size).filter((one) => one !== undefined),
  );
  return columns.map((some) => (some.length > 0 && of(some)) || '·').join('');
}
