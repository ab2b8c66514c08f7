/**
 * A worker of the explorer's measurement: it finds the statements by which `certify` notices a
 * fault, or the number of seeds that find it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { safetyFacts as safety } from '../../conformance/areas/safety.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import type { Service } from '../../mock/service/service.ts';
import type { World } from '../../mock/world/world.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import type { Deviation } from '../deviations/rows.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { answerAll } from '../exam/share-out.ts';
import { runOn } from '../exam/suite-run.ts';
import { exploredAreas } from '../explorer/areas/explored.ts';
import { type Exploration, explore } from '../explorer/explore.ts';
import { faults } from '../tenant/breaking.ts';
import { certified, explored as exploredTenant } from '../tenant/measure.ts';
import type { Found } from './explorer-md.ts';

export interface Measure {
  /** The first seed, and the number of seeds. */
  readonly from: number;
  readonly seeds: number;
  /** The calls of each walk. */
  readonly steps: number;
}

const historiesOf = (target: string, deviations: readonly Deviation[]): string[] =>
  deviations.flatMap(({ id, foundBy }) => (foundBy === 'explore' ? [`${target} ${id}`] : []));

/** Every fault that needs a history of calls, in the mock and in the tenant. */
export const historyIds: readonly string[] = [
  ...historiesOf('mock', catalogue),
  ...historiesOf('tenant', faults),
];

/** A mock or a tenant with at most one fault, and the ways to certify and explore it. */
interface Subject {
  readonly certified: () => Promise<Report>;
  readonly explored: (seed: number, steps: number) => Promise<Exploration>;
}

function mockWith(service: Service, broken: string | undefined): Subject {
  const deviations = broken === undefined ? [] : deviationsOf([broken]);
  const prepare = (world: World) => world.deviations.set(deviations);
  const fresh = () => inProcessTarget(service, { prepare });
  return {
    certified: () => runOn(service, loadOwnSuite(), { prepare }),
    explored: async (seed, steps) => {
      const target = await fresh();
      const names = { id: 'rbar', startedAt: new Date().toISOString() };
      const io = { target, areas: exploredAreas, names, safety, fresh };
      const done = await explore({ seed, allow: 'permanent', steps, shrink: false }, io);
      await target.close();
      return done;
    },
  };
}

function tenantWith(broken: string | undefined): Subject {
  const options = { habits: [], broken };
  return {
    certified: () => certified(options),
    explored: (seed, steps) => exploredTenant(options, seed, steps),
  };
}

/**
 * Certifies, and explores if `certify` noticed nothing. Without a fault it only explores. Rejects
 * an unknown fault.
 */
export async function measure(
  service: Service,
  id: string,
  { from, seeds, steps }: Measure,
): Promise<Found> {
  const [target, name] = id.split(' ');
  const broken = name === 'plain' ? undefined : name;
  const subject = target === 'tenant' ? tenantWith(broken) : mockWith(service, broken);
  const judged = broken === undefined ? [] : (await subject.certified()).statements;
  const refused = judged.filter(({ verdict }) => isFailure(verdict)).map((one) => one.id);
  const statements = new Set<string>();
  const walked: number[] = [];
  const walks = refused.length > 0 ? 0 : seeds;
  let total = 0;
  for (let seed = from; seed < from + walks; seed++) {
    const { finding, steps: made } = await subject.explored(seed, steps);
    total += made;
    if (finding === undefined) continue;
    walked.push(made);
    statements.add(finding.statement);
  }
  walked.sort((a, b) => a - b);
  return {
    id,
    refused,
    seeds: walks,
    found: walked.length,
    steps: total,
    medianSteps: walked[walked.length >> 1],
    statements: [...statements].sort(),
  };
}

if (parentPort !== null) {
  const service = await createService();
  answerAll(parentPort, (id) => measure(service, id, workerData as Measure));
}
