/** The history of a gate as one page of plots that needs no network and no script. */

import { type Html, html, when } from '../../spec/base/html.ts';
import { page } from '../page.ts';
import { duration, words } from '../text.ts';
import type { Series, Trend } from './trends.ts';

/** More nights than this share a column, so the page stays small however many there are. */
const COLUMNS = 400;
const [LABEL, WIDTH, ROW, HEIGHT] = [90, 800, 9, 60];
const CHANGES = 500;

/** From bad to good: a column of several nights shows the worst of them. */
const worst = ['violated', 'deviates', 'unstable', 'verified-in-part', 'not-testable', 'verified'];

export function historyHtml(trends: readonly Trend[]): string {
  const body = html`<h1>Lockstep over the nights</h1>
${trends.map(section)}`;
  return page('Lockstep: nights', style, body);
}

const style = `
:root { color-scheme: light dark; --verified: #3f9e68; --bad: #cf3a31; --warn: #d29a2e; --calm: #6478c8; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 400; } h2 { overflow-wrap: anywhere; } h3 { font-size: 1rem; margin-bottom: .2rem; }
svg { width: 100%; height: auto; font: 8px ui-monospace, monospace; } text { fill: currentColor; }
path { fill: none; stroke: #8886; stroke-width: 7; } .line { stroke-linecap: round; stroke-width: 1.5; stroke: var(--calm); } .soft { opacity: .45; }
.mark { stroke-width: 1; stroke-dasharray: 2 2; } i { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; background: #8886; }
.verified { stroke: var(--verified); background: var(--verified); } .observed { stroke: var(--calm); background: var(--calm); }
.violated, .unstable { stroke: var(--bad); background: var(--bad); } .unstable { stroke-dasharray: 3 1; opacity: .7; }
.deviates, .verified-in-part, .not-testable { stroke: var(--warn); background: var(--warn); } .not-testable { opacity: .5; }
li { overflow-wrap: anywhere; font-size: .9rem; }
`;

function section(trend: Trend): Html {
  const { target, days, nights, verdicts, latency, convergence, changes } = trend;
  const marks = [...new Set(changes.map(({ night }) => night))];
  const { moved = [], steady = [] } = Object.groupBy(verdicts, ([, series]) =>
    new Set(series.filter((one) => one)).size > 1 ? 'moved' : 'steady',
  );
  const plots = (of: ReadonlyMap<string, readonly Series<number>[]>): Html[] =>
    [...of].map(([name, lines]) => plot(name, lines, marks));
  const shown = changes.slice(-CHANGES).reverse();
  const dates = axis(days);
  return html`<section>
<h2>${target}</h2>
<p>${nights.length} nights, ${days[0]} to ${days.at(-1)}. The last: <strong>${nights.at(-1)?.headline}</strong></p>
<p>${[...worst, 'observed'].map((verdict) => html`<i class="${verdict}"></i>${words(verdict)}`)}</p>
<h3>Statements whose verdict changed</h3>
${grid(moved, dates)}
<details><summary>${steady.length} statements that stayed as they were</summary>${grid(steady, dates)}</details>
<h3>What changed</h3>
<ul>${shown.length > 0 ? '' : 'Nothing.'}${shown.map(({ night, text }) => html`<li>${days[night]} ${text}</li>`)}</ul>
<h3>Latency: median, and 95 % within (dotted: something changed)</h3>
${plots(new Map([...latency].map(([name, all]) => [name, [0, 1].map((at) => all.map((one) => one?.[at]))])))}${dates}
<h3>Until a change showed</h3>
${plots(new Map([...convergence].map(([name, all]) => [name, [all]])))}${dates}
</section>`;
}

/** A row for each statement; nights alike beside each other are one stroke. */
function grid(rows: readonly (readonly [id: string, series: Series<string>])[], dates: Html): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  const drawn = rows.map(([id, series], index) => {
    const y = index * ROW + 5;
    const strokes = new Map<string, string>();
    const columns = bucketsOf(series).map(
      (some) => worst.find((one) => some.includes(one)) ?? some[0],
    );
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
  return html`<svg viewBox="0 0 ${LABEL + WIDTH} ${rows.length * ROW + 2}" role="img" aria-label="verdicts by statement and night">${drawn}</svg>${dates}`;
}

/** Lines over the nights, the lower one first; the number is the top of the scale. */
function plot(name: string, lines: readonly Series<number>[], marks: readonly number[]): Html {
  const all = lines.map((series) => bucketsOf(series).map((some) => Math.max(...some)));
  const top = Math.max(1, ...all.flat().filter(Number.isFinite));
  const nights = lines[0]?.length ?? 1;
  const paths = all.map((values, index) => {
    const d = values.map((value, at) => {
      if (!Number.isFinite(value)) return '';
      const pen = Number.isFinite(values[at - 1]) ? 'L' : 'M';
      return `${pen}${middle(at, values.length)} ${round(HEIGHT - 4 - (value / top) * (HEIGHT - 16))}h.1`;
    });
    return html`<path class="line${index > 0 ? ' soft' : ''}" d="${d.join('')}"/>`;
  });
  const crossed = [...new Set(marks.map((night) => `M${middle(night, nights)} 10V${HEIGHT}`))].join(
    '',
  );
  return html`<svg viewBox="0 0 ${LABEL + WIDTH} ${HEIGHT}" role="img" aria-label="${name}"><path class="mark" d="${crossed}"/>${paths}<text x="${LABEL}" y="8">${name}</text><text x="0" y="16">${duration(top)}</text></svg>`;
}

/** Up to six days, each where its night stands in the plots above. */
function axis(days: readonly string[]): Html {
  const step = Math.ceil(days.length / 6);
  const ticks = days.map((day, at) =>
    when(at % step === 0, () => html`<text x="${middle(at, days.length)}" y="8">${day}</text>`),
  );
  return html`<svg viewBox="0 0 ${LABEL + WIDTH} 10" role="img" aria-label="days">${ticks}</svg>`;
}

/** Where one of so many nights stands. */
function middle(night: number, nights: number): number {
  return round(LABEL + ((night + 0.5) * WIDTH) / nights);
}

function bucketsOf<V>(series: Series<V>): V[][] {
  const size = Math.ceil(series.length / COLUMNS);
  return Array.from({ length: Math.ceil(series.length / size) }, (_, index) =>
    series.slice(index * size, (index + 1) * size).filter((one) => one !== undefined),
  );
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
