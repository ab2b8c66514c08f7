import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { eventTypes } from '../events.ts';
import { createMock } from '../index.ts';
import { routeList } from './admin.ts';

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: { schemas: { Event: { properties: { type: { enum: string[] } } } } };
}
const document = parse(
  readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8'),
) as Document;

test('the document of the control API has every route, and no other', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual([...routeList].sort());
});

test('and every event', () => {
  expect(document.components.schemas.Event.properties.type.enum.toSorted()).toEqual(
    [...eventTypes].sort(),
  );
});

test('it is served', async () => {
  await using mock = await createMock();
  const response = await mock.fetch('/__admin/openapi.json');
  expect(await response.json()).toEqual(document);
});
