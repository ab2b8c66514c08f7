/** The smallest sample that is at least as large as this share of all (nearest rank); 0.5 is the median. */
export function quantile(samples: readonly number[], share = 0.5): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
