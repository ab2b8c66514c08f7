/**
 * The rules of evidence: which circumstance keeps the raw result of a check from counting, and what
 * it becomes. This table is the only place that rewrites a verdict. `npm run generate` prints it in
 * conformance/README.md, and each row has a test.
 */

import type { Judged } from './report.ts';
import { isFailure } from './verdict.ts';

export interface Rule {
  /** In words, as the table shows it. */
  readonly circumstance: string;
  /** Which results it keeps from counting; `none` if nothing was answered. */
  readonly keeps: 'a failure' | 'any result' | 'none';
  readonly becomes:
    | 'not-testable'
    /** Not testable, and no gap either. */
    | 'nothing'
    | 'not-applicable'
    | 'late'
    | 'unstable'
    /** The other result counts. */
    | 'held'
    | 'left changed'
    /** Told, and fails nobody. */
    | 'observed';
  /** `{name}` is a fact of the circumstance. */
  readonly reason: string;
}

/** A failure that may be somebody else's doing. */
const doubtful = <const Reason extends string>(circumstance: string, reason: Reason) =>
  ({ circumstance, keeps: 'a failure', becomes: 'not-testable', reason }) as const;

/** Nothing was answered that could be checked. */
const untried = <const Reason extends string>(circumstance: string, reason: Reason) =>
  ({ circumstance, keeps: 'none', becomes: 'not-testable', reason }) as const;

