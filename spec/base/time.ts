/** Times as services write them. */

const iso =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$/;
const http = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} [\d:]{8} GMT$/;

/** True for ISO 8601 with milliseconds and Z, the form the description promises for deployments. */
export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) && toMillis(text) !== undefined;
}

/** True for an ISO 8601 date or date and time, in any precision and zone. */
export function isIso(text: string): boolean {
  return iso.test(text) && toMillis(text) !== undefined;
}

/**
 * Milliseconds since 1970 of an ISO 8601 or HTTP date, or of a number that is plausibly seconds or
 * milliseconds since 1970. A time without a zone is read as UTC. Undefined for anything else.
 */
export function toMillis(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{10}(\.\d+)?$|^\d{13}$/.test(text)) return fromNumber(Number(text));
  if (http.test(text)) return Date.parse(text);
  if (!iso.test(text)) return undefined;
  let normal = text.replace(' ', 'T').replace(',', '.').replace(/\s/, '');
  normal = normal.replace(/([+-]\d{2})(\d{2})$/, (whole, hours, minutes) =>
    /T/.test(normal) ? `${hours}:${minutes}` : whole,
  );
  if (/T.*[+-]\d{2}$/.test(normal)) normal += ':00';
  if (normal.includes('T') && !/(Z|[+-]\d{2}:\d{2})$/.test(normal)) normal += 'Z';
  const millis = Date.parse(normal);
  return Number.isNaN(millis) ? undefined : millis;
}

/** Seconds or milliseconds, told apart by size: years 2001 to 2286 either way. */
function fromNumber(value: number): number | undefined {
  if (value >= 1e9 && value < 1e10) return value * 1000;
  if (value >= 1e12 && value < 1e13) return value;
  return undefined;
}
