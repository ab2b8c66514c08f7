/** A tenant captured, and its twin certified: the capture reads a service that is none of ours. */
import { expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { capture } from '../../conformance/watch/capture.ts';
import { Pseudonyms } from '../../conformance/watch/capture-names.ts';
import { createService } from '../../mock/kits/index.ts';
import { learned } from '../../reports/profile-yaml.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { brokenIn, reportOf } from '../exam/suite-run.ts';
import type { HabitId } from './habits.ts';
import { bench, certified } from './measure.ts';

const suite = loadOwnSuite();

test.for<readonly HabitId[]>([
  [],
  ['already-so-refused', 'export-times-spaced', 'staging-ids-are-new'],
])('the twin of a tenant with habits %o is certified', async (habits) => {
  const { target } = bench({ habits });
  const { fixture } = await capture(target, { names: new Pseudonyms('a key') });
  const profile = learned(await certified({ habits }));
  const service = await createService();
  const assumptions = Object.fromEntries(profile.choices);
  const twin = await inProcessTarget(service, { world: { fixture, assumptions } });
  const report = await reportOf(suite, twin);
  expect(brokenIn(report)).toEqual([]);
  console.log(
    report.statements
      .filter(({ verdict, level }) => level !== 'silent' && verdict === 'not-testable')
      .map(({ id }) => id),
  );
  console.log(
    report.statements
      .filter(({ verdict, level }) => level !== 'silent' && verdict === 'verified-in-part')
      .map(({ id }) => id),
  );
  const before = assumptions;
  const now = Object.fromEntries(learned(report).choices);
  console.log(
    Object.keys({ ...before, ...now })
      .filter((id) => before[id] !== now[id])
      .map((id) => `${id} ${before[id]} ${now[id]}`),
  );
  await twin.close();
});
