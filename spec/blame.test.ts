/**
 * Tests which statements are blamed for a wrong answer. Each node of each answer is changed in
 * turn, and the blamed statements are compared with a reviewed table, `blame.txt`.
 */
import { expect, test } from 'vitest';
import { isObject } from './base/json.ts';
import { contract } from './contract.ts';
import { examplesOf } from './testing/examples.ts';

/** Every place of a value that can be changed; the first item of a list represents all. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = Array.isArray(value) ? value.slice(0, 1) : isObject(value) ? value : {};
  return Object.entries(inner).flatMap(([key, item]) => {
    const place = [...path, key];
    return [place, ...placesOf(item, place)];
  });
}

const gone = Symbol('gone');
const changes: Readonly<Record<string, (old: unknown) => unknown>> = {
  removed: () => gone,
  null: () => null,
  'another type': (old) => (typeof old === 'string' ? 7 : typeof old === 'object' ? 'x' : { x: 1 }),
  'another value': (old) => (typeof old === 'string' ? 'x' : typeof old === 'number' ? -1.5 : old),
};

function changed(body: unknown, place: readonly string[], change: (old: unknown) => unknown) {
  const copy: unknown = structuredClone(body);
  const last = place.at(-1) ?? '';
  const parent = place.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy);
  const object = parent as Record<string, unknown>;
  const value = change(object[last]);
  if (value !== gone) object[last] = value;
  else if (Array.isArray(object)) return body;
  else delete object[last];
  return copy;
}

/** Silences and unobservable statements are never blamed. */
function isBlamed(id: string): boolean {
  const { level, unobservable } = contract.statements.get(id) ?? {};
  return level !== 'silent' && unobservable === undefined;
}

test('each node of each answer blames the statements about its own shape, as in blame.txt', async () => {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const operation of contract.operations.values()) {
    for (const { name, value, schema, validate } of examplesOf(operation)) {
      const shape = JSON.stringify(schema);
      if (name.includes(' request') || !isObject(value) || seen.has(shape)) continue;
      seen.add(shape);
      lines.push('', name);
      for (const place of placesOf(value)) {
        const blamed = Object.entries(changes).flatMap(([what, change]) => {
          const failures = validate(changed(value, place, change));
          const ids = new Set(failures.flatMap(({ statements }) => statements.filter(isBlamed)));
          return ids.size === 0 ? [] : [`${what}: ${[...ids].join(' ')}`];
        });
        lines.push(`  ${place.join('.')}  ${blamed.join(', ') || 'nothing is promised'}`);
      }
    }
  }
  await expect(`${lines.join('\n').trim()}\n`).toMatchFileSnapshot('./blame.txt');
});
