/** Durations in scenario files and options. */

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `30s`, `500ms`, `2m` or `1h`; undefined for anything else. */
export function parseDuration(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (units[match[2] ?? ''] ?? Number.NaN);
}
