/** Finds the words that a user may have meant. */

/** How many letters must be added, removed, replaced or swapped to turn one word into another. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = swaps ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next[j] = Math.min(exchanged, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

const LONGEST = 64;

/** 0 for the same word in any case and with any separators; 1 for words with nothing in common. */
export function unlikeness(a: string, b: string): number {
  if (a.length > LONGEST || b.length > LONGEST) return a === b ? 0 : 1;
  const [one, other] = [plain(a), plain(b)];
  return distance(one, other) / Math.max(one.length, other.length, 1);
}

/** The candidate that a word most likely means; undefined if none is close. */
export function meant(word: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = 0.4;
  for (const candidate of candidates) {
    const unlike = unlikeness(word, candidate);
    if (unlike < least) [nearest, least] = [candidate, unlike];
  }
  return nearest;
}

/** ` (did you mean X?)`, or nothing. */
export function hint(word: string, words: Iterable<string>): string {
  const found = meant(word, words);
  return found === undefined ? '' : ` (did you mean ${found}?)`;
}

/** The most known names in a message. */
const SHOWN = 30;

/** The alternatives to an unknown name, for a message. */
export function insteadOf(name: string, known: readonly string[]): string {
  const likely = meant(name, known);
  if (likely !== undefined) return `; ${likely} is`;
  if (known.length === 0) return '; none is';
  const more = known.length > SHOWN ? ` and ${known.length - SHOWN} more` : '';
  return `; known are ${known.slice(0, SHOWN).join(', ')}${more}`;
}

function plain(word: string): string {
  return word.replaceAll(/[-_ ]/g, '').toLowerCase();
}
