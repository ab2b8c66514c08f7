/** The least sample that a share of them does not exceed (the nearest rank); 0.5 gives the median. */
export function quantile(samples: readonly number[], share = 0.5): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
