/**
 * The contract of a world in the programs that people import it into. Their own converters make requests
 * of it; each of those must be accepted once a credential was filled in. They are found in the folder that
 * LOCKSTEP_IMPORTERS names: with all that they need they are too many for a development dependency.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contract } from '../../spec/contract.ts';
import { startMock } from '../kits/index.ts';

/** A request as a converter made it: an address, and a body as text. */
interface Imported {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}
/** From the text of a document to its requests. */
type Importer = (text: string) => Promise<readonly Imported[]>;

const folder = process.env.LOCKSTEP_IMPORTERS;
const load = createRequire(folder === undefined ? import.meta.url : `${folder}/package.json`);
// Converters return the input of their program; nobody publishes a type for it.
type Node = ReturnType<typeof JSON.parse>;

/** The values that a person types when a program asks for a variable. */
const variables = new Map(
  [...contract.operations.values()].flatMap(({ parameters }) =>
    parameters.map(({ name, example }) => [name, String(example)] as const),
  ),
);
const filled = (text: string, own: Readonly<Record<string, string>>) =>
  text.replaceAll(
    /\{\{ *([\w]+) *\}\}/g,
    (_all, name: string) => own[name] ?? variables.get(name) ?? '',
  );
const joined = (url: string, pairs: readonly (readonly [string, string])[]) =>
  pairs.length === 0 || url.includes('?') ? url : `${url}?${new URLSearchParams(pairs as never)}`;

const importers: Readonly<Record<string, Importer>> = {
  async Postman(text) {
    const { convertV2 } = load('openapi-to-postmanv2') as Node;
    const options = { requestParametersResolution: 'Example', parametersResolution: 'Example' };
    const { output } = await new Promise<Node>((done, fail) =>
      convertV2({ type: 'string', data: text }, options, (error: unknown, result: Node) =>
        result?.result === true ? done(result) : fail(error ?? new Error(result.reason)),
      ),
    );
    const { item, variable } = output[0].data;
    const own = Object.fromEntries(variable.map(({ key, value }: Node) => [key, value]));
    const below = (node: Node): Node[] =>
      node.item === undefined ? [node] : node.item.flatMap(below);
    return item.flatMap(below).map(({ request }: Node) => {
      const ids = new Map(request.url.variable.map(({ key, value }: Node) => [key, value]));
      const path = request.url.path.map((part: string) => ids.get(part.slice(1)) ?? part).join('/');
      const query = request.url.query.filter(({ disabled }: Node) => disabled !== true);
      const url = joined(
        `${own.baseUrl}/${path}`,
        query.map(({ key, value }: Node) => [key, value]),
      );
      return { method: request.method, url, body: request.body?.raw };
    });
  },
  async Bruno(text) {
    const { openApiToBruno } = load('@usebruno/converters') as Node;
    const { items, environments } = await openApiToBruno(parse(text));
    const pairs = environments[0].variables.map(({ name, value }: Node) => [name, value]);
    const own = Object.fromEntries(pairs);
    const below = (node: Node): Node[] =>
      node.items === undefined ? [node] : node.items.flatMap(below);
    return items.flatMap(below).map(({ request }: Node) => {
      const of = (type: string) =>
        request.params.filter((one: Node) => one.type === type && one.enabled);
      let path = filled(request.url, own);
      for (const { name, value } of of('path')) path = path.replace(`:${name}`, value);
      const url = joined(
        path,
        of('query').map(({ name, value }: Node) => [name, value]),
      );
      return { method: request.method, url, body: request.body.json ?? undefined };
    });
  },
  async Insomnia(text) {
    const { convert } = load('insomnia-importers') as Node;
    const { resources } = (await convert(text)).data;
    const { data } = resources.find(({ name }: Node) => name === 'OpenAPI env');
    const own = { base_url: `${data.scheme}://${data.host}${data.base_path}` };
    const requests = resources.filter(({ _type: type }: Node) => type === 'request');
    return requests.map(({ method, url, body, parameters }: Node) => {
      const query = parameters.filter(({ disabled }: Node) => disabled !== true);
      const address = joined(
        filled(url, own),
        query.map(({ name, value }: Node) => [name, value]),
      );
      return { method, url: address, body: body.text };
    });
  },
};

const started = startMock();
beforeAll(async () => void (await started));
afterAll(async () => (await started).close());

test('there are programs to import into', () => {
  const message = 'THE IMPORTS WERE NOT TESTED: LOCKSTEP_IMPORTERS names no folder with converters';
  if (folder === undefined) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  expect(folder !== undefined || process.env.CI !== 'true', message).toBe(true);
});

test.skipIf(folder === undefined).for(Object.entries(importers))(
  '%s: each imported request is accepted',
  async ([, requestsIn]) => {
    const mock = await started;
    const world = await mock.createWorld();
    for (const format of ['json', 'yaml']) {
      const address = `${mock.baseUrl}/__admin/worlds/${world.id}/contract.${format}`;
      const requests = await requestsIn(await (await fetch(address)).text());
      expect(requests).toHaveLength(contract.operations.size);
      for (const { method, url, body = null } of requests) {
        expect(url).toContain(`${mock.baseUrl}/w/${world.id}/`);
        const name = url.includes('/scim/') ? 'scim' : 'admin';
        const headers = {
          Authorization: `Bearer ${world.credentials[name]}`,
          'Content-Type': 'application/json',
        };
        const response = await fetch(url, { method, headers, body });
        expect(response.status, `${method} ${url} ${body} ${await response.text()}`).toBe(200);
      }
    }
  },
);
