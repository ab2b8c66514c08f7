/** The report of `lockstep client` as JUnit XML: one suite for each kind of run. */
import type { ClientReport } from '../../mock/client/client-report.ts';
import type { Judged } from '../../mock/client/outcome.ts';
import { type JunitCase, junitXml } from '../../reports/junit.ts';

const suites = { sweep: 'alternatives', loss: 'losses', mutant: 'broken promises' } as const;

/**
 * A broken promise that no test noticed is a failure if `isComplete`, and otherwise skipped with
 * its reason.
 */
export function clientJunit({ results, accepted }: ClientReport, isComplete: boolean): string {
  const made = Object.entries(suites).map(([kind, name]) => {
    const own = results.filter((one) => one.kind === kind);
    return { name, cases: own.map((one) => caseOf(one, name, isComplete, accepted)) };
  });
  return junitXml(
    'lockstep client',
    made.filter(({ cases }) => cases.length > 0),
  );
}

function caseOf(
  { id, kind, outcome, text: told, said, tests }: Judged,
  classname: string,
  isComplete: boolean,
  accepted: readonly string[],
): JunitCase {
  const about = { name: id, classname };
  const came = (word: 'failure' | 'skipped', message: string) => ({
    about,
    came: { word, about: { message }, text: tests.join('\n') },
  });
  const isMutant = kind === 'mutant';
  if (outcome === (isMutant ? 'broken' : 'held')) return { about };
  if (accepted.includes(id)) return came('skipped', 'accepted by the baseline');
  if (outcome === 'not met')
    return came('skipped', 'the run sent other requests than the plain run');
  if (outcome === 'flaky') return came('skipped', 'failed once and passed once');
  if (!isMutant) return came('failure', said ?? told);
  return came(isComplete ? 'failure' : 'skipped', `nobody noticed: ${told}`);
}
