/** Words and values as people read them; everything that a renderer prints passes through here. */

import { visible } from '../spec/base/visible.ts';
import type { Location } from '../spec/base/yaml-source.ts';

export { count, ranges } from '../spec/base/count.ts';

/** A value as JSON in one line, cut after `limit` characters; `nothing` if there is none. */
export function show(value: unknown, limit = 300): string {
  if (value === undefined) return 'nothing';
  return cut(visible(JSON.stringify(value) ?? 'nothing'), limit);
}

/** The text, cut if it is longer than `limit`, with the number of characters left out. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${kept} … (${text.length - kept.length} more characters)`;
}

/** `48 ms`, `2.1 s`, `30 s`, `3 min 05 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** The first of a list, and in place of the others a line that says how many they are. */
export function atMost<T>(limit: number, all: readonly T[], more: (left: number) => T): T[] {
  const left = all.length - limit;
  return left > 0 ? [...all.slice(0, limit), more(left)] : [...all];
}

/** The texts that are there; `false` and `undefined` are left out. */
export function present(...texts: readonly (string | false | undefined)[]): string[] {
  return texts.filter((text) => typeof text === 'string');
}

/** `not testable` of `not-testable`. */
export function words(id: string): string {
  return id.replaceAll('-', ' ');
}

/** `conformance/scenarios/staging/toggle.yaml:41:7`, which editors and terminals can open. */
export function place(location: Location): string {
  return visible(`${location.file}:${location.line}:${location.column}`);
}

/** A place in a run: scenario and step. */
export function stepWords(at: { readonly scenario: string; readonly step: string }): string {
  return `${at.scenario}, step ${at.step}`;
}
