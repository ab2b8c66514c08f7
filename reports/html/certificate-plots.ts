/** Small pictures, drawn inline: what they show stands beside them in words. */

import type { StatementResult } from '../../conformance/judge/report.ts';
import { type Html, html } from '../../spec/base/html.ts';
import { duration, words } from '../text.ts';

const side = 12;
const perRow = 22;

/** A square for each statement, in their order. */
export function squares(statements: readonly StatementResult[]): Html {
  const rows = Math.ceil(statements.length / perRow);
  const [width, height] = [perRow * side, rows * side];
  const marks = statements.map(({ id, verdict }, index) => {
    const [x, y] = [(index % perRow) * side, Math.floor(index / perRow) * side];
    return html`<rect class="q-${verdict}" x="${x}" y="${y}" width="10" height="10" rx="2"><title>${id} ${words(verdict)}</title></rect>`;
  });
  return html`<svg class="squares" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true" focusable="false">${marks}</svg>`;
}

/** `high`: 95 of 100 were as quick as that. */
export function spreadOf(samples: readonly number[]) {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), high: at(0.95), most: sorted.at(-1) ?? 0 };
}

const scale = { width: 240, height: 16 };

/** Each answer as a tick on a scale of logarithms, which one slow answer does not flatten. */
export function ticks(samples: readonly number[], most: number): Html {
  const x = (milliseconds: number): string => {
    const share = Math.log1p(milliseconds) / Math.log1p(Math.max(1, most));
    return (2 + share * (scale.width - 4)).toFixed(1);
  };
  const { median, high } = spreadOf(samples);
  const places = [...new Set(samples.map(x))];
  return html`<svg class="ticks" viewBox="0 0 ${scale.width} ${scale.height}" role="img" aria-label="median ${duration(median)}, 95 % within ${duration(high)}"><path class="axis" d="M2 12H${scale.width - 2}"/><path class="each" d="${places.map((place) => `M${place} 5v7`).join('')}"/><path class="median" d="M${x(median)} 1v14"/></svg>`;
}
