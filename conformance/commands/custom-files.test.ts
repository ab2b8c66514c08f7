/** Custom scenario files, next to a suite that a test writes. */

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSuite } from '../language/load.ts';
import { effects } from '../language/vocabulary.ts';
import { type FakeService, secrets, startFake } from '../testing/fake-service.ts';
import { type Ran, runYaml } from '../testing/run-yaml.ts';
import type { CertifyOptions } from './options.ts';
import { verify } from './verify.ts';

let service: FakeService;
let folder: string;
beforeEach(async () => {
  service = await startFake();
  folder = mkdtempSync(join(tmpdir(), 'lockstep-custom-'));
});
afterEach(() => service.close());

const ours = `
scenario: The suite
steps:
  - { id: page, call: listDeployments, checks: { PAGE-1: 200, PAGE-4: { status: 200, only: 4xx } } }
`;
const asks = (checks: string, more = ''): string =>
  `scenario: Mine\n${more}steps:\n  - { id: page, call: listDeployments, checks: ${checks} }\n`;

/** Runs custom files, by name, together with the suite; `alone` runs them without it. */
function run(files: Readonly<Record<string, string>>, options: CertifyOptions = {}): Promise<Ran> {
  mkdirSync(join(folder, 'mine'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return runYaml(service, [ours], { scenarios: Object.keys(files), ...options }, folder);
}

const verdictOf = (ran: Ran, id: string): string | undefined =>
  ran.report?.statements.find((item) => item.id === id)?.verdict;

describe('the effect of custom files on verdicts', () => {
  test('a custom file can break a promise that the suite verified', async () => {
    const ran = await run({ 'mine.yaml': asks('{ PAGE-1: 201 }') });
    expect(ran.exitCode).toBe(1);
    expect(verdictOf(ran, 'PAGE-1')).toBe('violated');
    expect(ran.report?.statements.find(({ id }) => id === 'PAGE-1')?.checks).toMatchObject([
      { scenario: 'Mine', verdict: 'violated', custom: true },
      { scenario: 'The suite', verdict: 'verified' },
    ]);
  });

  test('it verifies no promise, and hides no gap', async () => {
    const ran = await run({ 'mine.yaml': asks('{ PAGE-4: 200, PAGE-5: 200 }') });
    expect(ran.exitCode).toBe(0);
    expect(verdictOf(ran, 'PAGE-1')).toBe('verified');
    expect([verdictOf(ran, 'PAGE-4'), verdictOf(ran, 'PAGE-5')]).toEqual([
      'not-testable',
      'not-testable',
    ]);
    expect(ran.checks('PAGE-5')).toMatchObject([{ verdict: 'verified', custom: true }]);
    expect(ran.report?.totals.statements.documented.verified).toBe(
      (await run({}, { scenarios: [] })).report?.totals.statements.documented.verified,
    );
  });

  test('a check that a custom file could not try leaves the suite’s verdict verified', async () => {
    const ran = await run({
      'mine.yaml': asks('{ PAGE-1: { body: { a: 1 }, atLeast: { x: 1 } } }'),
    });
    expect(verdictOf(ran, 'PAGE-1')).toBe('verified');
  });

  test('its own statements have verdicts of their own, and fail the run', async () => {
    const holds = await run({ 'mine.yaml': asks('{ X-BILLING-1: 200 }') });
    expect(holds.exitCode).toBe(0);
    expect(holds.report?.statements.at(-1)).toMatchObject({
      ...{ id: 'X-BILLING-1', level: 'custom', verdict: 'verified' },
    });
    const fails = await run({ 'mine.yaml': asks('{ X-BILLING-1: 201 }') });
    expect([fails.exitCode, verdictOf(fails, 'X-BILLING-1')]).toEqual([1, 'violated']);
  });

  test('the report names it with its digest', async () => {
    const ran = await run({ 'mine/a.yaml': asks('{ PAGE-1: 200 }') }, { scenarios: ['mine'] });
    expect(ran.report?.suite.custom).toEqual([
      {
        ...{ file: 'mine/a.yaml', copy: 'evidence/scenarios/1-a.yaml' },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });
});

describe('files alone', () => {
  test('nothing else runs, and nothing else is judged', async () => {
    const ran = await run({ 'mine.yaml': asks('{ X-MINE-1: 200 }') }, { alone: true });
    expect(ran.report?.scenarios.map(({ scenario }) => scenario)).toEqual(['Mine']);
    expect(verdictOf(ran, 'PAGE-1')).toBe('not-selected');
    expect(ran.exitCode).toBe(0);
  });

  test('a file of the suite verifies as it does within the suite', async () => {
    const options = { scenarios: ['conformance/scenarios/lists/page-size.yaml'], alone: true };
    const { loadOwnSuite } = await import('../language/own-suite.ts');
    const ran = await runYaml(service, [], { ...options, suite: loadOwnSuite() }, folder);
    const files = new Set(ran.report?.scenarios.map(({ file }) => file));
    expect([...files]).toEqual(options.scenarios);
    expect(ran.report?.options.files).toEqual(options.scenarios);
    expect(ran.report?.statements.flatMap(({ checks }) => checks).some((one) => one.custom)).toBe(
      false,
    );
  });

  test('a link that leads out of the folder is refused, and its text is not shown', async () => {
    writeFileSync(join(folder, 'secrets.yaml'), 'key: of-somebody');
    mkdirSync(join(folder, 'mine'));
    symlinkSync('../secrets.yaml', join(folder, 'mine/linked.yaml'));
    const { exitCode, message } = await run({}, { scenarios: ['mine'] });
    expect({ exitCode, message }).toMatchObject({
      ...{ exitCode: 2, message: expect.stringContaining('linked.yaml is a link that leads out') },
    });
    expect(message).not.toContain('of-somebody');
  });

  test.each([
    [{ alone: true }, '--no-suite needs --scenarios'],
    [{ scenarios: ['none.yaml'] }, '--scenarios none.yaml: there is no such file or folder'],
    [{ scenarios: ['mine'] }, '--scenarios mine: there is no .yaml file in it'],
  ])('%j is refused', async (options, message) => {
    expect(await run({}, { scenarios: [], ...options })).toMatchObject({ exitCode: 2, message });
  });
});

const put = (step: string, more = ''): string =>
  `scenario: Mine\n${more}steps:\n  - { id: put, ${step} }\n`;
const rename = 'call: updateFolder, body: { name: "{run.id}" }';

describe('the effect of a file is computed', () => {
  test.each([
    ['reversible', 'a rename', put(rename)],
    ['reversible', 'a rename that must be refused', put(`${rename}, as: none, expect: 401`)],
    ['permanent', 'another method', put('call: listVersions, method: DELETE')],
    ['permanent', 'a path', put('request: { method: POST, path: /api/v1/deployments/1 }')],
    ['permanent', 'a path that climbs', put(`${rename}, path: { folderId: ".." }`)],
  ] as const)('%s: %s', async (effect, _name, text) => {
    const less = effects[effects.indexOf(effect) - 1];
    const ran = await run({ 'mine.yaml': text }, { alone: true, allow: less });
    expect(ran.report?.scenarios).toMatchObject([
      { outcome: 'not-run', reason: `not allowed: needs --allow ${effect}` },
    ]);
    expect(service.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  test('a write to an object that the tenant file does not bind is not sent', async () => {
    const text = put(`${rename}, path: { folderId: 14 }, checks: { X-MINE-1: 200 }`);
    const ran = await run({ 'mine.yaml': text }, { alone: true });
    expect(ran.report?.scenarios).toMatchObject([
      {
        outcome: 'not-run',
        reason: 'the tenant file does not bind 14, the object of a write',
      },
    ]);
    expect(service.requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  test.each([
    [put(rename, 'effect: none\n'), 'mine.yaml:2:1: effect is none, and the worst of the steps'],
    [put(`${rename}, effect: none`), 'mine.yaml:3:'],
  ])('a file that says less is refused', async (text, message) => {
    expect(await run({ 'mine.yaml': text })).toMatchObject({
      ...{ exitCode: 2, message: expect.stringContaining(message) },
    });
  });

  test('a header does not make a write of a read', async () => {
    const text = put(
      'call: listDeployments, query: { mine: 1 }, headers: { X-HTTP-Method-Override: DELETE }',
    );
    expect(await run({ 'mine.yaml': text }, { alone: true })).toMatchObject({
      ...{ exitCode: 5, message: expect.stringContaining('is not in the plan of this run') },
    });
    expect(service.requests).not.toContain('GET /api/v1/deployments?mine=1');
  });
});

test.each([
  ['the title of another', ours, 'the title "The suite" is taken by scenarios/test/0.yaml:2'],
  ['an unknown key', asks('{ X-A: { stauts: 200 } }'), 'mine.yaml:3:57: a check has no key stauts'],
  ['an unknown statement', asks('{ BILLING-1: 200 }'), 'there is no statement BILLING-1'],
  ['a secret', asks(`{ X-A: { body: "${secrets.admin}" } }`), 'mine.yaml: it contains a secret'],
])('%s is refused', async (_name, text, message) => {
  expect(await run({ 'mine.yaml': text })).toMatchObject({
    ...{ exitCode: 2, message: expect.stringContaining(message) },
  });
});

describe('verify', () => {
  const suite = loadSuite([{ name: 'scenarios/test/0.yaml', text: ours }]);

  test('derives the verdicts of custom files', async () => {
    const checks = '{ PAGE-1: 201, PAGE-5: 200, X-MINE-1: 200 }';
    const { out = '' } = await run({ 'mine.yaml': asks(checks) });
    expect(await verify(out, { suite })).toMatchObject({ exitCode: 0, problems: [] });
  });

  test('refuses a file that was changed since', async () => {
    const { out = '' } = await run({ 'mine.yaml': asks('{ PAGE-1: 201 }') });
    writeFileSync(join(out, 'evidence/scenarios/1-mine.yaml'), asks('{ PAGE-1: 200 }'));
    const problems = [
      'evidence/scenarios/1-mine.yaml does not have the digest that the report names',
    ];
    expect(await verify(out, { suite })).toMatchObject({ exitCode: 2, problems });
  });
});

test('a trace has the exchanges, captured values and results of each step', async () => {
  const text = `${asks('{ X-A: 201 }').replace(' }\n', ', capture: { ids: "{list.id}" }, expect: 4xx }\n')}`;
  const { trace } = await run({ 'mine.yaml': text }, { alone: true });
  expect(trace.filter(({ scenario }) => scenario === 'Mine')).toMatchObject([
    { type: 'exchange', step: 'page', request: { method: 'GET' }, answer: { status: 200 } },
    {
      ...{ type: 'step', scenario: 'Mine', step: 'page' },
      captured: { ids: expect.arrayContaining(['1', '2']) },
      checks: [
        { statement: 'X-A', readings: [{ result: { kind: 'fails' } }] },
        { statement: 'SVC-4', readings: [{ result: { kind: 'holds' } }] },
        { statement: 'SVC-4', readings: [{ result: { kind: 'holds' } }] },
      ],
      stopped: { rule: 'step-before', step: 'page', answered: 200 },
    },
  ]);
});