export const rulesOfEvidence = {
  'condition-unmet': {
    circumstance: 'the check has a condition of its own, and it does not hold',
    keeps: 'any result',
    becomes: 'nothing',
    reason: '{reason}',
  },
  'not-shown': {
    circumstance: 'the answer does not show what the check speaks of, or too little of it',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  'entitlement-open': {
    circumstance: 'the tenant file leaves open what the caller is entitled to',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  late: {
    circumstance: 'it shows once the wait is over; the description gives no bound',
    keeps: 'a failure',
    becomes: 'late',
    reason: 'late: it showed after {took} s, and the run waits {waits} s (--convergence)',
  },
  'list-moved': {
    circumstance: 'the list moved while it was walked; another walk held while it stood still',
    keeps: 'a failure',
    becomes: 'held',
    reason: 'it held in a walk over which the list stood still',
  },
  'list-moves': doubtful(
    'the list stood still in fewer than two of three walks',
    'the list changed while it was walked, three times',
  ),
  'walks-differ': {
    circumstance: 'one walk failed and another held, and the list stood still in both',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in one walk and held in another, and the list stood still',
  },
  'changed-by-others': doubtful(
    '`confirm`: the first try left off at what the next began with',
    'it failed once, and what it compares was changed by others meanwhile',
  ),
  'moved-by-others': doubtful(
    '`confirm`: the same came or went in another try, at another step',
    'it failed once, and others moved the same in another try',
  ),
  'moves-by-itself': doubtful(
    '`confirm`: what it compares moves while the run changes nothing',
    'it failed once, and what it compares moves while the run changes nothing',
  ),
  'gateway-once': doubtful(
    'a write was answered as a gateway may, and the failure did not come in another try',
    'it failed after a write was answered {status}, as a gateway may, and not in another try',
  ),
  'not-tried-again': doubtful(
    '`confirm`: no other try got as far as this check',
    'it failed once, and could not be tried again',
  ),
  'held-again': {
    circumstance: '`confirm`: it held in another try, and nothing that others did explains it',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in one try and held in another',
  },
  'beside-others': doubtful(
    'others shared the area, a comparison failed or a gateway may have answered, and the turn is not one alone',
    'it failed beside others that share its area, and was not tried alone',
  ),
  'at-times': {
    circumstance: 'it failed in some turns of the scenario and held in others',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in {failed} of {tries} tries',
  },
  'taken-in-turns': doubtful(
    'it failed in a mixed try only, in which callers took turns or several things were varied',
    'it failed as the calls of the scenario were made in several ways in turn, and held in each way alone',
  ),
  'open-refused': doubtful(
    'a call was refused that was varied in a way that the description leaves open',
    'it failed in a try in which the target refused what the description leaves open',
  ),
  'no-answer': untried('no answer came, or none that can be judged', '{reason}'),
  gateway: untried('a gateway answered instead of the service', '{reason}'),
  page: {
    circumstance:
      'pages stood in place of the answers, one after the other and for several operations',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: 'a page stood in place of the service: it is in maintenance, or asks for a login',
  },
  outage: {
    circumstance: 'the run was stopped, as writes failed one after the other, and this was one',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  throttled: untried('the target throttled for longer than a call waits', '{reason}'),
  'could-not-run': untried(
    'the scenario was broken off before, or never begun, as the target does not answer',
    'could not run: {reason}',
  ),
  interrupted: untried('the run was interrupted, or its time was over', '{reason}'),
  'credential-stopped': untried(
    'the credential stopped working in mid-run',
    'the credential {credential} stopped working during the run',
  ),
  'not-written': untried('the write was not sent, as it could not be put back', '{reason}'),
  'requirement-unmet': untried('what the step requires (`require`) is not so', '{reason}'),
  'step-before': untried(
    'an earlier step was not answered as the rest needs it (`expect`)',
    'step {step} was not answered as the rest needs it ({answered})',
  ),
  unresolved: untried('a value that the step needs is not there', '{reason}'),
  'not-allowed': untried(
    'the scenario changes more than `--allow` says',
    'not allowed: needs --allow {effect}',
  ),
  'need-missing': untried(
    'the tenant file lacks a credential or a binding that the scenario needs',
    '{reason}',
  ),
  unforeseen: untried(
    'a write of the scenario cannot be foreseen, or would touch what is not bound',
    '{reason}',
  ),
  contradiction: untried(
    'a credential or a binding is not what the tenant file claims',
    '{reason}',
  ),
  'feature-off': {
    circumstance: 'the tenant file says that the feature is off',
    keeps: 'none',
    becomes: 'not-applicable',
    reason: 'the tenant file says {feature}: {says}',
  },
  'feature-there': {
    circumstance: 'only a plan without the feature could show it',
    keeps: 'none',
    becomes: 'not-applicable',
    reason: 'the tenant file does not say {feature}: absent',
  },
  inferred: {
    circumstance: 'the description does not say it, and `--inferred report` was given',
    keeps: 'a failure',
    becomes: 'observed',
    reason: 'the target does otherwise; the statement only follows from the description: {why}',
  },
  'put-back-lost': {
    circumstance: 'what was sent to put an object back was accepted, and did not take',
    keeps: 'none',
    becomes: 'left changed',
    reason: 'the run put back what was there, and it still reads otherwise',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rulesOfEvidence;

/** The names in the braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The circumstance of a rule, as it happened: with each fact that the rule's reason names. */
export type Circumstance = {
  [Name in RuleName]: { readonly rule: Name } & {
    readonly [Fact in NamesIn<(typeof rulesOfEvidence)[Name]['reason']>]: string | number;
  };
}[RuleName];

/** Why a result does not count, in a sentence. */
export function reasonOf(circumstance: Circumstance): string {
  const facts: Readonly<Record<string, string | number>> = circumstance;
  return rulesOfEvidence[circumstance.rule].reason.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
    String(facts[name]),
  );
}

/** Applies a rule to a result. `held`: the evidence of a result that held elsewhere. */
export function judgedIn(
  result: Judged,
  circumstance: Circumstance,
  held: readonly string[] = [],
): Judged {
  const { keeps, becomes }: Rule = rulesOfEvidence[circumstance.rule];
  if (keeps === 'a failure' && !isFailure(result.verdict)) return result;
  const reason = reasonOf(circumstance);
  switch (becomes) {
    case 'not-testable':
    case 'late':
      return { ...cleared(result), verdict: 'not-testable', reason };
    case 'nothing':
      return { ...cleared(result), verdict: 'not-testable', reason, moot: true };
    case 'not-applicable':
      return { ...cleared(result), verdict: 'not-applicable', reason };
    case 'held':
      return { ...cleared(result), verdict: 'verified', evidence: held };
    case 'unstable':
      return { ...result, verdict: 'unstable', reason, held };
    case 'left changed':
      return { ...result, verdict: 'violated', reason };
    case 'observed':
      return { ...result, verdict: 'observed', reason };
  }
}

/** Without what it expected and what came, which say nothing any more. */
function cleared(result: Judged): Omit<Judged, 'verdict'> {
  const { expected: _e, actual: _a, pointer: _p, reason: _r, verdict: _v, ...rest } = result;
  return rest;
}

/** The rows as a table of Markdown. */
export function rulesTable(): string {
  const rows = Object.entries(rulesOfEvidence).map(([name, rule]) => {
    const { circumstance, keeps, becomes, reason } = rule;
    const said = reason === '{reason}' ? 'what happened' : `"${reason}"`;
    return `| \`${name}\` | ${circumstance} | ${keeps} | ${becomes} | ${said} |\n`;
  });
  const head = '| rule | circumstance | keeps from counting | becomes | reason |\n';
  return [head, '|---|---|---|---|---|\n', ...rows].join('');
}
