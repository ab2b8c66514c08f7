import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { events } from '../areas/events.ts';
import { createMock } from '../kits/index.ts';
import { corpus } from '../testing/corpus.ts';
import { replay } from '../testing/replay.ts';
import { routeList } from './admin.ts';
import { journalRecord } from './journal-record.ts';

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: {
    schemas: {
      Event: { properties: { type: { enum: string[] } } };
      FaultRequest: { properties: Record<string, unknown> };
    };
  };
}
interface Route {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, { readonly content?: Record<string, unknown> }>;
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
    [...Object.keys(events)].sort(),
  );
});

test('a fault is injected and removed, in the words of the console', () => {
  const calls = Object.entries(document.paths).filter(([path]) => path.includes('/faults'));
  const summaries = calls.flatMap(([, item]) =>
    Object.values(item).flatMap((call) => (call as { summary?: string }).summary ?? []),
  );
  const words = ['Inject a fault', 'List the faults', 'Remove a fault', 'Remove all faults'];
  expect(summaries.toSorted()).toEqual(words);
});

test('the page of the control API has every call, fault field and event', async () => {
  await using mock = await createMock();
  const page = await (await mock.fetch('/__admin/docs')).text();
  const told = page.slice(page.indexOf('id="control-api"')).replaceAll('<wbr>', '');
  for (const route of routeList) expect(told).toContain(route.split(' ')[1]);
  expect(told.match(/<article/g)).toHaveLength(routeList.length);
  const fields = Object.keys(document.components.schemas.FaultRequest.properties);
  for (const field of fields) expect(told).toContain(`<tr><td><code>${field}</code>`);
  for (const [type, event] of Object.entries(events)) {
    const row =
      told.slice(told.indexOf(`<tr><td><code>${type}</code>`)).split(/<tr>|<\/tbody>/)[1] ?? '';
    for (const field of event.fields) expect(row).toContain(`<code>${field}</code>`);
    expect(row, `x-events says what ${type} is`).toMatch(/<td>[A-Z].*\.$/s);
  }
});

test('it is served', async () => {
  await using mock = await createMock();
  const response = await mock.fetch('/__admin/openapi.json');
  expect(await response.json()).toEqual(document);
});

describe('a route refuses unknown parameters and fields', () => {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => key !== 'parameters')
      .map(([method, route]) => ({ method: method.toUpperCase(), path, route: route as Route })),
  );
  const send = async (method: string, path: string, body?: string) => {
    await using mock = await createMock();
    const url = path.replaceAll('{w}', 'acme').replaceAll(/\{\w+\}/g, 'none');
    const response = await mock.fetch(url, body === undefined ? { method } : { method, body });
    return { status: response.status, text: response.body === null ? '' : await response.text() };
  };
  // Which fields an event has is asked after its type.
  const LOGIN = '{"type": "login", "bogus": 1}';
  const isPage = ({ responses }: Route) => responses['200']?.content?.['text/html'] !== undefined;

  test.for(routes.filter(({ route }) => !isPage(route)))(
    'a query parameter: $method $path',
    async ({ method, path, route }) => {
      const { status, text } = await send(method, `${path}?bogus=1`);
      const names = (route.parameters ?? []).map(({ name }) => name);
      const instead = names.length === 0 ? 'none is' : `known are ${names.join(', ')}`;
      expect(status).toBe(400);
      expect(text).toContain(`The query parameter bogus is not known; ${instead}`);
    },
  );

  test.for(routes.filter(({ method }) => method !== 'GET'))(
    'a field: $method $path',
    async ({ method, path, route }) => {
      const { status, text } = await send(
        method,
        path,
        path.endsWith('events') ? LOGIN : '{"bogus": 1}',
      );
      expect(status).toBe(400);
      if (route.requestBody === undefined) expect(text).toContain('not known; none is');
      expect(text).toContain('bogus');
    },
  );

  test('a page accepts the parameters of a link to it', async () => {
    expect((await send('GET', '/__admin/docs?utm=1')).status).toBe(200);
  });
});

/** Throws if a value, as it is sent, does not fit a schema of the document. */
const check = (() => {
  const ajv = new Ajv2020({ strict: false, schemas: [{ ...document, $id: 'control' }] });
  return (name: string, value: unknown) => {
    const validate = ajv.getSchema(`control#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`the document has no schema ${name}`);
    validate(JSON.parse(JSON.stringify(value)));
    expect(validate.errors ?? []).toEqual([]);
  };
})();

describe('journal and coverage are as the document says', () => {
  test.for(corpus.map((entry) => ({ ...entry })))('$name', async (entry) => {
    const { world } = await replay(entry);
    const requests = world.journal.list().map((item) => journalRecord(world, item));
    check('Journal', { requests, dropped: world.journal.dropped });
    check('Coverage', world.coverage.toCoverage());
  });

  test.for([
    { status: 503 },
    { phase: 'after-commit' },
    { phase: 'mid-body' },
    { phase: 'socket', kind: 'half-close' },
    { delayMs: 1 },
  ] as const)('after the fault %j', async (fault) => {
    await using mock = await createMock();
    const { world } = mock;
    world.faults.add(fault);
    await world.fetch('/api/v1/deployments').then(
      (response) => response.text().catch(() => ''),
      () => '',
    );
    const response = await mock.fetch('/__admin/worlds/acme/requests');
    check('Journal', await response.json());
    expect(world.requests.last()?.fault).toMatchObject({ id: 'fault-1' });
  });
});
