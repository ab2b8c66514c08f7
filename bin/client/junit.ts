/** The report of `lockstep client` as JUnit XML: one suite for each kind of run. */

import type { ClientReport } from '../../mock/client/client-report.ts';
import type { Judged } from '../../mock/client/outcome.ts';
import { attributes, xmlText } from '../../reports/junit.ts';

const suites = { sweep: 'alternatives', loss: 'losses', mutant: 'broken promises' } as const;

/** A broken promise that nobody noticed fails if that was asked for, and is skipped with its reason if not. */
export function clientJunit({ results, accepted }: ClientReport, isComplete: boolean): string {
  const said = (result: Judged) => saidOf(result, isComplete, accepted);
  const made = Object.entries(suites).flatMap(([kind, name]) => {
    const own = results.filter((one) => one.kind === kind && one.outcome !== 'not met');
    const of = (word: string) => own.filter((one) => said(one)?.word === word).length;
    const counts = {
      tests: own.length,
      failures: of('failure'),
      errors: 0,
      skipped: of('skipped'),
    };
    if (own.length === 0) return [];
    return [
      `  <testsuite${attributes({ name, ...counts })}>`,
      ...own.map((one) => testcase(one, name, said(one))),
      '  </testsuite>',
    ];
  });
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return [head, `<testsuites name="lockstep client">`, ...made, '</testsuites>', ''].join('\n');
}

interface Said {
  readonly word: 'failure' | 'skipped';
  readonly message: string;
}

function saidOf(
  { id, kind, outcome, text, said }: Judged,
  isComplete: boolean,
  accepted: readonly string[],
): Said | undefined {
  const isWell = kind === 'mutant' ? outcome === 'broken' : outcome === 'held';
  if (isWell) return undefined;
  if (accepted.includes(id)) return { word: 'skipped', message: 'accepted by the baseline' };
  if (outcome === 'flaky') return { word: 'skipped', message: 'failed once and passed once' };
  const isFailure = kind !== 'mutant' || isComplete;
  const message = kind === 'mutant' ? `nobody noticed: ${text}` : (said ?? text);
  return { word: isFailure ? 'failure' : 'skipped', message };
}

function testcase({ id, tests }: Judged, classname: string, said: Said | undefined): string {
  const own = attributes({ name: id, classname });
  if (said === undefined) return `    <testcase${own}/>`;
  const { word, message } = said;
  return `    <testcase${own}><${word}${attributes({ message })}>${xmlText(tests.join('\n'))}</${word}></testcase>`;
}
