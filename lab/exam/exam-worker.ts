/** One core's share of the exam: answers the questions that it is sent, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import { createService } from '../../mock/kits/index.ts';
import type { Service } from '../../mock/service/service.ts';
import { deviationsOf } from '../areas/catalogue.ts';
import { ask, type Exam } from './ask.ts';
import { inProcessTarget } from './in-process.ts';
import { answerAll } from './share-out.ts';

/** How the questions are put. */
export interface ExamData extends Pick<Exam, 'effort'> {
  /** By deviation, the titles of the scenarios that each is put to. */
  readonly scenarios?: Readonly<Record<string, readonly string[]>>;
}

/** The answer of the suite to one deviation. */
export async function examine(service: Service, suite: Suite, id: string, data: ExamData = {}) {
  const [deviation] = deviationsOf([id]);
  if (deviation === undefined) throw new Error(`there is no deviation ${id}`);
  const make = async () => {
    let effects = () => 0;
    const target = await inProcessTarget(service, {
      // Time moves only where the suite waits, so that the table is the same at each run.
      world: { clock: new Date().toISOString() },
      prepare: ({ deviations }) => {
        deviations.set([deviation]);
        effects = () => deviations.list().reduce((sum, item) => sum + item.effects, 0);
      },
    });
    return { target, effects: () => effects() };
  };
  return ask({
    question: deviation,
    suite,
    make,
    effort: data.effort,
    scenarios: data.scenarios?.[id],
  });
}

if (parentPort !== null) {
  const service = await createService();
  const suite = loadOwnSuite();
  answerAll(parentPort, (id) => examine(service, suite, id, workerData));
}
