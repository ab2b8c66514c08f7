/** The certificate of an honest tenant, and its anonymous form, follow from their evidence. */
import { expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { type RunInput, runSuite } from '../../conformance/commands/run-suite.ts';
import { judgedAgain } from '../../conformance/commands/verify.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { derived } from '../../conformance/testing/derived.ts';
import { anonymous, type Shown } from '../../conformance/watch/capture/anonymous.ts';
import { Pseudonyms } from '../../conformance/watch/capture/names.ts';
import { version } from '../../spec/base/version.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { drawn, type Named, tenantOf } from '../honest/draw.ts';
import { honestTarget } from '../honest/honest.ts';
import { withLedger } from '../tenant/measure.ts';

const suite = loadOwnSuite();

async function certificateOf(named: Named): Promise<Shown> {
  const { target, convergenceMs } = await honestTarget(tenantOf(named));
  const run = (more: Partial<RunInput>) =>
    runSuite({
      ...{ suite, target, safety: safetyFacts, version, ...more },
      options: {
        ...{ allow: 'permanent', convergenceMs, standards: 'report', complete: false },
        ...{ jobs: 8, only: [], seed: 7 },
      },
      names: { id: 'honest1', startedAt: new Date().toISOString() },
    });
  try {
    if (target.kind === 'mock') return await run({});
    return await withLedger((openLedger) => run({ openLedger }));
  } finally {
    await target.close();
  }
}

/** Without a name in the answer, no folder can be put back, so the run leaves out what would rename it. */
const unnamed: Named = { base: 'tenant', ids: ['absent:updateFolder 200 name'], seed: 1 };
const tenants = [unnamed, ...drawn('mock', scaled(1, 40), 11), ...drawn('tenant', scaled(0, 40), 5)]
  // A mock whose list somebody else changes is an invention of the lab, which no report tells.
  .filter(({ base, ids }) => base === 'tenant' || !ids.some((id) => id.startsWith('others:')))
  .map((named) => ({ ...named, title: named.ids.join(' + ') }));

test.for(tenants)('$base: $title', async (named) => {
  const made = await certificateOf(named);
  const follows = { exitCode: 0, problems: [], differences: [] };
  expect(await derived(made, suite)).toMatchObject(follows);
  const shown = anonymous(made, new Pseudonyms('a key'), suite);
  const again = { ...shown, report: await judgedAgain(shown, suite) };
  expect(await derived(again, suite)).toMatchObject(follows);
});

test('the number of certificates is a figure of the night', () => {
  figure(
    'certificates of honest tenants',
    'derived, and once more with invented names',
    tenants.length,
  );
  expect(tenants.length).toBeGreaterThan(0);
});
