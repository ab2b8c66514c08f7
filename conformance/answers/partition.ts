/** Whether every subject stands in exactly one of several lists, and nothing else in any. */

import { isObject } from '../../spec/base/json.ts';

export interface Partition {
  readonly of: readonly unknown[];
  readonly into: Readonly<Record<string, readonly unknown[]>>;
  /** Groups of fields that identify a subject; fields of one group are compared with each other. */
  readonly by: readonly (readonly string[])[];
}

/**
 * What is wrong; empty where nothing is. Items may leave identifying fields out (a silence), so
 * subjects and items that cannot be told apart are only counted.
 */
export function partitionDefects({ of, into, by }: Partition): string[] {
  const defects: string[] = [];
  const items = Object.entries(into).flatMap(([list, entries]) =>
    entries.map((item) => ({ list, marks: marks(item, by) })),
  );
  const claimed = new Set<number>();
  let unfound = 0;
  for (const [index, subject] of of.entries()) {
    const own = marks(subject, by);
    const found = items.flatMap((item, at) => (overlap(own, item.marks) ? [at] : []));
    for (const at of found) claimed.add(at);
    if (found.length === 0) unfound++;
    if (found.length > 1) {
      const lists = found.map((at) => items[at]?.list).join(', ');
      defects.push(`subject ${index} is reported ${found.length} times: ${lists}`);
    }
  }
  const strangers = items.filter((_, at) => !claimed.has(at));
  const nameless = strangers.filter((item) => item.marks.size === 0);
  if (unfound > strangers.length) {
    defects.push(`${unfound - strangers.length} of ${of.length} subjects are in no list`);
  }
  if (strangers.length > unfound) {
    defects.push(`${strangers.length - unfound} items are in a list and are no subject`);
  }
  if (defects.length === 0 && unfound > nameless.length && !ambiguous(of, items, by)) {
    defects.push(`${unfound - nameless.length} subjects are not the ones reported`);
  }
  return defects;
}

/** Subjects named by a field that no item shows can only be counted. */
function ambiguous(
  of: readonly unknown[],
  items: readonly { readonly marks: ReadonlySet<string> }[],
  by: readonly (readonly string[])[],
): boolean {
  const groups = (marksOf: ReadonlySet<string>): Set<string> =>
    new Set([...marksOf].map((mark) => mark.slice(0, mark.indexOf(':'))));
  return of.some((subject) => {
    const own = marks(subject, by);
    const found = items.some((item) => overlap(own, item.marks));
    if (found) return false;
    const wanted = groups(own);
    return items.some((item) => [...wanted].every((group) => !groups(item.marks).has(group)));
  });
}

/** The identifying values of an item, each with its group. */
function marks(item: unknown, by: readonly (readonly string[])[]): Set<string> {
  const found = new Set<string>();
  if (!isObject(item)) return found;
  for (const [group, fields] of by.entries()) {
    for (const field of fields) {
      const value = item[field];
      if (value === undefined || value === null) continue;
      found.add(`${group}:${String(value).toLowerCase()}`);
    }
  }
  return found;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return !a.isDisjointFrom(b);
}
