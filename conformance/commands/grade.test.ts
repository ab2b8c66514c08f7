import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Redactor } from '../../spec/base/redactor.ts';
import { watchFacts } from '../areas/watch.ts';
import { grade } from './grade.ts';
import { startProxy } from './proxy.ts';
import type { WatchedOptions } from './watch-target.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const page = {
  data: { deployments: [{ id: '1', name: 'Sales', created_at: '2026-01-05T09:30:00.000Z' }] },
  pagination: { offset: 0, limit: 20, total: 1 },
};
const url = 'https://acme.example.com/api/v1/deployments';

interface Entry {
  readonly url?: string;
  readonly headers?: readonly object[];
  readonly status?: number;
  readonly content?: object;
  readonly more?: object;
}

/** An entry as a browser writes it. */
const entryOf = ({ url: own = url, headers = [], status = 200, content, more }: Entry = {}) => ({
  startedDateTime: '2026-11-26T08:00:00.000Z',
  time: 12,
  request: {
    method: 'GET',
    url: own,
    httpVersion: 'HTTP/2.0',
    headers,
    queryString: [],
    bodySize: 0,
  },
  response: {
    ...{ status, headers: [{ name: 'Content-Type', value: 'application/json' }] },
    content: content ?? { size: 1, mimeType: 'application/json', text: JSON.stringify(page) },
  },
  ...more,
});

/** Grades a file of entries, or of a text. */
function graded(
  entries: readonly object[] | string,
  options: WatchedOptions & { yaml?: string; creator?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-grade-'));
  folders.push(folder);
  const { yaml, creator = 'WebInspector', ...rest } = options;
  const log = { version: '1.2', creator: { name: creator, version: '1' }, entries };
  writeFileSync(
    join(folder, 'traffic.har'),
    typeof entries === 'string' ? entries : JSON.stringify({ log }),
  );
  if (yaml !== undefined) writeFileSync(join(folder, 'tenant.yaml'), yaml);
  const [warnings, told] = [[], []] as [string[], string[]];
  const done = grade(
    'traffic.har',
    { ...rest, tenant: yaml === undefined ? undefined : 'tenant.yaml' },
    {
      ...{ env: {}, cwd: folder, version: '0', redactor: new Redactor(), facts: watchFacts },
      onWarning: (text) => warnings.push(text),
      onViolation: (text) => told.push(text),
    },
  );
  return { ...done, warnings, told };
}

test('a file that keeps every promise ends 0', () => {
  const { report, told } = graded([entryOf()]);
  expect([told, report.exitCode, report.requests.total]).toEqual([[], 0, 1]);
});

test('a base64 body, names as of HTTP/2 and its pseudo headers are read', () => {
  const text = Buffer.from(JSON.stringify({ ...page, pagination: {} })).toString('base64');
  const headers = [
    { name: ':authority', value: 'acme.example.com' },
    { name: 'authorization', value: 'Bearer abcdefgh' },
  ];
  const { told } = graded([entryOf({ headers, content: { size: 9, text, encoding: 'base64' } })]);
  expect(told.join()).toContain('PAGE-3');
});

test('a header that a recorder left decoded is not decoded again', () => {
  const entry = entryOf();
  const packed = [...entry.response.headers, { name: 'content-encoding', value: 'br' }];
  const { report } = graded([{ ...entry, response: { ...entry.response, headers: packed } }]);
  expect(report.warnings.join()).not.toContain('Content-Encoding');
});

test('data that a browser removed from its HAR file proves nothing', () => {
  // A browser leaves Authorization and cookies out by default.
  const { told, report } = graded([
    entryOf({ content: { size: 900 } }),
    entryOf({ headers: [{ name: 'Authorization', value: '' }] }),
  ]);
  expect(told).toEqual([]);
  const said = report.warnings.join('\n');
  expect(said).toContain('does not hold the body of the answer');
  expect(said).toContain('the caller is hidden');
});

test('other hosts, other paths, cached and blocked entries are passed over and counted', () => {
  const { warnings, report } = graded([
    entryOf(),
    entryOf({ url: 'https://cdn.example.com/app.js' }),
    entryOf({ url: 'https://cdn.example.com/api.js' }),
    entryOf({ url: 'https://acme.example.com/app' }),
    entryOf({ more: { _fromCache: 'disk' } }),
    entryOf({ status: 0 }),
    entryOf({ status: -1 }),
  ]);
  expect(report.requests.total).toBe(1);
  expect(warnings).toEqual([
    'traffic.har: 2 entries passed over: another host',
    'traffic.har: 1 entries passed over: a path that is not of the service',
    'traffic.har: 1 entries passed over: answered from a cache',
    'traffic.har: 2 entries passed over: blocked, or not answered',
  ]);
});

test('our own evidence names its callers, by the names in the tenant file', () => {
  const yaml = `
baseUrl: https://acme.example.com
credentials: { expired: { env: LOCKSTEP_EXPIRED_KEY } }
`;
  const headers = [{ name: 'authorization', value: 'Bearer {expired}' }];
  const { told } = graded([entryOf({ headers })], { yaml, creator: 'lockstep' });
  expect(told.join()).toContain('AUTH-4 at /status');
});

test.for<[what: string, text: string, message: string]>([
  [
    'no JSON',
    '{"log": {\n  "entries": [x',
    'traffic.har: it is not JSON from line 2, column 15 on; export the traffic as HAR 1.2 again',
  ],
  ['no HAR', '{"log": {}}', 'traffic.har: /log/entries is not a list'],
  [
    'a broken entry',
    '{"log": {"entries": [{"request": {}}]}}',
    'traffic.har: /log/entries/0/request has no method and url; take the entry out',
  ],
  [
    'no time',
    '{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.example/"}, "response": {}}]}}',
    '/log/entries/0/startedDateTime is not a time',
  ],
  [
    'nothing of the service',
    '{"log": {"entries": []}}',
    "traffic.har: no entry that was answered has a path of the service; record the client's calls",
  ],
])('a bad file is refused, and said where: %s', ([, text, message]) => {
  expect(() => graded(text)).toThrow(message);
});

test('a tenant file of another host is not used for this traffic', () => {
  expect(() => graded([entryOf()], { yaml: 'baseUrl: https://other.example.com\n' })).toThrow(
    'at https://other.example.com',
  );
});

test('a proxy looks at certificates, whatever the environment says', async () => {
  const io = { version: '1', cwd: '.', redactor: new Redactor(), facts: watchFacts };
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const started = startProxy({ to: 'https://acme.example.com', port: 0 }, { ...io, env });
  await expect(started).rejects.toThrow(/to anybody/);
});
