/**
 * `lockstep exam --reach FILES`: how well a reliance predicts failing tests. For each deviation
 * that a client met, a night is simulated: the tests that really failed are compared with those
 * that the gate would have named. The files are reports of `lockstep client --mutants --out
 * NAME.json`. If there is a NAME.again.json of the same tests, the real failures come from it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reachOfPromise } from '../../conformance/compare/reliance.ts';
import type { Reliance } from '../../conformance/judge/report.ts';
import type { ClientReport } from '../../mock/client/client-report.ts';
import { relianceOf, testsOf } from '../../mock/client/reliance.ts';
import { ifThere, Refused } from '../../spec/base/refused.ts';
import { catalogue } from '../areas/catalogue.ts';
import { FOLDER } from './exam.ts';
import { type Night, reachMd } from './reach-md.ts';

/** Writes the table, and returns the exit code. */
export function examineReach(files: readonly string[], folder = FOLDER): number {
  const clients = files.map((file) => {
    const again = reportIn(file.replace(/\.json$/, '.again.json'));
    const learned = reportIn(file);
    if (learned === undefined) throw new Refused(`there is no ${file}`);
    const nights = nightsOf(learned, again ?? learned);
    return { name: basename(file, '.json'), nights, isSame: again === undefined };
  });
  const text = reachMd(clients);
  writeFileSync(join(folder, 'reach.md'), text);
  process.stdout.write(text);
  return 0;
}

function reportIn(file: string): ClientReport | undefined {
  const text = ifThere(() => readFileSync(file, 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as ClientReport);
}

const byId = new Map(catalogue.map((deviation) => [deviation.id, deviation]));

/** One simulated night for each deviation that took effect. */
export function nightsOf(learned: ClientReport, real: ClientReport): Night[] {
  const met = real.results.filter(
    ({ kind, outcome }) => kind === 'mutant' && (outcome === 'broken' || outcome === 'held'),
  );
  const whole = relianceOf(learned) as Reliance;
  return met.map((tonight): Night => {
    const others = learned.results.filter(({ id }) => id !== tonight.id);
    const without = relianceOf({ ...learned, results: others }) as Reliance;
    const { alsoBreaks = [] } = byId.get(tonight.id) ?? {};
    const broken = [...tonight.statements, ...alsoBreaks];
    const failed = tonight.outcome === 'broken' ? testsOf(tonight) : [];
    return {
      ...{ id: tonight.id, broken, failed },
      heldOut: named(broken, without),
      byPromise: named(broken, whole),
      byLooks: named(broken, whole, tonight.id),
    };
  });
}

/** The tests that the gate names, given the broken statements and the suspected deviation. */
function named(broken: readonly string[], reliance: Reliance, suspect?: string): string[] {
  const suspects = suspect === undefined ? [] : [suspect];
  const reached = broken.flatMap((id) => {
    const [client] = reachOfPromise(id, [{ name: 'client', reliance }], suspects).clients;
    return client?.failing ?? client?.tests ?? [];
  });
  return [...new Set(reached)].sort();
}
