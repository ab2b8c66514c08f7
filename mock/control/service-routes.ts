/** Routes of the control API that belong to no world. */
import { readFileSync } from 'node:fs';
import { unlikeness } from '../../spec/base/similar.ts';
import { version } from '../../spec/base/version.ts';
import { contract } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import type { WorldRequest } from '../world/world-request.ts';
import { consolePage } from './console/console-page.ts';
import type { Controlled } from './controlled.ts';
import { docsPage } from './docs/docs.ts';
import type { HtmlPage } from './page.ts';
import {
  type AdminAnswer,
  type AdminCall,
  AdminError,
  type AdminHandler,
  type Routes,
} from './route.ts';

export const serviceRoutes: Routes<AdminHandler> = {
  'GET /health': () => ({ status: 200, body: { name: 'lockstep', version, protocol: 1 } }),
  'GET /version': () => ({
    status: 200,
    body: { version, contract: contract.version, protocol: 1 },
  }),
  'GET /ca.pem': ({ service }) => {
    const { authority } = service.options;
    if (authority === undefined) {
      throw new AdminError(404, 'This mock does not serve HTTPS; start it with --tls');
    }
    return {
      status: 200,
      headers: { 'Content-Type': 'application/x-pem-file' },
      stream: [authority],
    };
  },
  'GET /coverage': ({ service }) => ({ status: 200, body: service.coverage() }),
  'GET /': () => pageAnswer(consolePage()),
  'GET /docs': async () => pageAnswer(await docsPage()),
  'GET /statements': () => ({
    status: 200,
    body: { contract: contract.sha256, statements: [...contract.statements.values()] },
  }),
  'GET /statements/:id': ({ params: { id = '' } }) => {
    const statement = contract.statements.get(id);
    if (statement !== undefined) return { status: 200, body: statement };
    // Ids of one area are like each other: only the same one in other letters is near.
    const same = [...contract.statements.keys()].find((known) => unlikeness(known, id) === 0);
    const instead = same === undefined ? '/__admin/statements lists all' : `${same} is`;
    throw new AdminError(404, `The statement ${id} is not known; ${instead}`);
  },
  'GET /openapi.json': async () => {
    const { parse } = await import('yaml');
    const text = readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8');
    return { status: 200, body: parse(text) as unknown };
  },
  'POST /reset': ({ service }) => {
    service.reset();
    return { status: 200, body: { worlds: [...service.worlds.keys()] } };
  },
  'GET /worlds': ({ service }) => ({
    status: 200,
    body: {
      worlds: [...service.worlds.values()].map((world) => ({
        id: world.id,
        fixture: world.fixture,
        now: new Date(world.clock.now()).toISOString(),
        requests: world.journal.recorded,
      })),
    },
  }),
  'POST /worlds': async (call) => {
    const world = await call.service.createWorld(readWorldRequest(call));
    return { status: 201, body: describeWorld(call, world) };
  },
};

function pageAnswer({ html, headers }: HtmlPage): AdminAnswer {
  return { status: 200, headers: { ...headers }, stream: [html] };
}

/** What a client needs to use a world. */
export function describeWorld(
  { service, request }: Pick<AdminCall, 'service' | 'request'>,
  world: World,
): Record<string, unknown> {
  const baseUrl = `${request.secure === true ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
  return {
    id: world.id,
    baseUrl,
    prefixedBaseUrl: `${baseUrl}/w/${world.id}`,
    credentials: world.credentials,
    bindings: bindingsFor(service, world),
    features: world.state.base.features,
    actors: actorsOf(world),
  };
}

/** What a tenant file would say of each credential. */
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

export function bindingsFor(service: Controlled, world: World): Record<string, unknown> {
  return service.fixtureOf(world).bindings(world.startedAt);
}

function readWorldRequest({ body }: AdminCall): WorldRequest {
  const { id, fixture, parameters, clock, seed, assumptions } = body;
  expect(id, 'id', 'string');
  expect(clock, 'clock', 'string');
  expect(parameters, 'parameters', 'object');
  expect(assumptions, 'assumptions', 'object');
  if (
    fixture !== undefined &&
    typeof fixture !== 'string' &&
    (typeof fixture !== 'object' || fixture === null)
  ) {
    throw new AdminError(400, 'fixture must be the name of a fixture or a fixture itself');
  }
  if (typeof fixture === 'string' && /[/\\]|\.ya?ml$/.test(fixture)) {
    throw new AdminError(
      400,
      'fixture must be a bundled name or the fixture itself; files are for --fixture',
    );
  }
  if (seed !== undefined && !Number.isInteger(seed))
    throw new AdminError(400, 'seed must be an integer');
  return { id, fixture, parameters, clock, seed, assumptions } as WorldRequest;
}

function expect(value: unknown, name: string, type: 'string' | 'object'): void {
  const fits =
    type === 'string' ? typeof value === 'string' : value !== null && typeof value === 'object';
  if (value !== undefined && !fits)
    throw new AdminError(400, `${name} must be a${type === 'object' ? 'n' : ''} ${type}`);
}
