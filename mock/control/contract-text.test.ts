/** The contract at an address: whole, with the address of the mock as its server, and with examples that the mock accepts. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exampleRequests } from './example-requests.ts';
import { control } from './testing/control.ts';

const { mock, worldWith } = await control();

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

async function read(path: string) {
  const response = await mock.fetch(path, { headers: { Host: 'mock.localhost:4010' } });
  return { type: response.headers.get('content-type'), text: await response.text() };
}

test.for(['/__admin/contract', '/__admin/worlds/acme/contract'])('%s', async (address) => {
  const json = await read(`${address}.json`);
  const yaml = await read(`${address}.yaml`);
  expect(json.type).toMatch(/^application\/json/);
  expect(yaml.type).toMatch(/^application\/yaml/);
  const document = JSON.parse(json.text) as Document;
  expect(parse(yaml.text)).toEqual(document);
  expect(document.openapi).toBe('3.1.0');
  const below = address.includes('worlds') ? '/w/acme' : '';
  expect(document.servers[0]?.url).toBe(`http://mock.localhost:4010${below}`);
});

test('its first server is the world, and there each example is accepted', async () => {
  const { world, get } = await worldWith();
  const { body } = await get('/contract.json');
  const { servers, paths } = body as Document;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  expect(operations).toHaveLength(exampleRequests.length);
  for (const { method, path, body: sent } of exampleRequests) {
    const as = path.includes('scim') ? 'scim' : 'admin';
    const init = { method, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) };
    const response = await world.fetchAs(as)(`${servers[0]?.url}${path}`, init);
    expect(response.status, `${method} ${path}`).toBe(200);
  }
});
