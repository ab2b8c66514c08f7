/** A worker of the exam: it answers the questions that it receives, one at a time. */
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

/** The settings for all questions of a worker. */
export interface ExamData extends Pick<Exam, 'effort'> {
  /** For each limited deviation, the titles of the scenarios to play. */
  readonly scenarios?: Readonly<Record<string, readonly string[]>>;
  /** If set, the worker returns runs to be diagnosed, and examines nothing. */
  readonly hidden?: Hiding;
}

export async function examine(service: Service, suite: Suite, id: string, effort?: Effort) {
  const question = deviationOf(id);
  return ask({ question, suite, make: () => targetWith(service, [question]), effort });
}

function deviationOf(id: string) {
  const [deviation] = deviationsOf([id]);
  if (deviation === undefined) throw new Error(`there is no deviation ${id}`);
  return deviation;
}

/** Examines a deviation that is limited to some calls. */
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

// A test that imports this file may itself run in a worker, which has no such data.
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
