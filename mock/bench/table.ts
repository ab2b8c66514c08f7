/** What was measured, as a table that is committed and beside what was recorded. Pure functions. */

/** A row of the table; `least` or `most` is its bar. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
}

/** A sample for each round, and what it was made of; or why there is none. */
export type Figure =
  | { readonly samples: readonly number[]; readonly beside?: string }
  | { readonly missing: string };

export type Figures = Readonly<Record<string, Figure>>;

export interface Result {
  readonly name: string;
  readonly rows: Readonly<Record<string, Row>>;
  readonly figures: Figures;
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return ((sorted[low] ?? Number.NaN) + (sorted[high] ?? Number.NaN)) / 2;
}

/** Medians, as `measure.row`. */
export function recordedOf(results: readonly Result[]): Record<string, number> {
  const entries = results.flatMap(({ name, figures }) =>
    Object.entries(figures).map(([key, figure]) => {
      const value = 'missing' in figure ? Number.NaN : median(figure.samples);
      return [`${name}.${key}`, Number(value.toPrecision(3))] as const;
    }),
  );
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

/**
 * What is below 0.8 of what was recorded, or cannot be compared: a line for each. The best round
 * counts, because other work on the machine can spoil any of them.
 */
export function regressions(
  { name, rows, figures }: Result,
  recorded: Record<string, number>,
): string[] {
  return Object.entries(figures).flatMap(([key, figure]) => {
    if ('missing' in figure) return `${name}.${key} could not run: ${figure.missing}`;
    const was = recorded[`${name}.${key}`];
    const isLarge = rows[key]?.least !== undefined;
    const value = isLarge ? Math.max(...figure.samples) : Math.min(...figure.samples);
    if (was === undefined) return `${name}.${key} was never recorded: run npm run bench`;
    // Of a ratio that should be small, the inverse must not shrink.
    const kept = isLarge ? value / was : was / value;
    const line = `${name}.${key} is ${short(value)} at best, was ${short(was)}: ${kept.toFixed(2)} of that`;
    return kept >= 0.8 ? [] : line;
  });
}

/** Each row as a line of the table, but for those that the short form leaves out. */
export function lines({ rows, figures }: Result): string[] {
  return Object.entries(rows).flatMap(([key, { what, unit, least, most }]) => {
    const figure = figures[key];
    if (figure === undefined) return [];
    const bar = least === undefined ? (most === undefined ? '' : `≤ ${most}`) : `≥ ${least}`;
    if ('missing' in figure) {
      return `| ${what} | **COULD NOT RUN: ${figure.missing.replaceAll(/[\s|]+/g, ' ')}** | ${bar} | | |`;
    }
    const { samples, beside = '' } = figure;
    const value = median(samples);
    const isMet = value >= (least ?? value) && value <= (most ?? value);
    const ends = ` (${short(Math.min(...samples))} to ${short(Math.max(...samples))})`;
    const shown = `${short(value)} ${unit}${samples.length > 1 ? ends : ''}`;
    return `| ${what} | ${shown} | ${bar} | ${bar && (isMet ? 'yes' : '**no**')} | ${beside} |`;
  });
}

export function benchMd(
  about: string,
  results: readonly Result[],
  growth: readonly string[],
): string {
  const all = results.flatMap(lines);
  const count = (text: string): number => all.filter((line) => line.includes(text)).length;
  const met = `${count('| yes |')} bars are met, ${count('| **no** |')} are not; ${count('**COULD NOT RUN')} rows could not run.`;
  const written = 'Written by `npm run bench`; do not edit. [Explained](../mock/bench/README.md).';
  const head = '| what | figure (least to most) | bar | met | made of |\n|---|---|---|---|---|';
  const table = [head, ...all].join('\n');
  return `${['# Speed and scale', written, about, met, table, ...growth].join('\n\n')}\n`;
}

export function short(value: number): string {
  return (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString('en');
}
