/** A run of the suite against a mock behind which deviations are hidden. */
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
  /** What is broken, with the checks that failed or could not be tried. */
  readonly statements: readonly StatementResult[];
}

export async function hiddenRun(
  service: Service,
  suite: Suite,
  id: string,
  hiding: Hiding,
): Promise<HiddenRun> {
  const deviations = deviationsOf(id.split('+'));
  const scenarios = suite.scenarios.filter(({ operations, statements }) =>
    deviations.some(
      ({ operations: broken, breaks, collateral = [] }) =>
        broken.some((name) => operations?.has(name) ?? true) &&
        [...breaks, ...collateral].some((name) => statements.has(name)),
    ),
  );
  const assumptions = hiding === 'otherwise' ? atRandom(id) : {};
  const { target } = await targetWith(service, deviations, { assumptions });
  try {
    const tries = hiding === 'at times' ? { tries: 4, seed: 1 } : {};
    const { statements } = await reportOf({ ...suite, scenarios }, target, tries);
    return { id, statements: statements.flatMap(brokenPart) };
  } finally {
    await target.close();
  }
}

function brokenPart(statement: StatementResult): StatementResult[] {
  const checks = statement.checks.filter(
    ({ verdict }) => isFailure(verdict) || verdict === 'not-testable',
  );
  return checks.length === 0 ? [] : [{ ...statement, checks }];
}

/** A choice for each silence, the same for the same text. */
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
