/** Patience: 429, gateways, broken connections, and credentials that stop working. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { version } from '../../spec/base/version.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';
import { entriesOf } from './evidence.ts';
import { retryAfter } from './pace.ts';

const read = `
scenario: Read
effect: none
steps: [{ id: list, as: admin, call: listDeployments, query: { limit: 5 }, checks: { PAGE-2: { status: 200 } } }]
`;
const rename = `
scenario: Rename
effect: reversible
steps:
  - id: rename
    as: admin
    call: updateFolder
    path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }
    body: { name: "lockstep-{run.id}" }
    checks: { FOLDER-2: { status: 200 } }
`;
const isList = (url: string | undefined): boolean => url === '/api/v1/deployments?limit=5';
const isFolder = (url: string | undefined): boolean => url?.endsWith('/folders/11') === true;

test.concurrent('429 is waited for, with Retry-After and without, on writes as well', async ({
  service,
}) => {
  const left = new Map([
    ['list', 2],
    ['folder', 1],
  ]);
  service.intercept = (request) => {
    const key = isList(request.url) ? 'list' : isFolder(request.url) ? 'folder' : '';
    const more = left.get(key) ?? 0;
    left.set(key, more - 1);
    if (more <= 0) return undefined;
    return { status: 429, ...(key === 'list' ? { headers: { 'retry-after': '0.05' } } : {}) };
  };
  const ran = await runYaml(service, [read, rename]);
  expect(ran.report?.requests.throttled).toBe(3);
  expect(ran.checks('PAGE-2')[0]?.verdict).toBe('verified');
  expect(ran.checks('FOLDER-2')[0]?.verdict).toBe('verified');
  expect(ran.exitCode).toBe(0);
  const waits = ran.progress.filter((event) => event.type === 'waiting');
  expect(waits.map(({ reason }) => reason)).toEqual(Array(3).fill('the target answered 429'));
  expect(waits.map(({ milliseconds }) => milliseconds)).toContain(50);
});

test.concurrent('a read is sent again if a gateway answers; if that persists, nothing is judged', async ({
  service,
}) => {
  let left = 1;
  service.intercept = (request) =>
    isList(request.url) && left-- > 0
      ? { status: 503, headers: { 'retry-after': '0' }, body: 'busy' }
      : undefined;
  expect((await runYaml(service, [read])).checks('PAGE-2')[0]?.verdict).toBe('verified');
  service.intercept = (request) =>
    isList(request.url)
      ? { status: 503, headers: { 'retry-after': '1000' }, body: '<html>' }
      : undefined;
  const ran = await runYaml(service, [read]);
  expect(ran.checks('PAGE-2')[0]).toMatchObject({
    verdict: 'not-testable',
    reason: 'a gateway answered 503',
  });
  expect(ran.exitCode).toBe(4);
});

test.concurrent('a request names Lockstep and itself, and the evidence has the same name', async ({
  service,
}) => {
  const ids: string[] = [];
  service.intercept = ({ headers }) => {
    expect(headers['user-agent']).toBe(`lockstep/${version}`);
    ids.push(String(headers['x-request-id']));
    return undefined;
  };
  const { evidence } = await runYaml(service, [read]);
  expect(ids.length).toBeGreaterThan(0);
  const kept = (evidence ?? []).map(({ text }) => text).join('\n');
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^lockstep-.+-\d+$/);
    expect(kept).toContain(id);
  }
});

test.concurrent("the service's own 500 is judged", async ({ service }) => {
  service.intercept = (request) => (isList(request.url) ? { status: 500 } : undefined);
  const ran = await runYaml(service, [read]);
  expect(ran.checks('PAGE-2')[0]).toMatchObject({ verdict: 'violated', actual: 500 });
  expect(ran.exitCode).toBe(1);
});

test.concurrent('a broken connection is tried again on reads', async ({ service }) => {
  let left = 2;
  service.intercept = (request) => (isList(request.url) && left-- > 0 ? { cut: true } : undefined);
  expect((await runYaml(service, [read])).checks('PAGE-2')[0]?.verdict).toBe('verified');
});

test.concurrent.for([
  [1, 'verified', 0],
  [6, 'not-testable', 4],
] as const)(
  'a write whose connection breaks is not sent again; its scenario begins again, up to six times (%i)',
  async ([broken, verdict, exitCode], { service }) => {
    let writes = 0;
    service.intercept = ({ url, headers }) => {
      // An update that sends nothing reads the folder.
      if (!isFolder(url) || headers['content-length'] === '2') return undefined;
      // The first write is the mark of the run.
      return ++writes > 1 && writes <= broken + 1 ? { cut: true } : undefined;
    };
    const ran = await runYaml(service, [rename]);
    expect(ran.checks('FOLDER-2')[0]?.verdict).toBe(verdict);
    expect(ran.exitCode).toBe(exitCode);
  },
);

test.concurrent('a target that does not answer at all exits 4, with one line that says so', async ({
  service,
}) => {
  service.intercept = () => ({ cut: true });
  const ran = await runYaml(service, [read]);
  expect(ran.exitCode).toBe(4);
  expect(ran.report).toBeUndefined();
  expect(ran.message).toMatch(/^nothing was tested: no answer: /);
});

test.concurrent('a credential that stops working in mid-run is probed again before its 401 is judged', async ({
  service,
}) => {
  const later = read.replace('scenario: Read', 'scenario: Later').replace('limit: 5', 'limit: 6');
  let gone = false;
  service.intercept = (request) => {
    if (request.url?.includes('limit=6') === true) gone = true;
    return gone ? { status: 401 } : undefined;
  };
  const ran = await runYaml(service, [read, later], { jobs: 1, seed: 1 });
  expect(ran.checks('PAGE-2').map((check) => check.reason)).toContain(
    'the credential admin stopped working during the run',
  );
  expect(ran.exitCode).toBe(4);
});

test.concurrent('a wanted refusal is not doubted so soon after the credential was served', async ({
  service,
}) => {
  const refused = (path: string): boolean => path.includes('/deployments/2/environments');
  service.intercept = ({ url = '' }) => (refused(url) ? { status: 403 } : undefined);
  const beyond = `
scenario: Beyond
steps:
  - id: beyond
    as: admin
    forEach: { page: { from: [1, 2, 3] } }
    call: listEnvironments
    path: { deployment_id: "2" }
    query: { limit: "{page}" }
    checks: { AUTH-8: 403 }
`;
  const probes = async (yaml: string): Promise<number> => {
    const { evidence = [] } = await runYaml(service, [yaml]);
    const entries = evidence.flatMap(({ text }) => entriesOf(text));
    return entries.filter(({ _lockstep }) => _lockstep.kind === 'probe').length;
  };
  expect(await probes(beyond)).toBeLessThanOrEqual(1);
  expect(await probes(beyond.replace('AUTH-8: 403', 'AUTH-8: 200'))).toBeGreaterThanOrEqual(3);
});

test.concurrent('a 401 for one call alone is judged', async ({ service }) => {
  const other = read.replace('scenario: Read', 'scenario: Other').replace('limit: 5', 'limit: 6');
  service.intercept = (request) =>
    request.url?.includes('limit=6') === true ? { status: 401 } : undefined;
  const ran = await runYaml(service, [read, other], { jobs: 1, seed: 1 });
  expect(ran.exitCode).toBe(1);
});

test('Retry-After in seconds and as a date', () => {
  const headers = (value: string): { headers: Record<string, string> } => ({
    headers: { 'retry-after': value },
  });
  expect(retryAfter(headers('3'))).toBe(3000);
  expect(retryAfter(headers('Thu, 01 Jan 2026 00:00:05 GMT'), Date.UTC(2026, 0, 1))).toBe(5000);
  expect(retryAfter(headers('soon'))).toBeUndefined();
  expect(retryAfter({ headers: {} })).toBeUndefined();
});

test.concurrent('a read that is served only when it is sent again is told', async ({ service }) => {
  let left = 1;
  service.intercept = (request) =>
    isList(request.url) && left-- > 0 ? { status: 500 } : undefined;
  const ran = await runYaml(service, [read]);
  expect(ran.checks('PAGE-2')[0]?.verdict).toBe('verified');
  expect(ran.report?.warnings).toContain(
    'listDeployments was answered 500 and served when it was sent again: 1 times',
  );
});

test.concurrent('a call that never ends is given up, and the rest is tried', async ({
  service,
}) => {
  service.intercept = (request) =>
    isList(request.url)
      ? {
          raw: (response) => {
            response.writeHead(200, { 'content-type': 'application/json' });
            const drip = setInterval(() => response.write(' '), 50);
            response.on('close', () => clearInterval(drip));
          },
        }
      : undefined;
  const ran = await runYaml(service, [read, rename], { callMs: 500 });
  expect(ran.checks('PAGE-2')[0]?.reason).toContain('no whole answer came within 0.5 s');
  expect(ran.checks('FOLDER-2')[0]?.verdict).toBe('verified');
  expect(ran.exitCode).toBe(4);
});

test.concurrent('a run ends when its time is over, and its changes are put back', async ({
  service,
}) => {
  service.intercept = (request) => (isList(request.url) ? { hang: 'before' } : undefined);
  const ran = await runYaml(service, [rename, read], { deadlineMs: 2000 });
  expect(ran.checks('PAGE-2')[0]?.reason).toContain('the run took longer than');
  expect(service.state.folder.name).toBe('Finance');
});

test.concurrent('a folder that cannot be written is refused before the run', async ({
  service,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const out = join(folder, 'tenant.yaml', 'out');
  const ran = await runYaml(service, [read], { out }, folder);
  expect(ran).toMatchObject({ exitCode: 2, message: expect.stringContaining('cannot be written') });
  expect(service.requests).toEqual([]);
});
