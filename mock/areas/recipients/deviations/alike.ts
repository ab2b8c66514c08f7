/** Ways to compare two values of a property that find too many of them alike. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../deviations/transforms.ts';

/** Same keys and same plain values; what is nested is taken as the same. */
export function alikeOnTop(sent: unknown, stored: unknown): boolean {
  if (!isRecord(sent) || !isRecord(stored)) return false;
  const keys = Object.keys(sent);
  return (
    keys.length === Object.keys(stored).length &&
    keys.every((key) => {
      const [a, b] = [sent[key], stored[key]];
      const nested = (value: unknown) => value !== null && typeof value === 'object';
      return key in stored && (nested(a) && nested(b) ? true : a === b);
    })
  );
}

/** Same but for the types of plain values. */
export function alikeAsText(sent: unknown, stored: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(sent) === text(stored);
}

export function sameNames(sent: unknown, stored: unknown): boolean {
  const names = (list: unknown) =>
    Array.isArray(list) ? list.map((item) => (isRecord(item) ? String(item.name) : '')).sort() : [];
  return isDeepStrictEqual(names(sent), names(stored));
}

export function sameNumber(sent: unknown, stored: unknown): boolean {
  return Array.isArray(sent) && Array.isArray(stored) && sent.length === stored.length;
}
