import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
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
async function graded(
  entries: readonly object[] | string,
  options: WatchedOptions & {
    yaml?: string;
    creator?: string;
    files?: Readonly<Record<string, string>>;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-grade-'));
  folders.push(folder);
  const { yaml, creator = 'WebInspector', files = {}, ...rest } = options;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const log = { version: '1.2', creator: { name: creator, version: '1' }, entries };
  writeFileSync(
    join(folder, 'traffic.har'),
    typeof entries === 'string' ? entries : JSON.stringify({ log }),
  );
  if (yaml !== undefined) writeFileSync(join(folder, 'tenant.yaml'), yaml);
  const [warnings, told] = [[], []] as [string[], string[]];
  const done = await grade(
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

test('a file that keeps every promise ends 0', async () => {
  const { report, told } = await graded([entryOf()]);
  expect([told, report.exitCode, report.requests.total]).toEqual([[], 0, 1]);
});

test('a base64 body, names as of HTTP/2 and its pseudo headers are read', async () => {
  const text = Buffer.from(JSON.stringify({ ...page, pagination: {} })).toString('base64');
  const headers = [
    { name: ':authority', value: 'acme.example.com' },
    { name: 'authorization', value: 'Bearer abcdefgh' },
  ];
  const { told } = await graded([
    entryOf({ headers, content: { size: 9, text, encoding: 'base64' } }),
  ]);
  expect(told.join()).toContain('PAGE-3');
});

test('a header that a recorder left decoded is not decoded again', async () => {
  const entry = entryOf();
  const packed = [...entry.response.headers, { name: 'content-encoding', value: 'br' }];
  const { report } = await graded([{ ...entry, response: { ...entry.response, headers: packed } }]);
  expect(report.warnings.join()).not.toContain('Content-Encoding');
});

test('data that a browser removed from its HAR file proves nothing', async () => {
  // A browser leaves Authorization and cookies out by default.
  const { told, report } = await graded([
    entryOf({ content: { size: 900 } }),
    entryOf({ headers: [{ name: 'Authorization', value: '' }] }),
  ]);
  expect(told).toEqual([]);
  const said = report.warnings.join('\n');
  expect(said).toContain('does not hold the body of the answer');
  expect(said).toContain('the caller is hidden');
});

test('other hosts, other paths, cached and blocked entries are skipped and counted', async () => {
  const { warnings, report } = await graded([
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
    'traffic.har: skipped 2 of its entries: another host',
    'traffic.har: skipped 1 of its entries: a path that is not of the service',
    'traffic.har: skipped 1 of its entries: answered from a cache',
    'traffic.har: skipped 2 of its entries: blocked, or not answered',
  ]);
});

test('our own evidence names its callers, by the names in the tenant file', async () => {
  const yaml = `
baseUrl: https://acme.example.com
credentials: { expired: { env: LOCKSTEP_EXPIRED_KEY } }
`;
  const headers = [{ name: 'authorization', value: 'Bearer {expired}' }];
  const { told } = await graded([entryOf({ headers })], { yaml, creator: 'lockstep' });
  expect(told.join()).toContain('AUTH-4 at /status');
});

describe('a credential of a tenant file', () => {
  const token = 'token-of-the-file';
  const headers = [{ name: 'authorization', value: `Bearer ${token}` }];
  const judge = (source: string, more: WatchedOptions = {}) =>
    graded([entryOf({ headers })], {
      yaml: `baseUrl: https://acme.example.com\ncredentials: { expired: ${source} }\n`,
      files: { 'token.txt': `${token}\n` },
      ...more,
    });
  const command = `{ command: [node, -p, '"${token}"'] }`;

  test.for<[what: string, source: string, options: WatchedOptions]>([
    ['from a file', '{ file: token.txt }', {}],
    ['from a command', command, { allowCommand: true }],
  ])('%s names its caller', async ([, source, options]) => {
    const { told, warnings, report } = await judge(source, options);
    expect([told.join(), warnings]).toEqual([expect.stringContaining('AUTH-4 at /status'), []]);
    expect(JSON.stringify([report, told])).not.toContain(token);
  });

  test.for<[what: string, source: string, warning: string]>([
    ['a command without consent', command, 'give --allow-command'],
    ['a file that is not there', '{ file: gone.txt }', 'is not a file that holds a token'],
    ['a variable that is not set', '{ env: LOCKSTEP_EXPIRED_KEY }', 'variable is not set'],
  ])('%s is told, and the rest is judged', async ([, source, warning]) => {
    const { told, warnings, report } = await judge(source);
    expect(warnings).toEqual([expect.stringMatching(`${warning}.*; its requests are not known$`)]);
    expect([told, report.requests.total]).toEqual([[], 1]);
  });
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
])('a bad file is refused, and said where: %s', async ([, text, message]) => {
  await expect(graded(text)).rejects.toThrow(message);
});

test('a tenant file of another host is not used for this traffic', async () => {
  const yaml = 'baseUrl: https://other.example.com\n';
  await expect(graded([entryOf()], { yaml })).rejects.toThrow('at https://other.example.com');
});

test('a proxy looks at certificates, whatever the environment says', async () => {
  const io = { version: '1', cwd: '.', redactor: new Redactor(), facts: watchFacts };
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const journal = { record: () => {}, answers: () => false, onReport: () => {} };
  const started = startProxy({ to: 'https://acme.example.com', port: 0 }, { ...io, env, journal });
  await expect(started).rejects.toThrow(/to anybody/);
});
