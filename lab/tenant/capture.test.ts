/**
 * Captures the independent tenant, and certifies its twin: the capture must work on a service that
 * is not the mock.
 */
import { expect, test } from 'vitest';
import { captureCalls as calls } from '../../conformance/areas/capture.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { capture } from '../../conformance/watch/capture/capture.ts';
import { Pseudonyms } from '../../conformance/watch/capture/names.ts';
import { readText } from '../../fixtures/read.ts';
import { fixtureText } from '../../fixtures/write.ts';
import { createService } from '../../mock/kits/index.ts';
import { comparisonText } from '../../reports/diff/comparison.ts';
import { diffTargets } from '../../reports/diff/targets.ts';
import { learned } from '../../reports/profile-yaml.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { brokenIn, reportOf } from '../exam/suite-run.ts';
import type { HabitId } from './habits.ts';
import { bench, certified } from './measure.ts';

const suite = loadOwnSuite();
const names = new Pseudonyms('a key');
const extendsNone = () => Promise.reject(new Error('a capture extends no fixture'));

test.for<{ habits: readonly HabitId[] }>([
  { habits: [] },
  { habits: ['already-so-refused', 'export-times-spaced', 'staging-ids-are-new'] },
])(
  'the twin of a tenant with $habits is certified as the tenant is, and differs in no silence that it can show',
  async ({ habits }) => {
    const { fixture } = await capture(bench({ habits }).target, { calls, names });
    const report = await certified({ habits });
    const assumptions = Object.fromEntries(learned(report).choices);
    const service = await createService();
    const twin = await inProcessTarget(service, { world: { fixture, assumptions } });
    const twins = await reportOf(suite, twin);
    await twin.close();
    expect(brokenIn(twins)).toEqual([]);
    const untested = ({ statements }: typeof twins) =>
      statements.flatMap(({ id, level, verdict }) =>
        level !== 'silent' && verdict === 'not-testable' ? [id] : [],
      );
    expect(untested(twins)).toEqual(untested(report));
    expect(Object.fromEntries(learned(twins).choices)).toMatchObject(assumptions);
    const found = diffTargets({ report, evidence: [] }, { report: twins, evidence: [] });
    const text = comparisonText(found);
    expect(found.tone, text).not.toBe('worse');
    // A status of success, and two statuses at one silence: no profile can carry them.
    const differ = found.sections.flatMap(({ lines }) => lines.map(({ name }) => name));
    expect(differ, text).toEqual(['DBT-8', 'RECIP-27']);
  },
);

test.for([['admin', 'oauth'], ['member'], ['scoped', 'scim'], ['scim']] as const)(
  'with only %o it still makes a fixture',
  async (kept) => {
    const { target } = bench({ habits: [] });
    const credentials = new Map(
      [...target.credentials].filter(([name]) => kept.includes(name as never)),
    );
    const { fixture, notes } = await capture({ ...target, credentials }, { calls, names });
    const text = fixtureText(fixture, notes);
    const { data } = await readText(text, 'fixture.yaml', extendsNone);
    expect(data.credentials.map(({ name }) => name)).toEqual([...credentials.keys()]);
    expect(data.deployments.length).toBeGreaterThan(0);
    expect(notes.length).toBeGreaterThan(2);
  },
);

test('it has nothing of the tenant but times, counts and words of the provider', async () => {
  const { target, tenant } = bench({ habits: [] });
  const { fixture, notes } = await capture(target, { calls, names });
  const text = fixtureText(fixture, notes).toLowerCase();
  const state = tenant.state();
  const words = [
    ...state.deployments.map(({ name }) => name.split(' ')[0]),
    ...state.branches.flatMap(({ name, hash }) => [name, hash]),
    ...state.users.flatMap(({ name, email }) => [...name.split(' '), email]),
    ...state.folders.map(({ name }) => name),
    ...Object.values(tenant.credentials),
    ...['harbour', 'haulier', 'vessels', 'petrel', 'engine'],
  ].filter((word) => word !== undefined && word.length > 3);
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word) => text.includes(String(word).toLowerCase()))).toEqual([]);
});
