/**
 * A small service of its own over node:http, for the tests of the runner: just enough of the
 * description to write, read, refuse, throttle and fail. It shares nothing with the mock.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeState {
  readonly folder: {
    id: number;
    deploymentId: number;
    name: string;
    position: number;
    type: string;
  };
  readonly branch: {
    id: number;
    name: string;
    parentBranch: string;
    lastHash: string;
    isStagingEnvironmentEnabled: boolean;
  };
  version: string;
}

export interface FakeService {
  readonly baseUrl: string;
  readonly state: FakeState;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** Answers before the service does; undefined lets it pass. */
  intercept: ((request: IncomingMessage, count: number) => Intercepted | undefined) | undefined;
  /** Gives the body that an answer has instead of the service's own. */
  amend: ((request: IncomingMessage, body: unknown) => unknown) | undefined;
  close(): Promise<void>;
}

export interface Intercepted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Answers as it likes. */
  readonly raw?: (response: ServerResponse) => void;
  /** Cuts the connection instead of answering. */
  readonly cut?: boolean;
  /** Serves the request, but the answer never comes. */
  readonly hang?: 'before' | 'after';
}

export const secrets = { admin: 'adminsecret-1234567890', scim: 'scimsecret-0987654321' };
export const signature = 'c2lnbmF0dXJlLW9mLXRoZS1taW50ZWQtdG9rZW4';

export const tenantYaml = (baseUrl: string): string => `
baseUrl: ${baseUrl}
credentials:
  admin: { env: FAKE_ADMIN, role: admin }
  scim: { env: FAKE_SCIM }
bindings:
  deployment: { id: "1" }
  environment: { id: "201" }
  sharedBranch: { id: 102, name: shared }
  folder: { id: 11 }
  notification: { id: 31 }
  versions: { mayRun: ["1.0.0", "1.1.0"] }
  recipients: { users: [{ userId: 2 }] }
`;
export const env = { FAKE_ADMIN: secrets.admin, FAKE_SCIM: secrets.scim };

export async function startFake(deployments = 25): Promise<FakeService> {
  const state: FakeState = {
    folder: { id: 11, deploymentId: 1, name: 'Finance', position: 2, type: 'FOLDER' },
    branch: {
      id: 102,
      name: 'shared',
      parentBranch: 'main',
      lastHash: 'abc',
      isStagingEnvironmentEnabled: false,
    },
    version: '1.0.0',
  };
  const requests: string[] = [];
  const service: Omit<FakeService, 'baseUrl' | 'close'> = {
    state,
    requests,
    intercept: undefined,
    amend: undefined,
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      requests.push(`${request.method} ${request.url}`);
      const found = service.intercept?.(request, requests.length);
      if (found?.cut === true) return request.socket.destroy();
      if (found?.raw !== undefined) return found.raw(response);
      if (found?.hang === 'before') return;
      if (found?.status !== undefined)
        return send(response, found.status, found.body ?? { error: 'no' }, found.headers);
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const answer = serve(state, deployments, request, body);
      if (found?.hang === 'after') return;
      const amended = service.amend?.(request, answer.body) ?? answer.body;
      send(response, answer.status, amended);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
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
  request: IncomingMessage,
  body: unknown,
): { status: number; body: unknown } {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const authorization = request.headers.authorization;
  const known = url.pathname.startsWith('/api/scim') ? secrets.scim : secrets.admin;
  if (authorization !== `Bearer ${known}`) return { status: 401, body: { error: 'no credential' } };
  const input = (body ?? {}) as Record<string, unknown>;
  const page = <T>(items: readonly T[]): { items: readonly T[]; pagination: unknown } => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? 20);
    return {
      items: items.slice(offset, offset + limit),
      pagination: { offset, limit, total: items.length },
    };
  };
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /api/v1/deployments': {
      const all = Array.from({ length: deployments }, (_, index) => ({
        id: String(index + 1),
        name: `d${index + 1}`,
        created_at: '2026-01-01T00:00:00.000Z',
      }));
      const { items, pagination } = page(all);
      return { status: 200, body: { data: { deployments: items }, pagination } };
    }
    case 'GET /api/v1/deployments/1/environments': {
      const api_credentials = {
        rest: { url: 'https://x.example/v1' },
        sql: { host: 'x', port: 1 },
      };
      const all = [{ id: '201', name: 'production', type: 'production', api_credentials }];
      if (state.branch.isStagingEnvironmentEnabled) {
        all.push({ id: '202', name: 'shared', type: 'staging', api_credentials });
      }
      const { items, pagination } = page(all);
      return { status: 200, body: { data: { environments: items }, pagination } };
    }
    case 'GET /build/api/v1/deployments/1/branches':
      return { status: 200, body: { data: [state.branch] } };
    case 'PUT /build/api/v1/deployments/1/branches/staging-environment':
      state.branch.isStagingEnvironmentEnabled = input.enabled === true;
      return { status: 200, body: { data: state.branch } };
    case 'PUT /api/v1/deployments/1/folders/11':
      if (typeof input.name === 'string') state.folder.name = input.name;
      if (typeof input.position === 'number') state.folder.position = input.position;
      return { status: 200, body: state.folder };
    case 'GET /api/v1/deployments/1/versions':
      return {
        status: 200,
        body: {
          data: ['1.0.0', '1.1.0'].map((version) => ({
            releaseChannelVersion: `registry/x:v${version}`,
            version,
            releaseChannel: 'latest',
            isLatestInChannel: version === '1.1.0',
            isCurrent: version === state.version,
          })),
        },
      };
    case 'PUT /api/v1/deployments/1':
      state.version = String(input.releaseChannelVersion).replace(/^.*:?v/, '');
      return { status: 200, body: {} };
    case 'POST /api/v1/deployments/1/environments/201/tokens-for-meta-sync': {
      const part = (value: unknown): string =>
        Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = `${part({ alg: 'EdDSA' })}.${part({ context: input.security_context })}.${signature}`;
      return {
        status: 200,
        body: {
          data: { token, created_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-02T00:00:00Z' },
        },
      };
    }
    default:
      return { status: 404, body: { error: `nothing at ${url.pathname}` } };
  }
}
