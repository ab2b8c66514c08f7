/** A ledger may come from anywhere: `undo` follows it only if the tenant file agrees. */

import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { safetyFacts } from '../areas/safety.ts';
import { env, type FakeService, secrets, startFake, tenantYaml } from '../testing/fake-service.ts';
import { sealedLine } from '../testing/sealed-ledger.ts';
import { type Undone, type UndoOptions, undo } from './undo.ts';

let service: FakeService;
let folder: string;
beforeEach(async () => {
  service = await startFake();
  folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
  mkdirSync(join(folder, 'ledger'));
  writeFileSync(join(folder, 'tenant.yaml'), tenantYaml(service.baseUrl));
});
afterEach(() => service.close());

type Line = Readonly<Record<string, unknown>>;
const header = (baseUrl: string) => ({
  ...{ kind: 'run', runId: 'r1', baseUrl, startedAt: '', pid: 2 ** 30 },
});
/** A run has renamed folder 11, and was killed. */
const rename: Line = {
  kind: 'write',
  key: 'folder',
  object: 'folder 11 of deployment 1',
  operation: 'updateFolder',
  method: 'PUT',
  path: '/api/v1/deployments/1/folders/11',
  before: { name: 'Finance', position: 2 },
  sent: { name: 'lockstep' },
  effect: 'reversible',
};
/** As a run with this credential wrote it; a line that is given as a text is nobody's. */
const writeLedger = (name: string, lines: readonly (Line | string)[]): void => {
  const ofRun = header(String(lines.find(isHeader)?.baseUrl));
  const text = lines.map((line) => {
    if (typeof line === 'string') return line;
    return isHeader(line) ? JSON.stringify(line) : sealedLine(ofRun, line);
  });
  writeFileSync(join(folder, 'ledger', name), text.join('\n'));
};
const isHeader = (line: Line | string): line is Line =>
  typeof line !== 'string' && line.kind === 'run';
const undoIn = (more: Partial<UndoOptions> = {}) =>
  undo(
    { tenant: join(folder, 'tenant.yaml'), ledger: join(folder, 'ledger'), ...more },
    { env: { ...env, AWS_SECRET: 'of-somebody' }, cwd: folder, safety: safetyFacts, version: '0' },
  );
const nothing = { restored: [], untouched: [], refused: [], hints: [], failed: [], permanent: [] };

test('the ledger of a run that was killed is followed, and cleared away', async () => {
  service.state.folder.name = 'lockstep';
  writeLedger('a.jsonl', [header(service.baseUrl), rename, '{"kind":"wri']);
  const done = await undoIn();
  expect(done).toEqual({
    ...nothing,
    ...{ exitCode: 0, restored: ['folder 11 of deployment 1'], problems: [] },
  });
  expect(service.state.folder.name).toBe('Finance');
  expect(readdirSync(join(folder, 'ledger'))).toEqual([]);
});

