/** Tests which clients a breach reaches, and which files are refused. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../spec/base/version.ts';
import { contractName } from '../../spec/contract.ts';
import type { Reliance } from '../judge/report.ts';
import { readReliance } from './read-reliance.ts';
import { reachHeadline, reachOfPromise, reachOfSilence, reachText } from './reliance.ts';

const reliance = (more: Partial<Reliance> = {}): Reliance => ({
  ...{ lockstep: version, contract: contractName, asked: ['promises', 'assumptions'] },
  ...{ tests: {}, ...more },
});
const client = (name: string, more: Partial<Reliance> = {}) => ({ name, reliance: reliance(more) });

const relying = (
  promises: Record<string, string[]>,
  assumptions: Record<string, string[]> = {},
) => ({ promises, assumptions });
const billing = client('billing', {
  tests: {
    renames: relying({ 'FOLDER-2': ['folders:name-cut'] }, { 'STAGE-9': ['conflict'] }),
    moves: relying({ 'FOLDER-2': ['folders:rename-lost'], 'FOLDER-3': ['folders:position-lost'] }),
  },
});

test('the text distinguishes clients that rely on it, meet it, were not asked, or neither', () => {
  const clients = [
    billing,
    client('dashboard', { unnoticed: { 'FOLDER-2': ['folders:name-cut'] } }),
    client('hurried', { unknown: ['FOLDER-2'] }),
    client('swept', { asked: ['assumptions'] }),
    client('audit'),
  ];
  expect(reachText(reachOfPromise('FOLDER-2', clients))).toBe(
    'it reaches billing (2 tests); dashboard meets it, and no test of it would notice; ' +
      'hurried, swept were not asked about all of it; audit does not rely on it',
  );
});

test('the diagnosis names the tests that fail', () => {
  const reach = reachOfPromise('FOLDER-2', [billing], ['folders:rename-lost']);
  expect(reach.clients).toMatchObject([{ tests: ['renames', 'moves'], failing: ['moves'] }]);
  expect(reachText(reach)).toContain('billing (2 tests, 1 of them if it is what it looks like)');
  const other = reachOfPromise('FOLDER-2', [billing], ['folders:never-tried']);
  expect(reachText(other)).toBe('it reaches billing (2 tests)');
});

test('a silence reaches only clients whose tests fail under the new choice', () => {
  const of = (...answers: string[]) => reachText(reachOfSilence('STAGE-9', answers, [billing]));
  expect(of('conflict')).toBe('it reaches billing (1 test)');
  expect(of('forbidden')).toBe('billing does not rely on it');
  // This is the mock's assumption, under which the tests passed.
  expect(of('bad-request')).toBe('billing does not rely on it');
  // No client was tested with an answer that the contract does not know.
  expect(of('418')).toBe('it reaches billing (1 test)');
  const blank = reachOfSilence('STAGE-9', ['418'], [client('audit')]);
  expect(reachText(blank)).toBe('audit was not asked about all of it');
});

test('several statements are one headline, in which a test counts once', () => {
  const both = ['FOLDER-2', 'FOLDER-3'].map((id) => reachOfPromise(id, [billing]));
  expect(reachHeadline(both)).toBe('reaches billing (2 tests)');
  expect(reachHeadline([reachOfPromise('DBT-2', [billing])])).toBe('reaches no test that is known');
  expect(reachHeadline([reachOfPromise('DBT-2', [])])).toBeUndefined();
  const unnamed = client('old', { tests: { 'all tests': relying({ 'FOLDER-2': ['a'] }) } });
  expect(reachHeadline([reachOfPromise('FOLDER-2', [unnamed])])).toBe('reaches old (its tests)');
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-reliance-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test.for([
  ['nothing', {}, /holds no \.json file: lockstep client --reliance DIR/],
  ['no JSON', { 'a.json': '{' }, /a\.json does not say .*: it is not JSON/],
  ['another file', { 'a.json': '{"accepted":[]}' }, /a\.json does not say .*: lockstep is missing/],
  [
    'a list in the place of tests',
    { 'a.json': JSON.stringify({ ...reliance(), tests: [] }) },
    /\/tests: expected tests by their names: found \[\]/,
  ],
] as const)('a folder with %s is refused', ([, files, message]) => {
  expect(() => readReliance(folderWith(files))).toThrow(message);
});

test('a missing folder is refused', () => {
  expect(() => readReliance('/no/such/folder')).toThrow('is not a folder of clients');
});

test('each JSON file is a client, and stale or unknown facts are reported', () => {
  const stale = reliance({ contract: '0.9.0 00000000', unnoticed: { 'FOLDER-999': ['a'] } });
  const folder = folderWith({
    ...{ 'billing.json': JSON.stringify(billing.reliance), 'old.json': JSON.stringify(stale) },
    'README.md': 'how to',
  });
  const { clients, warnings } = readReliance(folder);
  expect(clients.map(({ name }) => name)).toEqual(['billing', 'old']);
  expect(warnings).toEqual([
    expect.stringMatching(/old\.json was made with .* contract 0\.9\.0 .*: run lockstep client/),
    expect.stringContaining('old.json names FOLDER-999, which the contract does not have'),
  ]);
});
