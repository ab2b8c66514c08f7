/** The history of a gate for a terminal: the last nights, the last changes, how long things take. */

import { quantile } from '../../spec/base/quantile.ts';
import { visible } from '../../spec/base/visible.ts';
import { count, cut, duration } from '../text.ts';
import type { Series, Trend } from './trends.ts';

const NIGHTS = 14;
const CHANGES = 40;

export function historyText(trends: readonly Trend[]): string {
  return trends
    .flatMap(({ target, days, nights, changes, latency, convergence }) => [
      `${target}: ${count(nights.length, 'night')} since ${days[0]}`,
      ...nights.map(({ headline }, night) => `  ${days[night]}  ${headline}`).slice(-NIGHTS),
      ...listed('what changed', changes.length, CHANGES),
      ...changes.slice(-CHANGES).map(({ night, text }) => `  ${days[night]}  ${text}`),
      'latency: median of the last night, and of those before',
      ...[...latency].map(([name, series]) => row(name, series, (one) => one[0])),
      'until a change shows: the last night, and the median of those before',
      ...[...convergence].map(([name, series]) => row(name, series, (one) => one)),
      '',
    ])
    .map((line) => `${cut(visible(line), 300)}\n`)
    .join('');
}

function listed(title: string, all: number, shown: number): string[] {
  return all === 0 ? [] : [all > shown ? `${title} (the last ${shown} of ${all})` : title];
}

function row<V>(name: string, series: Series<V>, of: (night: V) => number | undefined): string {
  const seen = series.flatMap((one) => (one === undefined ? [] : (of(one) ?? [])));
  const words = [seen.at(-1) ?? Number.NaN, quantile(seen.slice(0, -1))].map((value) =>
    (Number.isNaN(value) ? '–' : duration(value)).padStart(10),
  );
  return `  ${words.join(' ')}  ${name}`;
}
