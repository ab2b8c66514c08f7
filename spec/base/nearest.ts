/** Finds what somebody probably meant. */

/** The word most like the given one; undefined where none is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 2));
  for (const candidate of words) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= least && (best === undefined || distance < least)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** ` (did you mean X?)`, or nothing. */
export function hint(word: string, words: Iterable<string>): string {
  const found = nearest(word, words);
  return found === undefined ? '' : ` (did you mean ${found}?)`;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
