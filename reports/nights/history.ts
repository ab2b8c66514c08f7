/** How each target went over its nights: what changed when, and how long things take. */

import { dayOf } from '../../conformance/gate/night.ts';
import type { Night } from '../../conformance/judge/gate.generated.ts';
import type { StatementVerdict } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { html } from '../../spec/base/html.ts';
import { quantile } from '../../spec/base/quantile.ts';
import type { Comparison, Line, Section } from '../diff/comparison.ts';
import { page } from '../page.ts';
import { count, duration, words } from '../text.ts';

/** The last ones, which fit on a screen. */
const [ROWS, NIGHTS, CHANGES, COLUMNS] = [12, 14, 40, 60];

/** One for each target, in the order of their names. */
export function historyComparisons(all: readonly Night[]): Comparison[] {
  const byTarget = [...Map.groupBy(all, ({ night }) => night.target)];
  return byTarget.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, nights]) => history(nights));
}

/** The same on a page, whose lines stand one below the other as on a terminal. */
export function historyHtml(text: string): string {
  const style = ':root { color-scheme: light dark } pre { white-space: pre-wrap; margin: 1rem }';
  return page('Lockstep over the nights', style, html`<main><pre>${text}</pre></main>`);
}

function history(nights: readonly Night[]): Comparison {
  const heads = nights.map(({ night }) => night);
  const days = heads.map(({ startedAt }) => dayOf(startedAt));
  const lineOf = (night: number, text: string): Line => ({ name: days[night] ?? '', text });
  const verdicts = seriesOf(nights, (night) =>
    Object.entries(night.verdicts).flatMap(([verdict, ids]) =>
      ids.map((id) => [id, verdict as StatementVerdict]),
    ),
  );
  const broken = [...verdicts].flatMap(([name, series]) => {
    const nightsOf = series.filter((one) => one !== undefined && isFailure(one)).length;
    return nightsOf > 0 ? [{ name, series, nights: nightsOf }] : [];
  });
  const changes = changesOf(nights, verdicts);
  const changeLines = changes.map(({ night, text }) => lineOf(night, text));
  const shown = changes.length > CHANGES ? ` (the last ${CHANGES} of ${changes.length})` : '';
  const section = (heading: string, lines: readonly Line[], note?: string): Section => {
    return { heading, uncounted: true, lines, note };
  };
  const times = (heading: string, all: Map<string, Series<readonly number[]>>): Section =>
    section(heading, [...all].map(timeLine), 'the last night, and the median of those before');
  const latency = seriesOf(nights, (night) => Object.entries(night.latency));
  const convergence = seriesOf(nights, (night) =>
    Object.entries(night.convergence).map(([name, took]) => [name, [took]]),
  );
  const { target = '', headline = '', exitCode = 0 } = heads.at(-1) ?? {};
  return {
    ...{ title: 'Lockstep over the nights', headline, warnings: [] },
    tone: exitCode === 0 ? 'same' : 'worse',
    about: { target, nights: `${count(nights.length, 'night')} since ${days[0]}` },
    sections: [
      section('Most often broken', worstOf(broken), legend),
      section('The last nights', heads.map((one, at) => lineOf(at, one.headline)).slice(-NIGHTS)),
      section(`What changed${shown}`, changeLines.slice(-CHANGES)),
      times('Latency', latency),
      times('Until a change showed', convergence),
    ],
  };
}

/** A value for each night; undefined if that night did not see it. */
type Series<V> = readonly (V | undefined)[];

const signs: Readonly<Record<string, string>> = {
  ...{ verified: '.', violated: 'X', deviates: 'd', unstable: 'u' },
  ...{ 'verified-in-part': 'p', 'not-testable': '?', observed: 'o' },
};
const legend = `one sign a night, the last ${COLUMNS}: ${Object.entries(signs)
  .map(([verdict, sign]) => `${sign} ${words(verdict)}`)
  .join(', ')}`;

/** Of statements and how many nights found them broken. */
function worstOf(
  all: readonly {
    readonly name: string;
    readonly series: Series<string>;
    readonly nights: number;
  }[],
): Line[] {
  return all
    .toSorted((a, b) => b.nights - a.nights)
    .slice(0, ROWS)
    .map(({ name, series }) => {
      const text = series.slice(-COLUMNS).map((verdict) => signs[verdict ?? ''] ?? '-');
      return { name, text: text.join('') };
    });
}

/** STAGE-9 comes before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });

function seriesOf<V>(
  nights: readonly Night[],
  of: (night: Night) => readonly (readonly [name: string, value: V])[],
): Map<string, Series<V>> {
  const all = nights.map((night) => new Map(of(night)));
  const names = [...new Set(all.flatMap((values) => [...values.keys()]))].sort(order.compare);
  return new Map(names.map((name) => [name, all.map((values) => values.get(name))]));
}

/** If a value is another than the last one that was seen; nights without one do not count. */
function changesOf(nights: readonly Night[], verdicts: ReadonlyMap<string, Series<string>>) {
  const silences = seriesOf(nights, (night) =>
    Object.entries(night.silences).map(([id, seen]) => [id, Object.keys(seen).sort().join(', ')]),
  );
  const about = seriesOf(nights, ({ night: { suite, allow } }) =>
    Object.entries({ suite, '--allow': allow }),
  );
  const changes = [...about, ...verdicts, ...silences].flatMap(([id, series]) => {
    let last: string | undefined;
    return series.flatMap((now, night) => {
      if (now === undefined || now === 'not-testable') return [];
      const [was, is] = [last ?? now, now];
      last = now;
      return was === is ? [] : [{ night, text: `${id}: ${words(was)} -> ${words(is)}` }];
    });
  });
  return changes.sort((a, b) => a.night - b.night);
}

/** The first of the figures of a night. */
function timeLine([text, series]: readonly [string, Series<readonly number[]>]): Line {
  const seen = series.flatMap((figures) => figures?.slice(0, 1) ?? []);
  const [last, before] = [seen.at(-1) ?? Number.NaN, quantile(seen.slice(0, -1))].map((value) =>
    (Number.isNaN(value) ? '–' : duration(value)).padStart(10),
  );
  return { name: `${last} ${before}`, text };
}