describe('a ledger that is not one of the tenant is refused, and nothing is sent', () => {
  const elsewhere = 'https://attacker.example';
  const deep = `{"kind":"seen","key":"x","value":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  test.each<[string, () => (Line | string)[], RegExp]>([
    [
      'another host',
      () => [header(elsewhere), rename],
      /is a ledger of https:\/\/attacker.example,/,
    ],
    [
      'another host and variable',
      () => [
        {
          ...header(elsewhere),
          tenantFile: '/x.yaml',
          credentials: { admin: { env: 'AWS_SECRET' } },
        },
        rename,
      ],
      /is a ledger of https:\/\/attacker.example,/,
    ],
    [
      'another path',
      () => [header(`${service.baseUrl}/w/other`), rename],
      /is a ledger of .*other,/,
    ],
    [
      'lines that were sealed for another host',
      () => [header(elsewhere), rename, header(service.baseUrl)],
      /:3: this is the ledger of more than one run/,
    ],
    ['no address', () => [header('no address'), rename], /is a ledger of no address,/],
    ['no header', () => [rename], /does not say whose ledger it is/],
    [
      'a line of another form',
      () => [header(service.baseUrl), { kind: 'write' }],
      /:2 is not a line of a/,
    ],
    ['a line that is a list', () => ['[]'], /:1 is not a line of a ledger: it does not fit/],
    [
      'a line that is deep',
      () => [header(service.baseUrl), deep],
      /:2 is not a line of a ledger: too deep/,
    ],
    [
      'a run that goes on',
      () => [{ ...header(service.baseUrl), pid: process.pid }, rename],
      /the run r1 \(process \d+\) is still going/,
    ],
  ])('%s', async (_name, lines, message) => {
    writeLedger('a.jsonl', lines());
    const done = await undoIn();
    expect(done).toMatchObject({ ...nothing, exitCode: 5 });
    expect(done.problems).toEqual([expect.stringMatching(message)]);
    expect(service.requests).toEqual([]);
    expect(readdirSync(join(folder, 'ledger'))).toEqual(['a.jsonl']);
  });

  test('no file', async () => {
    symlinkSync('/dev/zero', join(folder, 'ledger', 'a.jsonl'));
    expect(await undoIn()).toMatchObject({
      exitCode: 5,
      problems: [/is not a ledger/].map((one) => expect.stringMatching(one)),
    });
  });
});

describe('a ledger that no run with this credential wrote is not followed', () => {
  const planted = JSON.stringify(rename);
  const place = () => `${join(folder, 'ledger', 'a.jsonl')}:2`;

  test.each<[string, () => string]>([
    ['without a seal', () => planted],
    ['sealed with a made-up key', () => planted.replace(/}$/, `,"mac":"${'0'.repeat(64)}"}`)],
    ['of another run', () => sealedLine({ baseUrl: service.baseUrl, runId: 'r0' }, rename)],
    ['of another tenant', () => sealedLine({ ...header('https://other.example') }, rename)],
    [
      'changed',
      () => sealedLine(header(service.baseUrl), rename).replace('Finance', 'Chosen by somebody'),
    ],
    ['that says it is restored', () => '{"kind":"restored","key":"folder"}'],
  ])('a line %s', async (_name, line) => {
    service.state.folder.name = 'lockstep';
    writeLedger('a.jsonl', [header(service.baseUrl), line(), { ...rename, key: 'other' }]);
    const done = await undoIn();
    expect(done).toMatchObject({ exitCode: 5, restored: ['folder 11 of deployment 1'] });
    expect(done.problems).toEqual([
      expect.stringContaining(`${place()} was not written by a run with this credential`),
    ]);
    expect(service.state.folder.name).toBe('Finance');
    expect(readdirSync(join(folder, 'ledger'))).toEqual(['a.jsonl']);
  });

  test('the message shows the write of a refused line, and --accept follows it', async () => {
    service.state.folder.name = 'lockstep';
    writeLedger('a.jsonl', [header(service.baseUrl), planted]);
    expect(await undoIn()).toMatchObject({
      ...{ exitCode: 5, restored: [] },
      problems: [
        expect.stringContaining(
          'PUT /api/v1/deployments/1/folders/11 put back {"name":"Finance","position":2}',
        ),
      ],
    });
    expect(service.requests).toEqual([]);
    expect(await undoIn({ accept: [place()] })).toMatchObject({ exitCode: 0, problems: [] });
    expect(service.state.folder.name).toBe('Finance');
  });

  test('each of them is told in a line of its own', async () => {
    const other = JSON.stringify({ ...rename, key: 'other' });
    writeLedger('a.jsonl', [header(service.baseUrl), planted, other]);
    const { problems } = await undoIn();
    expect(problems).toHaveLength(2);
    expect(problems.join('')).not.toContain('\n');
  });

  test('a ledger that was sealed with another key is not followed', async () => {
    service.state.folder.name = 'lockstep';
    writeLedger('a.jsonl', [header(service.baseUrl), rename]);
    expect(await undoIn({ ledgerKeyEnv: 'a key of its own' })).toMatchObject({ exitCode: 5 });
    expect(service.requests).toEqual([]);
  });

  test('a put-back that lasts longer than --allow permits is not made', async () => {
    service.state.folder.name = 'lockstep';
    writeLedger('a.jsonl', [header(service.baseUrl), rename]);
    expect(await undoIn({ allow: 'none' })).toMatchObject({
      ...{ exitCode: 5, restored: [] },
      failed: [expect.stringContaining('needs --allow reversible')],
    });
    expect(service.requests).toEqual([]);
  });
});

test.each<[string, Line]>([
  ['an object that is not bound', { path: '/api/v1/deployments/1/folders/12' }],
  ['a path that climbs', { path: '/api/v1/deployments/1/folders/%2e%2e' }],
  ['a path that the contract does not have', { path: '/api/v1/users/1' }],
  ['a read', { method: 'GET' }],
  [
    'a write that cannot be put back',
    { method: 'POST', path: '/api/v1/deployments/1/notifications/31/recipients' },
  ],
])('%s is left alone, and what follows is put back', async (_name, change) => {
  service.state.folder.name = 'lockstep';
  writeLedger('a.jsonl', [header(service.baseUrl), rename, { ...rename, key: 'other', ...change }]);
  const done = await undoIn();
  expect(done).toMatchObject({ exitCode: 5, restored: ['folder 11 of deployment 1'] });
  expect(done.failed).toHaveLength(1);
  expect(service.requests.filter((line) => !line.endsWith('/folders/11'))).toEqual([]);
});

test('a ledger of another tenant in the same folder does not prevent the put-back', async () => {
  service.state.folder.name = 'lockstep';
  writeLedger('a.jsonl', [header('https://other.example'), rename]);
  writeLedger('b.jsonl', [header(service.baseUrl), rename]);
  expect(await undoIn()).toMatchObject({
    exitCode: 5,
    restored: ['folder 11 of deployment 1'],
    problems: [expect.stringMatching('is a ledger of https://other.example')],
  });
});

test.each<[string, () => Promise<Undone>, number, RegExp]>([
  [
    'plain HTTP',
    () => undoIn({ baseUrl: 'http://tenant.example' }),
    5,
    /never sent over plain HTTP/,
  ],
  [
    'a host that the file does not name',
    () => undoIn({ baseUrl: 'https://b.example' }),
    5,
    /--base-url names/,
  ],
  ['a tenant file that is not there', () => undoIn({ tenant: '/nowhere.yaml' }), 2, /no such file/],
])('the tenant is chosen as by certify: %s', async (_name, run, exitCode, message) => {
  writeLedger('a.jsonl', [header(service.baseUrl), rename]);
  expect(await run()).toMatchObject({
    exitCode,
    problems: [expect.stringMatching(message)],
  });
  expect(service.requests).toEqual([]);
});

describe('undo --foreign', () => {
  const marked = 'lockstep rmwx4532k5b5bdc A';

  test('puts back the changes in a ledger of the other machine', async () => {
    Object.assign(service.state.folder, { name: marked, position: 9 });
    const other = { ...header(service.baseUrl), runId: 'rmwx4532k5b5bdc' };
    const line = sealedLine(other, { ...rename, sent: { name: marked } });
    writeFileSync(join(folder, 'ledger', 'a.jsonl'), [JSON.stringify(other), line].join('\n'));
    expect(await undoIn({ foreign: true })).toMatchObject({ exitCode: 0, failed: [] });
    expect(service.state.folder).toMatchObject({ name: 'Finance', position: 2 });
  });

  test('writes nothing if no ledger has the earlier state, and names the run', async () => {
    service.state.folder.name = marked;
    expect(await undoIn()).toMatchObject({ ...nothing, exitCode: 0 });
    const done = await undoIn({ foreign: true });
    expect(done).toMatchObject({ ...nothing, exitCode: 5, failed: [expect.any(String)] });
    expect(done.failed[0]).toMatch(
      /^folder 11 of deployment 1: {"name":"lockstep rmwx4532k5b5bdc A".* is of the run rmwx4532k5b5bdc, begun 2026-11-26T05:29Z, and no ledger in .* says what it was\./,
    );
    expect(service.state.folder.name).toBe(marked);
  });

  test('finds nothing if there is no mark', async () => {
    expect(await undoIn({ foreign: true })).toMatchObject({ ...nothing, exitCode: 0 });
  });
});

test('the messages of undo hold no secret', async () => {
  const echo = { object: secrets.admin, path: `/api/v1/deployments/1/folders/${secrets.admin}` };
  writeLedger('a.jsonl', [header(service.baseUrl), { ...rename, ...echo }]);
  const done = await undoIn();
  expect(done.failed).toEqual(['{admin}: the tenant file does not bind {admin}']);
});
