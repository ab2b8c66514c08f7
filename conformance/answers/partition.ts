/**
 * Checks that every subject is in exactly one of several lists, and that the lists hold nothing
 * else.
 */

import { isObject } from '../../spec/base/json.ts';

export interface Partition {
  readonly of: readonly unknown[];
  readonly into: Readonly<Record<string, readonly unknown[]>>;
  /** Groups of fields that identify a subject; fields of one group are compared with each other. */
  readonly by: readonly (readonly string[])[];
}

/**
 * The defects of a partition; empty if there are none. Items may leave identifying fields out (a silence),
 * so subjects and items that cannot be told apart are only counted.
 */
export function partitionDefects({ of, into, by }: Partition): string[] {
  const defects: string[] = [];
  const items = Object.entries(into).flatMap(([list, entries]) =>
    entries.map((item) => ({ list, marks: marks(item, by), shows: fieldsOf(item, by) })),
  );
  // The index avoids comparing a thousand subjects with a thousand items each.
  const marked = items.flatMap((item) => [...item.marks].map((mark) => ({ mark, item })));
  const byMark = Map.groupBy(marked, ({ mark }) => mark);
  const claimed = new Set<object>();
  /** For each subject without a matching item, its identifying fields. */
  const unfound: ReadonlySet<string>[] = [];
  for (const [index, subject] of of.entries()) {
    const own = marks(subject, by);
    const all = [...own].flatMap((mark) => byMark.get(mark) ?? []);
    const found = [...new Set(all.map(({ item }) => item))];
    for (const item of found) claimed.add(item);
    if (found.length === 0) unfound.push(fieldsOf(subject, by));
    if (found.length > 1) {
      const lists = found.map(({ list }) => list).join(', ');
      defects.push(`subject ${index} is reported ${found.length} times: ${lists}`);
    }
  }
  const strangers = items.filter((item) => !claimed.has(item));
  const nameless = strangers.filter((item) => item.marks.size === 0);
  const more = unfound.length - strangers.length;
  if (more > 0) defects.push(`${more} of ${of.length} subjects are in no list`);
  if (more < 0) defects.push(`${-more} items in the lists are not subjects`);
  // An item may belong to such a subject if it hides the field that would identify it.
  const uncertain = unfound.some((fields) => items.some(({ shows }) => !fields.isSubsetOf(shows)));
  if (defects.length === 0 && unfound.length > nameless.length && !uncertain) {
    defects.push(`${unfound.length - nameless.length} subjects are not the ones reported`);
  }
  return defects;
}

/** The identifying fields that an item has. */
function fieldsOf(item: unknown, by: readonly (readonly string[])[]): Set<string> {
  const has = (field: string): boolean => isObject(item) && item[field] != null;
  return new Set(by.flat().filter(has));
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
