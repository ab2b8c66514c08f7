/** Headers that belong to a single connection, and are not passed on (RFC 9110 section 7.6.1). */

import type { Headers } from './traffic.ts';

/** Headers that are never passed on, even if Connection does not list them. */
const ownOfConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'http2-settings'],
];

/** Names and values in turn, as they came over the wire. */
export type RawHeaders = readonly string[];

export function* pairsOf(raw: RawHeaders): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? ''];
}

/** The headers to pass on, in their order and spelling; `without` names further headers to drop. */
export function endToEnd(raw: RawHeaders, without: readonly string[] = []): string[] {
  const named = [...pairsOf(raw)]
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const dropped = new Set([...ownOfConnection, ...named, ...without]);
  return [...pairsOf(raw)].flatMap(([name, value]) =>
    dropped.has(name.toLowerCase()) ? [] : [name, value],
  );
}

/** By name, in lower case. */
export function byName(pairs: Iterable<readonly [name: string, value: string]>): Headers {
  const found: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const known = found[key];
    found[key] = known === undefined ? value : [known, value].flat();
  }
  return found;
}

/** Whether the list in a header contains a word. */
export function holdsWord(value: string | readonly string[] | undefined, word: string): boolean {
  const words = [value ?? []].flat().join(',').toLowerCase().split(',');
  return words.some((item) => item.split(';')[0]?.trim() === word);
}
