/** Known deviations, played in this process, to compare a red run with them. */
import type { Diagnosing } from '../../conformance/compare/diagnosis.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Service } from '../../mock/service/service.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { targetWith } from './in-process.ts';
import { reportOf } from './suite-run.ts';

/** A red run waits no longer for its diagnosis; a deviation that was begun is played to its end. */
const BUDGET_MS = 5000;

/** A red run is compared with each deviation that breaks what is broken. */
export function diagnosingWith(service: Service, suite: Suite): Diagnosing {
  return {
    deviations: catalogue,
    budgetMs: BUDGET_MS,
    async play(id, titles) {
      const scenarios = suite.scenarios.filter(({ title }) => titles.has(title));
      const { target } = await targetWith(service, deviationsOf([id]));
      try {
        return await reportOf({ ...suite, scenarios }, target);
      } finally {
        await target.close();
      }
    },
  };
}
