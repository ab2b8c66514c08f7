/** A mock with the profile of a run behaves like the target of that run. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { compareSilence } from '../../conformance/compare/silences.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { allSteps } from '../../conformance/language/scenario.ts';
import type { Transport } from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import { readProfile } from '../../mock/service/profile.ts';
import { learned, profileYaml } from '../../reports/profile-yaml.ts';
import { contract } from '../../spec/contract.ts';
import { scaled } from '../../spec/testing/campaign.ts';
import { runOn } from '../exam/suite-run.ts';
import { certified } from '../tenant/measure.ts';
import { drawnChoices } from './drawn-choices.ts';

const suite = loadOwnSuite();
/** The suite with only the scenarios that observe a silence. */
const observing = {
  ...suite,
  scenarios: suite.scenarios.filter(({ steps }) =>
    [...allSteps(steps)].some(({ observes }) => observes.length > 0),
  ),
};
const service = await createService();
const silences = [...contract.statements.values()].filter(({ level }) => level === 'silent');

const assumed = silences.map(({ id, assumption }) => [id, assumption?.id ?? '']);

/** Choices that no run can distinguish, given a certain choice at another silence. */
const alike: readonly (readonly [id: string, seen: string, where: string, is: string])[] = [
  // The run creates a token, and makes no switch that shows.
  ['AUDIT-20', 'none', 'AUDIT-20', 'deployment-updates'],
  // No event of the fixture is older than thirty days.
  ['AUDIT-24', 'all', 'AUDIT-24', 'thirty-days'],
  // Other settings than the name are not tried.
  ['UPD-10', 'settings', 'UPD-10', 'name'],
  // If bad parameters are ignored, a limit of 0 that would be refused is served as 20.
  ['PAGE-8', 'default', 'ERR-5', 'default'],
  // If a switch shows late, the version that is marked current is not the one that runs.
  ['UPD-16', 'accepted', 'UPD-14', 'later'],
  // In a zone west of UTC, the first hours of the next day are part of the last one.
  ['AUDIT-16', 'inclusive', 'AUDIT-23', 'account'],
  // If the deployment is looked up first, it is not found, whatever its identifier looks like.
  ['ERR-11', 'bad-request', 'AUTH-23', 'find-first'],
  ['ERR-11', 'bad-request', 'AUTH-23', 'authorise-find-validate'],
  // Without milliseconds a time does not show a fraction of a second.
  ['META-20', 'cut', 'SVC-20', 'seconds'],
  ['META-20', 'cut', 'SVC-20', 'offset'],
  // Late in the day, three weeks reach back to the requested start.
  ['AUDIT-17', 'accepted', 'AUDIT-24', 'three-weeks'],
  ['AUDIT-18', 'empty', 'AUDIT-24', 'three-weeks'],
];

/** Choices that are not learned, with the reason. The mock then keeps its assumption. */
const notLearned: readonly (readonly [id: string, choice: string, why: string, where?: string])[] =
  [
    ['AUDIT-17', 'refused', 'a bad parameter is passed over, and not refused', 'ERR-5: default'],
    ['AUDIT-18', 'refused', 'a bad parameter is passed over, and not refused', 'ERR-5: default'],
    ['PAGE-7', 'refused', 'a bad parameter is passed over, and not refused', 'ERR-5: default'],
    ['AUTH-23', 'find-first', 'which refusal came first shows only if their statuses differ'],
    ['UPD-14', 'later', 'the version that runs at the end of a wait shows at once'],
    ['UPD-15', 'version-counts', 'a version beside a switch is refused', 'UPD-16: conflict'],
    ['UPD-15', 'version-counts', 'a version beside a switch is refused', 'UPD-16: refused'],
  ];
const isNotLearned = (id: string, chosen: Readonly<Record<string, string>>) =>
  notLearned.some(([one, choice, _why, where]) => {
    const [other = '', is] = where?.split(': ') ?? [];
    return one === id && chosen[id] === choice && (where === undefined || chosen[other] === is);
  });

/** Silences at which a mock with another fixture differs from the independent tenant. */
const ofTheTenant: Readonly<Record<string, string>> = {
  'a status of success, or two statuses': 'DBT-8 RECIP-27',
  'data of the fixture: names of events and channels, and their order': 'AUDIT-15 VER-15 PAGE-10',
};
const looksAlike = (id: string, choice: string, chosen: Readonly<Record<string, string>>) =>
  alike.some(([one, seen, where, is]) => id === one && choice === seen && chosen[where] === is);

test('the assumptions of a mock are learned from it, except those that the fixture cannot show', async () => {
  const { choices, open } = learned(await runOn(service, suite));
  expect([...open.keys()]).toEqual(['AUDIT-13']);
  for (const [id, choice] of choices) {
    expect([id, choice]).toEqual([id, contract.statements.get(id)?.assumption?.id]);
  }
});

/** The ids of silences with different observations in two reports. */
function otherwise(one: Report, two: Report): string[] {
  const second = new Map(two.statements.map((item) => [item.id, item]));
  return one.statements.flatMap((item) => {
    const other = second.get(item.id);
    if (item.level !== 'silent' || other === undefined) return [];
    return compareSilence(item, other).kind === 'silence answered differently' ? [item.id] : [];
  });
}

describe('a mock with other choices, and a mock that learned from it', () => {
  // Some choices differ only at certain times of day, so the time is fixed.
  const now = new Date('2026-03-01T22:30:00Z');
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
  // Two events in the same millisecond look like one, so each call gets its own millisecond.
  const around =
    (send: Transport): Transport =>
    (request, ...more) => {
      vi.setSystemTime(Date.now() + 1);
      return send(request, ...more);
    };
  afterAll(() => void vi.useRealTimers());

  test.for([...drawnChoices(scaled(8, 40)).entries()])('draw %i', async ([, draw]) => {
    const chosen: Record<string, string> = { ...Object.fromEntries(assumed), ...draw };
    const report = await runOn(service, observing, { around, world: { assumptions: chosen } });
    const { choices } = learned(report);
    for (const [name, learnt] of choices) {
      const [id = '', operation] = name.split(' ');
      const [choice = ''] = learnt.split(' ');
      // An operation shows another choice if another silence decides there too: the second run tells.
      if (operation !== undefined) continue;
      if (!looksAlike(id, choice, chosen)) expect([id, choice]).toEqual([id, chosen[id]]);
    }
    expect(choices.size).toBeGreaterThan(80);
    const file = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'profile.yaml');
    writeFileSync(file, profileYaml(report));
    const profile = await readProfile(file);
    expect(new Map(Object.entries(profile))).toEqual(choices);
    const again = await runOn(service, observing, { around, world: { assumptions: profile } });
    expect(otherwise(report, again).filter((id) => !isNotLearned(id, chosen))).toEqual([]);
  });
});

test('a mock that learned from the independent tenant differs only in unsupported choices', async () => {
  const report = await certified({ habits: [] }, [], 8);
  const { choices } = learned(report);
  expect(choices.size).toBeGreaterThan(70);
  const assumptions = Object.fromEntries(choices);
  const again = await runOn(service, observing, { world: { assumptions } });
  const exceptions = Object.values(ofTheTenant).flatMap((ids) => ids.split(' '));
  expect(otherwise(report, again).toSorted()).toEqual(exceptions.toSorted());
});
