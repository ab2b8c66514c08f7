/**
 * A small independent service over node:http, for the tests of the runner. It implements just enough of the
 * description to write, read, refuse, throttle and fail. It shares no code with the mock.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../spec/base/json.ts';

const firstState = () => ({
  folder: { id: 11, deploymentId: 1, name: 'Finance', position: 2, type: 'FOLDER' },
  branch: {
    ...{ id: 102, name: 'shared', parentBranch: 'main', lastHash: 'abc' },
    isStagingEnvironmentEnabled: false,
  },
  version: '1.0.0',
});
type FakeState = ReturnType<typeof firstState>;

export interface FakeService {
  readonly baseUrl: string;
  readonly state: FakeState;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** Answers in place of the service; if it returns undefined, the service answers. */
  intercept: ((request: IncomingMessage, count: number) => Intercepted | undefined) | undefined;
  /** Returns a body to send in place of the service's own. */
  amend: ((request: IncomingMessage, body: unknown) => unknown) | undefined;
  close(): Promise<void>;
}

export interface Intercepted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Answers without the rules of the service. */
  readonly raw?: (response: ServerResponse) => void;
  /** Cuts the connection instead of answering. */
  readonly cut?: boolean;
  /** Serves the request, but the answer never comes. */
  readonly hang?: 'before' | 'after';
}

export const secrets = { admin: 'adminsecret-1234567890', scim: 'scimsecret-0987654321' };
export const signature = 'c2lnbmF0dXJlLW9mLXRoZS1taW50ZWQtdG9rZW4';

/** `folder`: binds it, so that a run that writes keeps its mark there. */
export const tenantYaml = (baseUrl: string, folder = true): string => `
baseUrl: ${baseUrl}
credentials:
  admin: { env: FAKE_ADMIN, role: admin }
  scim: { env: FAKE_SCIM }
bindings:
  deployment: { id: "1" }
  environment: { id: "201" }
  sharedBranch: { id: 102, name: shared }
  ${folder ? 'folder: { id: 11 }' : '# no folder'}
  notification: { id: 31 }
  versions: { mayRun: ["1.0.0", "1.1.0"] }
  recipients: { users: [{ userId: 2 }] }
`;
export const env = { FAKE_ADMIN: secrets.admin, FAKE_SCIM: secrets.scim };

export async function startFake(deployments = 25): Promise<FakeService> {
  const service: FakeService = {
    baseUrl: '',
    state: firstState(),
    requests: [],
    intercept: undefined,
    amend: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const sent = await text(request).catch(() => '');
    service.requests.push(`${request.method} ${request.url}`);
    const found = service.intercept?.(request, service.requests.length);
    if (found?.cut === true) return request.socket.destroy();
    if (found?.raw !== undefined) return found.raw(response);
    if (found?.hang === 'before') return;
    if (found?.status !== undefined)
      return send(response, found.status, found.body ?? { error: 'no' }, found.headers);
    const input: JsonObject = sent === '' ? {} : JSON.parse(sent);
    const { status, body } = serve(service.state, deployments, request, input);
    if (found?.hang === 'after') return;
    send(response, status, service.amend?.(request, body) ?? body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, { baseUrl: `http://127.0.0.1:${port}` });
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function serve(
  state: FakeState,
  deployments: number,
  { method, url = '/', headers }: IncomingMessage,
  input: JsonObject,
): { status: number; body: unknown } {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const known = pathname.startsWith('/api/scim') ? secrets.scim : secrets.admin;
  if (headers.authorization !== `Bearer ${known}`)
    return { status: 401, body: { error: 'no credential' } };
  const page = (name: string, all: readonly object[]) => {
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 20);
    const data = { [name]: all.slice(offset, offset + limit) };
    return { data, pagination: { offset, limit, total: all.length } };
  };
  const answer = answers[`${method} ${pathname}`];
  if (answer === undefined) return { status: 404, body: { error: `nothing at ${pathname}` } };
  return { status: 200, body: answer(state, input, page, deployments) };
}

type Answering = (
  state: FakeState,
  input: JsonObject,
  page: (name: string, all: readonly object[]) => object,
  deployments: number,
) => unknown;

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const created_at = '2026-01-01T00:00:00.000Z';

const answers: Readonly<Record<string, Answering>> = {
  'GET /api/v1/deployments': (_state, _input, page, deployments) =>
    page(
      'deployments',
      Array.from({ length: deployments }, (_, at) => ({
        ...{ id: String(at + 1), name: `d${at + 1}`, created_at },
      })),
    ),
  'GET /api/v1/deployments/1/environments': ({ branch }, _input, page) => {
    const rest = { url: 'https://x.example/v1' };
    const api_credentials = { rest, sql: { host: 'x', port: 1 } };
    const production = { id: '201', name: 'production', type: 'production', api_credentials };
    const staging = { id: '202', name: 'shared', type: 'staging', api_credentials };
    return page(
      'environments',
      branch.isStagingEnvironmentEnabled ? [production, staging] : [production],
    );
  },
  'GET /build/api/v1/deployments/1/branches': ({ branch }) => ({ data: [branch] }),
  'PUT /build/api/v1/deployments/1/branches/staging-environment': ({ branch }, { enabled }) => {
    branch.isStagingEnvironmentEnabled = enabled === true;
    return { data: branch };
  },
  'PUT /api/v1/deployments/1/folders/11': ({ folder }, { name, position }) => {
    if (typeof name === 'string') folder.name = name;
    if (typeof position === 'number') folder.position = position;
    return folder;
  },
  'GET /api/v1/deployments/1/versions': (state) => ({
    data: ['1.0.0', '1.1.0'].map((version) => ({
      releaseChannelVersion: `registry/x:v${version}`,
      version,
      releaseChannel: 'latest',
      isLatestInChannel: version === '1.1.0',
      isCurrent: version === state.version,
    })),
  }),
  'PUT /api/v1/deployments/1': (state, { releaseChannelVersion }) => {
    state.version = String(releaseChannelVersion).replace(/^.*:?v/, '');
    return {};
  },
  'POST /api/v1/deployments/1/environments/201/tokens-for-meta-sync': (
    _state,
    { security_context: context },
  ) => {
    const token = `${encoded({ alg: 'EdDSA' })}.${encoded({ context })}.${signature}`;
    return { data: { token, created_at, expires_at: '2026-01-02T00:00:00Z' } };
  },
};
