/**
 * A vitest reporter that prints, at the end of a run, the contract coverage of its tests and the
 * assumptions that they rely on: `reporters: ['default', ['lockstep/vitest/reporter', { threshold: 80 }]]`.
 */
import { writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';
import { CoverageCount } from '../world/coverage.ts';
import { checkOptions, namesOf } from '../world/world-request.ts';
import { addSwept, coverageText, notSwept, percentCalled } from './coverage.ts';
import type {} from './vitest.ts';

export interface ReporterOptions {
  /** Prints only the reason if the run fails. */
  readonly quiet?: boolean;
  /** A file to write the text to; one that ends in `.json` gets the figures. */
  readonly file?: string;
  /** A percentage of the operations. If the tests call fewer, the run fails. */
  readonly threshold?: number;
}

const optionNames = namesOf<ReporterOptions>({ quiet: true, file: true, threshold: true });

/**
 * The kit itself, in the same folder: it passes on the coverage of each test file. vitest runs an `?inline`
 * module once for each test file, even if several share a process.
 */
const KIT = `${join(import.meta.dirname, `vitest${extname(import.meta.filename)}`)}?inline`;

export default class LockstepReporter implements Reporter {
  readonly #options: ReporterOptions;

  constructor(options: ReporterOptions = {}) {
    checkOptions(options, optionNames, 'The reporter');
    const { threshold = 0 } = options;
    if (!(threshold >= 0 && threshold <= 100)) {
      throw new TypeError(`The reporter's threshold is a percentage, 0 to 100, not ${threshold}`);
    }
    this.#options = options;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { project } of specifications) {
      project.provide('lockstepCoverage', true);
      const { setupFiles } = project.config;
      if (!setupFiles.includes(KIT)) setupFiles.push(KIT);
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { quiet = false, file, threshold = 0 } = this.#options;
    const total = new CoverageCount();
    let swept = notSwept;
    for (const module of modules) {
      const { lockstep } = module.meta();
      if (lockstep === undefined) continue;
      total.merge(lockstep.coverage);
      swept = addSwept(swept, lockstep.swept);
    }
    const coverage = total.toCoverage();
    const text = coverageText(coverage, swept);
    if (!quiet) process.stdout.write(text);
    if (file?.endsWith('.json')) writeFileSync(file, JSON.stringify({ ...coverage, swept }));
    else if (file !== undefined) writeFileSync(file, text.trimStart());
    const percent = percentCalled(coverage);
    if (percent >= threshold) return;
    process.exitCode = 1;
    const missed = coverage.never.operations.join(', ');
    process.stderr.write(
      `Lockstep: the tests call ${percent} % of the operations, below the threshold of ${threshold} %; never called: ${missed}\n`,
    );
  }
}
