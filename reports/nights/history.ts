/** How each target went over its nights: what changed when, and how long things take. */

import { dayOf } from '../../conformance/gate/night.ts';
import type { Night } from '../../conformance/judge/gate.generated.ts';
import { html } from '../../spec/base/html.ts';
import { quantile } from '../../spec/base/quantile.ts';
import { type Comparison, htmlLine, type Line, type Section } from '../diff/comparison.ts';
import { count, duration, words } from '../text.ts';
import { axis, linePlot, type Series, verdictLegend, verdictRows } from './plots.ts';

/** The last ones, which fit on a screen; a page bears more. */
const [NIGHTS, CHANGES, CHANGES_ON_PAGE] = [14, 40, 500];

/** One for each target, in the order of their names. */
export function historyComparisons(all: readonly Night[]): Comparison[] {
  const byTarget = [...Map.groupBy(all, ({ night }) => night.target)];
  return byTarget.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, nights]) => history(nights));
}

function history(nights: readonly Night[]): Comparison {
  const heads = nights.map(({ night }) => night);
  const days = heads.map(({ startedAt }) => dayOf(startedAt));
  const verdicts = seriesOf(nights, (night) =>
    Object.entries(night.verdicts).flatMap(([verdict, ids]) => ids.map((id) => [id, verdict])),
  );
  const changes = changesOf(nights, verdicts);
  const dates = axis(days);
  const dated = changes.map(({ night, text }): Line => ({ name: days[night] ?? '', text }));
  const { moved = [], steady = [] } = Object.groupBy(verdicts, ([, series]) =>
    new Set(series.filter((one) => one)).size > 1 ? 'moved' : 'steady',
  );
  const marks = [...new Set(changes.map(({ night }) => night))];
  const times = (
    heading: string,
    note: string,
    all: ReadonlyMap<string, Series<readonly number[]>>,
  ): Section => ({
    ...{ heading, note, uncounted: true, lines: [...all].map(timeLine) },
    drawing: html`${[...all].map(([name, series]) => linePlot(name, series, marks))}${dates}`,
  });
  const shown = changes.length > CHANGES ? ` (the last ${CHANGES} of ${changes.length})` : '';
  return {
    ...{ title: 'Lockstep over the nights', headline: heads.at(-1)?.headline ?? '', tone: 'same' },
    about: {
      target: heads[0]?.target ?? '',
      nights: `${count(nights.length, 'night')} since ${days[0]}`,
    },
    warnings: [],
    sections: [
      {
        ...{ heading: 'The last nights', uncounted: true },
        lines: heads
          .map(({ headline: text }, night) => ({ name: days[night] ?? '', text }))
          .slice(-NIGHTS),
      },
      {
        ...{ heading: 'Statements by verdict', uncounted: true, lines: [] },
        drawing: html`${verdictLegend}${verdictRows(moved)}${dates}
<details><summary>${steady.length} statements that stayed as they were</summary>${verdictRows(steady)}${dates}</details>`,
      },
      {
        ...{ heading: `What changed${shown}`, uncounted: true, lines: dated.slice(-CHANGES) },
        drawing: html`${dated.slice(-CHANGES_ON_PAGE).reverse().map(htmlLine)}`,
      },
      times(
        'Latency',
        'the median of the last night, and of those before',
        seriesOf(nights, ({ latency }) => Object.entries(latency)),
      ),
      times(
        'Until a change showed',
        'the last night, and the median of those before',
        seriesOf(nights, ({ convergence }) =>
          Object.entries(convergence).map(([name, took]) => [name, [took]]),
        ),
      ),
    ],
  };
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
