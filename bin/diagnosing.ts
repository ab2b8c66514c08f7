/** Compares a failed run with deviations of a mock in this process. It is loaded only if a run fails. */
import type { Diagnosing } from '../conformance/compare/diagnosis.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { diagnosingWith } from '../lab/exam/play.ts';
import { createService } from '../mock/kits/index.ts';

export const diagnosing = async (): Promise<Diagnosing> =>
  diagnosingWith(await createService(), loadOwnSuite());
