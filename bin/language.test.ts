/** The manual of the scenario language: every word has an example, and every example runs. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadSuite } from '../conformance/language/load.ts';
import { runOn } from '../lab/exam/suite-run.ts';
import { createService } from '../mock/kits/index.ts';
import { isObject } from '../spec/base/json.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../conformance/${name}`, import.meta.url)), 'utf8');
const manual = read('LANGUAGE.md');
const examples = [...manual.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** A list of steps becomes a scenario. */
function whole(text: string, index: number): string {
  if (/^scenario:/m.test(text)) return text;
  const steps: unknown = parse(text);
  return stringify({ scenario: `Example ${index}`, steps });
}

const suite = loadSuite(
  examples.map((text, index) => ({ name: `example-${index}.yaml`, text: whole(text, index) })),
);

test('each example runs, and its checks hold', async () => {
  const report = await runOn(await createService(), suite);
  const checks = report.statements.flatMap((item) => item.checks);
  const odd = checks.filter(({ verdict }) => !['verified', 'observed'].includes(verdict));
  expect(odd.map(({ step, verdict, reason }) => ({ step, verdict, reason }))).toEqual([]);
  expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(examples.map(() => 'ran'));
});

test('each word of the grammar has an example', () => {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        used.add(key);
        visit(item);
      }
    }
  };
  for (const text of examples) visit(parse(text));
  const words = new Set<string>();
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) collect(item);
    else if (isObject(node)) {
      if (isObject(node.properties))
        for (const word of Object.keys(node.properties)) words.add(word);
      for (const item of Object.values(node)) collect(item);
    }
  };
  collect(JSON.parse(read('scenario.schema.json')));
  // The words of standing.yaml.
  const elsewhere = ['statement', 'surface'];
  expect([...words].filter((word) => !used.has(word) && !elsewhere.includes(word))).toEqual([]);
});

test('the manual fits on 200 lines', () => {
  expect(manual.split('\n').length).toBeLessThanOrEqual(201);
});
