/** Plots over the nights, each an SVG that needs no script. A column stands for a night, or several. */

import { type Html, html, when } from '../../spec/base/html.ts';
import { duration, words } from '../text.ts';

/** A value for each night; undefined if that night did not see it. */
export type Series<V> = readonly (V | undefined)[];

/** More nights than this share a column, so the page stays small however many there are. */
const COLUMNS = 400;
const [LABEL, WIDTH, ROW, HEIGHT] = [90, 800, 9, 60];

/** From bad to good: a column of several nights shows the worst of them. */
const worst = ['violated', 'deviates', 'unstable', 'verified-in-part', 'not-testable', 'verified'];

export const plotStyle = `
:root { --verified: #3f9e68; --bad: #cf3a31; --warn: #d29a2e; --calm: #6478c8; }
svg { width: 100%; height: auto; font: 8px ui-monospace, monospace; } text { fill: currentColor; }
path { fill: none; stroke: #8886; stroke-width: 7; } .plot { stroke-linecap: round; stroke-width: 1.5; stroke: var(--calm); } .soft { opacity: .45; }
.mark { stroke-width: 1; stroke-dasharray: 2 2; } i { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; background: #8886; }
.verified { stroke: var(--verified); background: var(--verified); } .observed { stroke: var(--calm); background: var(--calm); }
.violated, .unstable { stroke: var(--bad); background: var(--bad); } .unstable { stroke-dasharray: 3 1; opacity: .7; }
.deviates, .verified-in-part, .not-testable { stroke: var(--warn); background: var(--warn); } .not-testable { opacity: .5; }
`;

export const verdictLegend = html`<p>${[...worst, 'observed'].map((verdict) => html`<i class="${verdict}"></i>${words(verdict)}`)}</p>`;

function drawing(height: number, label: string, inside: readonly (Html | undefined)[]): Html {
  return html`<svg viewBox="0 0 ${LABEL + WIDTH} ${height}" role="img" aria-label="${label}">${inside}</svg>`;
}

/** A row for each statement; nights alike next to each other are one stroke. */
export function verdictRows(
  rows: readonly (readonly [id: string, series: Series<string>])[],
): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  const drawn = rows.map(([id, series], index) => {
    const y = index * ROW + 5;
    const strokes = new Map<string, string>();
    const columns = columnsOf(series, (some) => worst.find((one) => some.includes(one)) ?? some[0]);
    const width = WIDTH / columns.length;
    for (let from = 0, to = 0; from < columns.length; from = to) {
      for (to = from + 1; to < columns.length && columns[to] === columns[from]; ) to += 1;
      const verdict = columns[from];
      if (verdict === undefined) continue;
      const stroke = `M${round(LABEL + from * width)} ${y}h${round((to - from) * width)}`;
      strokes.set(verdict, (strokes.get(verdict) ?? '') + stroke);
    }
    const paths = [...strokes].map(([verdict, d]) => html`<path class="${verdict}" d="${d}"/>`);
    return html`<text x="0" y="${y + 3}">${id}</text>${paths}`;
  });
  return drawing(rows.length * ROW + 2, 'verdicts by statement and night', drawn);
}

/** A line for each figure of the nights, dotted where something changed; the number is the top. */
export function linePlot(
  name: string,
  series: Series<readonly number[]>,
  marks: readonly number[],
): Html {
  const figures = [...(series.find((one) => one !== undefined) ?? []).keys()];
  const lines = figures.map((figure) =>
    columnsOf(
      series.map((one) => one?.[figure]),
      (some) => Math.max(...some),
    ),
  );
  const top = Math.max(1, ...lines.flat().filter(Number.isFinite));
  const paths = lines.map((values, index) => {
    const d = values.map((value, at) => {
      if (!Number.isFinite(value)) return '';
      const pen = Number.isFinite(values[at - 1]) ? 'L' : 'M';
      return `${pen}${middle(at, values.length)} ${round(HEIGHT - 4 - (value / top) * (HEIGHT - 16))}h.1`;
    });
    return html`<path class="plot${index > 0 ? ' soft' : ''}" d="${d.join('')}"/>`;
  });
  const crossed = new Set(marks.map((night) => `M${middle(night, series.length)} 10V${HEIGHT}`));
  return drawing(HEIGHT, name, [
    html`<path class="mark" d="${[...crossed].join('')}"/>`,
    ...paths,
    html`<text x="${LABEL}" y="8">${name}</text><text x="0" y="16">${duration(top)}</text>`,
  ]);
}

/** Up to six days, each where its night stands in the plots above. */
export function axis(days: readonly string[]): Html {
  const step = Math.ceil(days.length / 6);
  const ticks = days.map((day, at) =>
    when(at % step === 0, () => html`<text x="${middle(at, days.length)}" y="8">${day}</text>`),
  );
  return drawing(10, 'days', ticks);
}

/** Where one of so many nights stands. */
function middle(night: number, nights: number): number {
  return round(LABEL + ((night + 0.5) * WIDTH) / nights);
}

function columnsOf<V, W>(series: Series<V>, of: (seen: V[]) => W): W[] {
  const size = Math.ceil(series.length / COLUMNS);
  return Array.from({ length: Math.ceil(series.length / size) }, (_, index) =>
    of(series.slice(index * size, (index + 1) * size).filter((one) => one !== undefined)),
  );
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
