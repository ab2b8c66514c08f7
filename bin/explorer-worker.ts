/** One core's share of the explorer's measure: how many seeds find a deviation. */
import { parentPort, workerData } from 'node:worker_threads';
import { exploredAreas } from '../conformance/areas/explored.ts';
import { safetyFacts as safety } from '../conformance/areas/safety.ts';
import { explore } from '../conformance/explore/explore.ts';
import { deviationsOf } from '../mock/areas/catalogue.ts';
import { createService } from '../mock/kits/index.ts';
import type { Service } from '../mock/service/service.ts';
import type { Found } from '../reports/explorer-md.ts';
import { inProcessTarget } from './in-process.ts';
import { answerAll } from './share-out.ts';

export interface Measure {
  /** The first seed, and how many there are. */
  readonly from: number;
  readonly seeds: number;
  /** Of each walk. */
  readonly steps: number;
}

/** Walks with each seed; without deviations `plain` is walked. */
export async function measure(
  service: Service,
  id: string,
  { from, seeds, steps }: Measure,
): Promise<Found> {
  const deviations = id === 'plain' ? [] : deviationsOf([id]);
  const fresh = () =>
    inProcessTarget(service, { prepare: (world) => world.deviations.set(deviations) });
  const statements = new Set<string>();
  const walked: number[] = [];
  let total = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const target = await fresh();
    const io = { runId: 'rbar', startedAt: new Date().toISOString(), safety, fresh };
    const options = {
      target,
      areas: exploredAreas,
      seed,
      allow: 'permanent' as const,
      steps,
      shrink: false,
    };
    const { finding, steps: made } = await explore(options, io);
    await target.close();
    total += made;
    if (finding === undefined) continue;
    walked.push(made);
    statements.add(finding.statement);
  }
  walked.sort((a, b) => a - b);
  return {
    id,
    seeds,
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
