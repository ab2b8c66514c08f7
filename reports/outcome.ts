/**
 * What a report comes to, in words: one judgement that all renderers share.
 *
 * Nothing is judged anew here; the report's verdicts and exit code are put into sentences.
 */

import type {
  CheckResult,
  Report,
  StatementResult,
  StatementVerdict,
  Verdict,
} from '../conformance/judge/report.ts';
import { exitCodes } from '../conformance/judge/report.ts';
import { count, list } from './text.ts';

/** `passed`: nothing to do. `gaps`: nothing broken, something untried. */
export type Tone = 'passed' | 'gaps' | 'failed' | 'not-judged';

export interface Outcome {
  readonly tone: Tone;
  /** One word or two: `Passed`. */
  readonly word: string;
  /** One sentence that a manager can read. */
  readonly sentence: string;
  /** Further sentences that narrow the first one. */
  readonly notes: readonly string[];
}

export const verdictWords: Readonly<Record<StatementVerdict, string>> = {
  verified: 'verified',
  violated: 'violated',
  deviates: 'deviates',
  'not-testable': 'not testable',
  'not-applicable': 'not applicable',
  observed: 'observed',
  unobservable: 'unobservable',
  'not-selected': 'not selected',
};

/** From bad to good; the worst of several checks stands for all. */
const order: readonly Verdict[] = [
  'violated',
  'deviates',
  'not-testable',
  'not-applicable',
  'verified',
  'observed',
];

/** The worst of some verdicts; `observed` of none. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'observed';
}

export interface Figures {
  /** Statements that a call could show, were in the run, and belong to a feature that is there. */
  readonly documented: Tally;
  readonly standard: Tally;
  readonly silences: { readonly observed: number; readonly of: number };
  readonly unobservable: number;
  readonly notApplicable: number;
  readonly notSelected: number;
}

export interface Tally {
  readonly of: number;
  readonly verified: number;
  readonly broken: number;
  readonly gaps: number;
}

export function figures(report: Report): Figures {
  const { documented, standard, silent } = report.totals.statements;
  const across = (verdict: StatementVerdict): number =>
    documented[verdict] + standard[verdict] + silent[verdict];
  return {
    documented: tally(documented, documented.violated + documented.deviates),
    standard: tally(standard, standard.violated + standard.deviates),
    silences: {
      observed: silent.observed,
      of:
        Object.values(silent).reduce((sum, number) => sum + number, 0) -
        silent['not-selected'] -
        silent['not-applicable'],
    },
    unobservable: across('unobservable'),
    notApplicable: across('not-applicable'),
    notSelected: across('not-selected'),
  };
}

function tally(verdicts: Readonly<Record<StatementVerdict, number>>, broken: number): Tally {
  const gaps = verdicts['not-testable'];
  return { of: verdicts.verified + broken + gaps, verified: verdicts.verified, broken, gaps };
}

export function outcome(report: Report): Outcome {
  const { tone, word, sentence } = judged(report);
  return { tone, word, sentence, notes: notes(report) };
}

function judged(report: Report): Omit<Outcome, 'notes'> {
  const { documented, standard } = figures(report);
  const enforced = report.options.standards === 'enforce';
  if (report.exitCode === exitCodes.unsafe) {
    return refused('Refused', 'The run was refused as unsafe.');
  }
  if (report.exitCode === exitCodes.usage) {
    return refused('Not judged', 'The run was not configured so that it could judge the target.');
  }
  const broken = [
    ...(documented.broken > 0
      ? [`breaks ${documented.broken} of ${count(documented.of, 'documented promise')}`]
      : []),
    ...(standard.broken > 0 && enforced
      ? [`deviates from ${standard.broken} of ${count(standard.of, 'standard statement')}`]
      : []),
  ];
  if (broken.length > 0) {
    return { tone: 'failed', word: 'Failed', sentence: `The target ${list(broken)}.` };
  }
  const { gaps } = report.totals;
  const verified = documented.verified + standard.verified;
  if (report.exitCode === exitCodes.couldNotRun) {
    return refused('Not judged', `No verdict: ${whyNone(report)}.`);
  }
  if (report.exitCode === exitCodes.stale) {
    return {
      tone: 'failed',
      word: 'Stale baseline',
      sentence: 'The target keeps its promises, but the baseline expects otherwise.',
    };
  }
  if (gaps > 0) {
    return {
      tone: report.exitCode === exitCodes.ok ? 'gaps' : 'failed',
      word: report.exitCode === exitCodes.ok ? 'Passed with gaps' : 'Incomplete',
      sentence: `No promise is broken: ${verified} of ${count(verified + gaps + standard.broken, 'statement')} verified, ${gaps} could not be tried${report.exitCode === exitCodes.ok ? '' : ', and the run was to be complete'}.`,
    };
  }
  return { tone: 'passed', word: 'Passed', sentence: kept(report) };
}

