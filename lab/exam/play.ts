/** Plays known deviations in this process, to compare a failed run with them. */
import type { Diagnosing } from '../../conformance/compare/diagnosis.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Service } from '../../mock/service/service.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { targetWith } from './in-process.ts';
import { reportOf } from './suite-run.ts';

/** The time for the diagnosis of a failed run. A deviation that has begun is played to its end. */
const BUDGET_MS = 5000;

/** Compares a failed run with each deviation that breaks one of the broken statements. */
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
