/** One core's share of the exam: answers the questions that it is sent, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import { createService } from '../../mock/kits/index.ts';
import type { Service } from '../../mock/service/service.ts';
import { deviationsOf } from '../areas/catalogue.ts';
import { conditions } from '../deviations/only-if/conditions.ts';
import { ask, type Effort, type Exam } from './ask.ts';
import { askForSome } from './ask-for-some.ts';
import type { Hiding } from './diagnosis-md.ts';
import { hiddenRun } from './hidden-run.ts';
import { targetWith } from './in-process.ts';
import { answerAll } from './share-out.ts';

/** How the questions are put. */
export interface ExamData extends Pick<Exam, 'effort'> {
  /** By deviation for some only, the titles of the scenarios that it is put to. */
  readonly scenarios?: Readonly<Record<string, readonly string[]>>;
  /** Nothing is asked: the runs are told, to be diagnosed. */
  readonly hidden?: Hiding;
}

/** The answer of the suite to one deviation. */
export async function examine(service: Service, suite: Suite, id: string, effort?: Effort) {
  const question = deviationOf(id);
  return ask({ question, suite, make: () => targetWith(service, [question]), effort });
}

function deviationOf(id: string) {
  const [deviation] = deviationsOf([id]);
  if (deviation === undefined) throw new Error(`there is no deviation ${id}`);
  return deviation;
}

/** Finds out who notices a deviation for some only. */
export function examineForSome(
  service: Service,
  suite: Suite,
  id: string,
  titles: readonly string[],
  effort?: Effort,
) {
  const condition = conditions.find(({ name }) => id.endsWith(`@${name}`));
  if (condition === undefined) throw new Error(`${id} names no condition`);
  return askForSome({ service, suite, deviation: deviationOf(id), condition, titles, effort });
}

// A test that imports this file may run in a worker too, which is given no data.
const data = workerData as ExamData | undefined;
if (parentPort !== null && data !== undefined) {
  const service = await createService();
  const suite = loadOwnSuite();
  const { effort, scenarios, hidden } = data;
  answerAll<object>(parentPort, (id) => {
    if (hidden !== undefined) return hiddenRun(service, suite, id, hidden);
    return scenarios === undefined
      ? examine(service, suite, id, effort)
      : examineForSome(service, suite, id, scenarios[id] ?? [], effort);
  });
}
