/** Routes of the control API that belong to no world. */
import { readFileSync } from 'node:fs';
import type { HtmlPage } from '../../spec/base/html-page.ts';
import { hint, unlikeness } from '../../spec/base/similar.ts';
import { version } from '../../spec/base/version.ts';
import { contract } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import { fixtureNames, isFixtureName } from '../world/world-request.ts';
import { consoleFile, consoleFiles } from './console/console-page.ts';
import type { ContractFormat, Server } from './contract-text.ts';
import { exampleRequests } from './example-requests.ts';
import { type AdminCall, AdminError, type AdminRoutes, json, Reply, withBody } from './route.ts';

const WORLD = {
  id: 'text',
  fixture: 'fixture',
  fixtureText: 'text',
  parameters: 'object',
  clock: 'time',
  seed: 'integer',
  assumptions: 'object',
} as const;

/** The document is read at the first request, because parsing takes 30 ms. */
let document: Promise<string> | undefined;

export const serviceRoutes: AdminRoutes = {
  'GET /health': () => ({ name: 'lockstep', version, protocol: 1 }),
  'GET /version': () => ({ version, contract: contract.version, protocol: 1 }),
  'GET /ca.pem': ({ service }) => {
    const { authority } = service.options;
    if (authority === undefined) {
      throw new AdminError(404, 'This mock does not serve HTTPS; start it with --tls');
    }
    return new Reply(200, [authority], { 'Content-Type': 'application/x-pem-file' });
  },
  'GET /coverage': ({ service }) => service.coverage(),
  'GET /?*': () => pageReply(consoleFile('console.html')),
  'GET /console/{file}': ({ params: { file = '' } }) => {
    if (consoleFiles.includes(file)) return pageReply(consoleFile(file));
    throw new AdminError(404, `The console has no file ${file}`);
  },
  'GET /docs?*': async ({ service }) => {
    const { docsPage } = await import('./docs/docs.ts');
    return pageReply(docsPage(service.defaultWorld.events));
  },
  'GET /operations': () => ({ operations: exampleRequests }),
  'GET /statements': () => {
    const { sha256, statements } = contract;
    return { contract: sha256, statements: [...statements.values()] };
  },
  'GET /statements/{id}': ({ params: { id = '' } }) => {
    const statement = contract.statements.get(id);
    if (statement !== undefined) return statement;
    // All ids of an area are similar, so only the same id in another case counts as near.
    const same = [...contract.statements.keys()].find((known) => unlikeness(known, id) === 0);
    const instead = same === undefined ? '/__admin/statements lists all' : `${same} is`;
    throw new AdminError(404, `The statement ${id} is not known; ${instead}`);
  },
  'GET /openapi.json': async () => {
    document ??= import('yaml').then(({ parse }) =>
      JSON.stringify(parse(readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8'))),
    );
    return new Reply(200, await document, { 'Content-Type': 'application/json; charset=utf-8' });
  },
  'GET /contract.json': (call) => contractReply('json', anyWorld(call)),
  'GET /contract.yaml': (call) => contractReply('yaml', anyWorld(call)),
  'POST /reset?reload': async ({ service, query }) => {
    if (query.has('reload')) await service.reload();
    service.reset();
    return { worlds: [...service.worlds.keys()] };
  },
  'GET /worlds': ({ service }) => ({
    worlds: [...service.worlds.values()].map((world) => ({
      id: world.id,
      fixture: world.fixture.name,
      now: new Date(world.clock.now()).toISOString(),
      requests: world.journal.recorded,
      default: world === service.defaultWorld,
      altered: world.altered,
    })),
  }),
  'POST /worlds': withBody(WORLD, async (call) => {
    const { fixture } = call.body;
    if (typeof fixture === 'string' && !isFixtureName(fixture)) {
      const found = `found ${JSON.stringify(fixture)}${hint(fixture, fixtureNames)}`;
      throw new AdminError(
        400,
        `fixture: expected a bundled name (${fixtureNames.join(', ')}), or the fixture itself as an object: ${found}. Files are for lockstep mock --fixture`,
      );
    }
    return json(201, describeWorld(call, await call.service.createWorld(call.body)));
  }),
};

function pageReply({ html, headers }: HtmlPage): Reply {
  return new Reply(200, [html], { ...headers });
}

/** The contract with servers of its own. */
export async function contractReply(
  format: ContractFormat,
  servers: readonly Server[],
): Promise<Reply> {
  const { contractText } = await import('./contract-text.ts');
  const headers = { 'Content-Type': `application/${format}; charset=utf-8` };
  return new Reply(200, contractText(format, servers), headers);
}

/** The mock, in which a credential names the world; or the path does. */
function anyWorld({ request, service }: AdminCall): Server[] {
  const url = addressOf(request);
  const world = { default: service.defaultWorld.id };
  return [
    { url, description: 'A mock of Lockstep. The credential names the world.' },
    { url: `${url}/w/{world}`, description: 'One world of it.', variables: { world } },
  ];
}

function addressOf({ secure, headers: { host = 'localhost' } }: AdminCall['request']): string {
  return `${secure === true ? 'https' : 'http'}://${host}`;
}

/** The addresses and credentials that a client needs to use a world. */
export function describeWorld(
  { request }: Pick<AdminCall, 'request'>,
  world: World,
): Record<string, unknown> {
  const baseUrl = addressOf(request);
  return {
    id: world.id,
    baseUrl,
    prefixedBaseUrl: `${baseUrl}/w/${world.id}`,
    credentials: world.credentials,
    bindings: world.bindings,
    features: world.state.base.features,
    actors: actorsOf(world),
  };
}

/** The actor of each credential, in the form of a tenant file. */
function actorsOf(world: World): Record<string, unknown> {
  const { credentials, users } = world.state.tables;
  return Object.fromEntries(
    credentials.rows().map(({ name, userId, deployments }) => {
      const user = userId === null ? undefined : users.get(userId);
      const rights =
        user === undefined
          ? {}
          : {
              role: user.admin ? 'admin' : 'member',
              auditLogManage: user.auditLogManage,
              ...(user.edits === 'all' ? {} : { edits: user.edits }),
            };
      return [name, { ...rights, ...(deployments === null ? {} : { deployments }) }];
    }),
  );
}
