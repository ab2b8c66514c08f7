/** Reads and checks the file of known problems, and writes it if asked. */

import { existsSync, readFileSync } from 'node:fs';
import { isMap, isSeq, parseDocument } from 'yaml';
import { Grammar } from '../../spec/base/grammar.ts';
import { mustEnd, mustStay } from '../../spec/base/refused.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import schema from '../gate.schema.json' with { type: 'json' };
import type { Baseline, BaselineEntry } from '../judge/gate.generated.ts';
import { checkKey } from './checks.ts';
import { writeWhole } from './history.ts';

const grammar = new Grammar<Baseline>(schema, 'Baseline');

const head = ` Known problems. lockstep gate --update-baseline adds and removes entries; reasons and dates are yours:
   reason: why it is accepted, in one line; without one the entry is shown as unreviewed
   until:  the last day on which it is accepted`;

/** The entries by key; none if there is no file. Throws LoadError and Refused. */
export function readBaseline(file: string): Map<string, BaselineEntry> {
  const entries = new Map<string, BaselineEntry>();
  if (!existsSync(file)) return entries;
  mustEnd(file);
  mustStay(file);
  const source = new YamlSource(file, readFileSync(file, 'utf8'));
  // An empty file, or one with only comments, has no known problem.
  if (source.value === null) return entries;
  for (const entry of grammar.check(source, source.value).problems) {
    const key = checkKey(entry);
    if (entries.has(key)) source.fail('this problem is in the file twice', entry, 'statement');
    for (const name of ['since', 'until'] as const) {
      const day = entry[name];
      if (day !== undefined && !isDay(day)) source.fail(`${day} is not a day`, entry, name);
    }
    entries.set(key, entry);
  }
  return entries;
}

/** False for 2026-02-30, which JavaScript would read as the second of March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Replaces the file by these entries, sorted. Comments and the order of keys stay as they were. */
export function writeBaseline(file: string, entries: readonly BaselineEntry[]): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const document = parseDocument(before);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (before === '') document.commentBefore = head;
  const list = document.get('problems');
  // The parser treats a comment above the first entry as one above the list.
  const [first] = isSeq(list) ? list.items : [];
  if (isSeq(list) && isMap(first)) first.commentBefore ??= list.commentBefore ?? null;
  const written = new Map(
    (isSeq(list) ? list.items : []).flatMap((node) =>
      isMap(node) ? [[checkKey(node.toJSON() as BaselineEntry), node] as const] : [],
    ),
  );
  const problems = document.createNode([]);
  for (const entry of entries.toSorted((a, b) => order.compare(checkKey(a), checkKey(b)))) {
    const node = written.get(checkKey(entry)) ?? document.createNode({ ...entry, reason: '' });
    node.set('verdict', entry.verdict);
    problems.items.push(node as never);
  }
  document.set('problems', problems);
  writeWhole(file, document.toString({ lineWidth: 0 }));
}

/** Sorts STAGE-9 before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });
