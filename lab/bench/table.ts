/** Samples, the committed table, and the recorded figures. */

import { quantile } from '../../spec/base/quantile.ts';

/** The samples of each figure, in the order of the rounds. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** Calls `once` for the given number of rounds, after one round to warm up. */
export async function repeat(
  rounds: number,
  once: (round: number) => Promise<Readonly<Record<string, number>>>,
): Promise<Samples> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, figure] of Object.entries(await once(round))) {
      found[name] = round > 0 ? [...(found[name] ?? []), figure] : [];
    }
  }
  return found;
}

/** A row of the table; `least` or `most` is its bar. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
  /** The two servers of a ratio. */
  readonly compare?: readonly [string, string];
}

export type Rows = Readonly<Record<string, Row>>;

/** The samples of all rounds with the numbers that they came from, or the reason why there are none. */
export type Figure =
  | { readonly samples: readonly number[]; readonly madeOf?: string }
  | { readonly missing: string };

export type Figures = Readonly<Record<string, Figure>>;

/** A row with its figure; `id` is `measure.row`. */
export type Measured = Row & Figure & { readonly id: string };

/** The rows of a measure that have a figure. The short form leaves some out. */
export const measuredOf = (name: string, rows: Rows, figures: Figures): Measured[] =>
  Object.entries(rows).flatMap(([key, row]) => {
    const figure = figures[key];
    return figure === undefined ? [] : { id: `${name}.${key}`, ...row, ...figure };
  });

/** One list of samples divided by another, round by round. */
export function compare(
  ours: Samples[string] = [],
  theirs: Samples[string] = [],
  unit = '',
): Figure {
  const samples = ours.map((one, round) => one / (theirs[round] ?? Number.NaN));
  return { samples, madeOf: `${short(median(ours))}${unit} and ${short(median(theirs))}${unit}` };
}

export const figuresOf = (all: Samples, madeOf = ''): Figures =>
  Object.fromEntries(Object.entries(all).map(([name, samples]) => [name, { samples, madeOf }]));

export const median = (samples: readonly number[] = []): number => quantile(samples);

/** The medians, by `measure.row`. */
export function recordedOf(all: readonly Measured[]): Record<string, number> {
  const entries = all.map((row) => {
    const value = 'missing' in row ? Number.NaN : median(row.samples);
    return [row.id, Number(value.toPrecision(3))] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

/**
 * A line for each figure below 0.8 of its record, or without a record. The best round counts,
 * because other work on the machine can spoil any round.
 */
export function regressions(all: readonly Measured[], recorded: Record<string, number>): string[] {
  return all.flatMap((row) => {
    const { id, least } = row;
    if ('missing' in row) return `${id} could not run: ${row.missing}`;
    const was = recorded[id];
    const isLarge = least !== undefined;
    const value = isLarge ? Math.max(...row.samples) : Math.min(...row.samples);
    if (was === undefined) return `${id} was never recorded: run npm run bench`;
    // If a ratio should be small, its inverse must not shrink.
    const kept = isLarge ? value / was : was / value;
    const line = `${id} is ${short(value)} at best, was ${short(was)}: ${kept.toFixed(2)} of that`;
    return kept >= 0.8 ? [] : line;
  });
}

export function lineOf({ what, unit, least, most, ...figure }: Measured): string {
  const bar = least === undefined ? (most === undefined ? '' : `≤ ${most}`) : `≥ ${least}`;
  if ('missing' in figure) {
    return `| ${what} | **COULD NOT RUN: ${figure.missing.replaceAll(/[\s|]+/g, ' ')}** | ${bar} | | |`;
  }
  const { samples, madeOf = '' } = figure;
  const value = median(samples);
  const isMet = value >= (least ?? value) && value <= (most ?? value);
  const ends = ` (${short(Math.min(...samples))} to ${short(Math.max(...samples))})`;
  const shown = `${short(value)} ${unit}${samples.length > 1 ? ends : ''}`;
  return `| ${what} | ${shown} | ${bar} | ${bar && (isMet ? 'yes' : '**no**')} | ${madeOf} |`;
}

export function benchMd(about: string, all: readonly Measured[], growth: readonly string[]) {
  const lines = all.map(lineOf);
  const count = (text: string): number => lines.filter((line) => line.includes(text)).length;
  const [unmet, failed] = [count('| **no** |'), count('**COULD NOT RUN')];
  const met = `${count('| yes |')} bars are met, ${unmet} are not; ${failed} rows could not run.`;
  const written = 'Written by `npm run bench`; do not edit. [Explained](../lab/bench/README.md).';
  const head = '| what | figure (least to most) | bar | met | made of |\n|---|---|---|---|---|';
  const table = [head, ...lines].join('\n');
  return `${['# Speed and scale', written, about, met, table, ...growth].join('\n\n')}\n`;
}

export function short(value: number): string {
  return (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString('en');
}
