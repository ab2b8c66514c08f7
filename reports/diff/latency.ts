/**
 * Whether an operation takes longer than it did, beyond what chance, or a machine that was busy that
 * night, makes of two runs; and in words.
 */

import { quantile } from '../../spec/base/quantile.ts';
import { count, duration, present } from '../text.ts';
import type { Section } from './comparison.ts';

type Samples = Readonly<Record<string, readonly number[]>>;

/** Fewer samples say nothing. */
const FEWEST_SAMPLES = 10;
/** A median counts as changed from this factor on, and from so many milliseconds. */
const FACTOR = 1.5;
const MILLISECONDS = 20;
/** Of so many operations the median says how the whole run went. */
const FEWEST_OPERATIONS = 4;
/** Of the rank-sum test: one comparison in a thousand is this far off by chance. */
const FAR_OFF = 3.29;

export function compareLatencies(last: Samples = {}, now: Samples = {}) {
  const timed = Object.entries(now).flatMap(([operation, after]) => {
    const before = last[operation] ?? [];
    if (before.length < FEWEST_SAMPLES || after.length < FEWEST_SAMPLES) return [];
    // Medians, in milliseconds.
    return { operation, before, after, was: quantile(before), now: quantile(after) };
  });
  const ratios = timed.map((one) => one.now / Math.max(0.1, one.was));
  /** How much longer all operations took, in the median: 1 if that is not known. */
  const pace = timed.length < FEWEST_OPERATIONS ? 1 : quantile(ratios);
  /** Operations that changed more than the others did, the slower ones first. */
  const operations = timed
    .filter(({ before, after }) => {
      const expected = before.map((sample) => sample * pace);
      return isLarge(quantile(expected), quantile(after)) && differ(expected, after);
    })
    .sort((a, b) => b.now / b.was - a.now / a.was);
  return { pace, operations };
}

function isLarge(a: number, b: number): boolean {
  const [less, more] = [Math.min(a, b), Math.max(a, b)];
  return more >= less * FACTOR && more - less >= MILLISECONDS;
}

/** The rank-sum test of Mann and Whitney, by its normal approximation: no shape is assumed. */
function differ(a: readonly number[], b: readonly number[]): boolean {
  let above = 0;
  for (const one of b) {
    for (const other of a) above += one > other ? 1 : one === other ? 0.5 : 0;
  }
  const pairs = a.length * b.length;
  const spread = Math.sqrt((pairs * (a.length + b.length + 1)) / 12);
  return Math.abs(above - pairs / 2) > FAR_OFF * spread;
}

const note = `Medians of successful answers. A change counts if both runs have ${FEWEST_SAMPLES} samples, chance would make it once in 1000 comparisons (rank-sum test), and it is ${FACTOR} x and ${MILLISECONDS} ms at least, beyond what the whole run was slower or quicker.`;

/** The changes in words: parts of a headline, and a list. */
export function latencyWords(last: Samples | undefined, now: Samples | undefined) {
  const { pace, operations } = compareLatencies(last, now);
  const slower = operations.filter((change) => change.now > change.was);
  const quicker = operations.length - slower.length;
  const [worst, ...others] = slower;
  const parts = present(
    worst !== undefined && `${worst.operation} ${howMuch(worst)}`,
    others.length > 0 && `${others.length} more slower`,
    quicker > 0 && `${count(quicker, 'operation')} quicker`,
    pace >= FACTOR && `the whole run ${pace.toFixed(1)} x slower`,
  );
  const lines = operations.map((change) => {
    const text = `${duration(change.was)}, now ${duration(change.now)}: ${howMuch(change)}`;
    return { name: change.operation, text };
  });
  return { parts, section: { heading: 'Latency', note, lines } satisfies Section };
}

function howMuch({ was, now }: { readonly was: number; readonly now: number }): string {
  const times = Math.max(was, now) / Math.max(0.1, Math.min(was, now));
  return `${times.toFixed(1)} x ${now > was ? 'slower' : 'quicker'}`;
}
