/** The deviations that a red run is compared with, on a mock in this process. Loaded only if a run is red. */
import type { Diagnosing } from '../conformance/compare/diagnosis.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { diagnosingWith } from '../lab/exam/play.ts';
import { createService } from '../mock/kits/index.ts';

export const diagnosing = async (): Promise<Diagnosing> =>
  diagnosingWith(await createService(), loadOwnSuite());