function whyNone({ leftBehind, interrupted, totals }: Report): string {
  const { couldNotRun } = totals.scenarios;
  const reasons = [
    ...(leftBehind.length > 0
      ? [`${count(leftBehind.length, 'object')} could not be put back and stand changed`]
      : []),
    ...(interrupted ? ['the run was interrupted'] : []),
    ...(couldNotRun > 0
      ? [
          `${count(couldNotRun, 'scenario')} could not run, because the target did not answer as a service would`,
        ]
      : []),
  ];
  return reasons.length > 0 ? list(reasons) : 'nothing was evaluated';
}

function kept(report: Report): string {
  const { documented, standard, notSelected, notApplicable } = figures(report);
  const whole = notSelected + notApplicable === 0 && report.options.shard === undefined;
  const number =
    documented.of > 0
      ? count(documented.of, 'documented promise')
      : count(standard.of, 'statement of standards', 'statements of standards');
  return `The target keeps all ${number} that ${whole ? 'a call can show' : 'were tried'}.`;
}

function refused(word: string, sentence: string): Omit<Outcome, 'notes'> {
  return { tone: 'not-judged', word, sentence };
}

function notes(report: Report): readonly string[] {
  const { standard, notSelected } = figures(report);
  const { shard, only, standards } = report.options;
  return [
    ...(standard.broken > 0 && standards === 'report'
      ? [
          `It deviates from ${count(standard.broken, 'statement')} of standards, which is reported and not held against it.`,
        ]
      : []),
    ...(only.length > 0 || notSelected > 0
      ? [
          `The run was narrowed: ${count(notSelected, 'statement was', 'statements were')} not in it.`,
        ]
      : []),
    ...(shard === undefined
      ? []
      : [`This is part ${shard.index} of ${shard.of} of a run that was split.`]),
  ];
}

/** Checks that say why a statement failed, in the order of the report. */
export function failures(statement: StatementResult): readonly CheckResult[] {
  return statement.checks.filter(({ verdict }) => verdict === 'violated' || verdict === 'deviates');
}

/** Whether a statement's verdict makes the run fail. */
export function fails(
  { level, verdict }: Pick<StatementResult, 'level' | 'verdict'>,
  options: Report['options'],
): boolean {
  if (level === 'silent') return false;
  if (verdict === 'violated') return true;
  if (verdict === 'deviates') return options.standards === 'enforce';
  return verdict === 'not-testable' && options.complete;
}

export interface Gap {
  readonly reason: string;
  readonly statements: readonly StatementResult[];
}

/** Promises that could not be tried, by reason; the reason that hides most comes first. */
export function gaps(report: Report): readonly Gap[] {
  const untried = report.statements.filter(
    ({ level, verdict }) => level !== 'silent' && verdict === 'not-testable',
  );
  return [...Map.groupBy(untried, reasonOf)]
    .map(([reason, statements]) => ({ reason, statements }))
    .sort((a, b) => b.statements.length - a.statements.length);
}

/** Why a statement has the verdict that it has. */
export function reasonOf(statement: StatementResult): string {
  const own = statement.checks.find(
    ({ verdict, reason }) => verdict === statement.verdict && reason !== undefined,
  );
  return statement.reason ?? own?.reason ?? 'no reason was given';
}

export interface Advice {
  readonly look: string;
  /** To run the statement alone. */
  readonly command: string;
}

/** What somebody does next who sees a statement broken. */
export function advice(statement: StatementResult, { target, options }: Report): Advice {
  const source = statement.level === 'standard' ? 'the standard' : 'the description';
  return {
    look: `compare the evidence with ${source} (${statement.section}), then run it alone`,
    command: [
      'lockstep certify',
      `--base-url ${quoted(target.baseUrl)}`,
      ...(target.kind === 'mock' ? [] : ['--tenant FILE', `--allow ${options.allow}`]),
      `--only ${statement.id}`,
    ].join(' '),
  };
}

/** A word of a command line, so that it can be pasted into a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
