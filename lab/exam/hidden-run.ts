/** Runs the suite against a mock with hidden deviations. */
import type { StatementResult } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Service } from '../../mock/service/service.ts';
import { Random } from '../../spec/base/random.ts';
import { choicesOf, contract } from '../../spec/contract.ts';
import { deviationsOf } from '../areas/catalogue.ts';
import type { Hiding } from './diagnosis-md.ts';
import { targetWith } from './in-process.ts';
import { reportOf } from './suite-run.ts';

export interface HiddenRun {
  readonly id: string;
  /** The broken statements, with the checks that failed or could not be tried. */
  readonly statements: readonly StatementResult[];
}

export async function hiddenRun(
  service: Service,
  suite: Suite,
  id: string,
  hiding: Hiding,
): Promise<HiddenRun> {
  const deviations = deviationsOf(id.split('+'));
  const calling = suite.scenarios.filter(({ operations }) =>
    deviations.some((one) => one.operations.some((name) => operations?.has(name) ?? true)),
  );
  const named = new Set(
    deviations.flatMap(({ breaks, alsoBreaks = [] }) => [...breaks, ...alsoBreaks]),
  );
  const naming = calling.filter(({ statements }) => !statements.isDisjointFrom(named));
  const statements = await run(naming);
  const broken = new Set(statements.flatMap((one) => (isFailure(one.verdict) ? [one.id] : [])));
  // If a broken statement holds for every answer, no scenario names it, so the whole suite runs.
  const isSeen = deviations.every(({ breaks }) => breaks.some((one) => broken.has(one)));
  return { id, statements: isSeen ? statements : await run(calling) };

  async function run(scenarios: Suite['scenarios']): Promise<readonly StatementResult[]> {
    const assumptions = hiding === 'otherwise' ? atRandom(id) : {};
    const { target } = await targetWith(service, deviations, { assumptions });
    try {
      const tries = hiding === 'at times' ? { tries: 4, seed: 1 } : {};
      const report = await reportOf({ ...suite, scenarios }, target, tries);
      return report.statements.flatMap(brokenPart);
    } finally {
      await target.close();
    }
  }
}

function brokenPart(statement: StatementResult): StatementResult[] {
  const checks = statement.checks.filter(
    ({ verdict }) => isFailure(verdict) || verdict === 'not-testable',
  );
  return checks.length === 0 ? [] : [{ ...statement, checks }];
}

/** A random choice for each silence; the text is the seed. */
function atRandom(text: string): Readonly<Record<string, string>> {
  const random = new Random([...text].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7) >>> 0);
  const silences = [...contract.statements.values()].filter(({ level }) => level === 'silent');
  return Object.fromEntries(
    silences.flatMap((silence) => {
      const choices = choicesOf(silence).filter(({ inert }) => inert === undefined);
      const choice = choices[random.below(choices.length)];
      return choice === undefined ? [] : [[silence.id, choice.id]];
    }),
  );
}
