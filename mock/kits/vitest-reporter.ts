/**
 * A vitest reporter that says at the end of a run what its tests met of the contract, and which
 * assumptions they rely on: `reporters: ['default', 'lockstep/vitest/reporter']`.
 */
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';
import { CoverageCount } from '../world/coverage.ts';
import { addSurvived, coverageText, type Survived } from './coverage.ts';
import type {} from './vitest.ts';

export default class LockstepReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { project } of specifications) project.provide('lockstepCoverage', true);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const total = new CoverageCount();
    let survived: Survived = {};
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { lockstep, lockstepSurvived } = test.meta();
        if (lockstep !== undefined) total.merge(lockstep);
        survived = addSurvived(survived, lockstepSurvived ?? {});
      }
    }
    process.stdout.write(coverageText(total.toCoverage(), survived));
  }
}
