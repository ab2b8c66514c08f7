/**
 * The rules of evidence: each says which circumstance keeps the raw result of a check from counting, and
 * what the result becomes. Only this table rewrites a verdict. `npm run generate` prints it in
 * conformance/README.md, and each row has a test.
 */

import type { Judged } from './report.ts';
import { isFailure } from './verdict.ts';

export interface Rule {
  /** The circumstance in words, for the table. */
  readonly circumstance: string;
  /** Which results it keeps from counting; `none` if nothing was answered. */
  readonly keeps: 'a failure' | 'any result' | 'none';
  readonly becomes:
    | 'not-testable'
    /** Not testable, but not a gap either. */
    | 'nothing'
    | 'not-applicable'
    | 'late'
    | 'unstable'
    /** The other result counts. */
    | 'held'
    | 'left changed'
    /** Reported, but not a failure. */
    | 'observed';
  /** A text with facts of the circumstance as `{name}`. */
  readonly reason: string;
}

/** A failure that others may have caused. */
const doubtful = <const Reason extends string>(circumstance: string, reason: Reason) =>
  ({ circumstance, keeps: 'a failure', becomes: 'not-testable', reason }) as const;

/** No answer came that could be checked. */
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
    circumstance: 'the answer does not show the subject of the check, or shows too little of it',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  'entitlement-open': {
    circumstance: 'the tenant file does not say whether the caller is entitled to the call',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  late: {
    circumstance: 'the change shows after the wait is over; the description gives no limit',
    keeps: 'a failure',
    becomes: 'late',
    reason: 'late: it showed after {took} s, and the run waits {waits} s (--convergence)',
  },
  'list-moved': {
    circumstance:
      'the list changed during the walk; the check held in another walk, without a change',
    keeps: 'a failure',
    becomes: 'held',
    reason: 'it held in a walk during which the list did not change',
  },
  'list-moves': doubtful(
    'the list changed in at least two of three walks',
    'the list changed while it was walked, three times',
  ),
  'walks-differ': {
    circumstance: 'one walk failed and another held, and the list did not change in either',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in one walk and held in another, and the list did not change',
  },
  'walk-once': doubtful(
    'one of six walks failed: others may have changed the list and changed it back',
    'it failed in one of {walks} walks, as it may if others change the list and change it back',
  ),
  'changed-by-others': doubtful(
    '`confirm`: the next try began with the same state as the first try saw at its failure',
    'it failed once, and what it compares was changed by others meanwhile',
  ),
  'moved-by-others': doubtful(
    '`confirm`: the same item came or went in another try, at another step',
    'it failed once, and others moved the same in another try',
  ),
  'moves-by-itself': doubtful(
    '`confirm`: the compared items come or go while the run writes nothing',
    'what it compares moves while the run changes nothing',
  ),
  'gateway-once': doubtful(
    'a gateway may have answered a write, and the failure did not come in another try',
    'it failed after a write was answered {status}, as a gateway may, and not in another try',
  ),
  'not-tried-again': doubtful(
    '`confirm`: no other try got as far as this check',
    'it failed once, and could not be tried again',
  ),
  'held-again': {
    circumstance: '`confirm`: it held in another try, and no change by others explains the failure',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in one try and held in another',
  },
  'beside-others': doubtful(
    'others shared the area, and a comparison failed or a gateway may have answered',
    'it failed while others shared its area, and was not tried alone',
  ),
  'at-times': {
    circumstance: 'it failed in some turns of the scenario and held in others',
    keeps: 'a failure',
    becomes: 'unstable',
    reason: 'it failed in {failed} of {tries} tries',
  },
  'taken-in-turns': doubtful(
    'it failed only in a mixed try, with several callers or several changes',
    'it failed while several things were varied, and held with each change alone',
  ),
  'open-refused': doubtful(
    'a varied call was refused, and the description allows the refusal',
    'it failed in a try in which the target refused what the description leaves open',
  ),
  'no-answer': untried('no answer came, or none that can be judged', '{reason}'),
  gateway: untried('a gateway answered instead of the service', '{reason}'),
  page: {
    circumstance: 'pages came in place of answers, one after the other and for several operations',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: 'a page stood in place of the service: it is in maintenance, or asks for a login',
  },
  outage: {
    circumstance:
      'the run stopped because writes failed one after the other, and this was one of them',
    keeps: 'any result',
    becomes: 'not-testable',
    reason: '{reason}',
  },
  throttled: untried('the target throttled for longer than a call waits', '{reason}'),
  'could-not-run': untried(
    'the target did not answer, so the scenario was broken off or never begun',
    'could not run: {reason}',
  ),
  interrupted: untried('the run was interrupted, or its time was over', '{reason}'),
  'credential-stopped': untried(
    'the credential stopped working in mid-run',
    'the credential {credential} stopped working during the run',
  ),
  'not-written': untried('the write was not sent, because it could not be put back', '{reason}'),
  'requirement-unmet': untried('the condition of the step (`require`) does not hold', '{reason}'),
  'step-before': untried(
    'an earlier step did not get the answer that later steps need (`expect`)',
    'stopped after step {step}: it was answered {answered}, and later steps need another answer',
  ),
  unresolved: untried('a value that the step needs does not exist', '{reason}'),
  'not-allowed': untried(
    'the scenario changes more than `--allow` says',
    'not allowed: needs --allow {effect}',
  ),
  'need-missing': untried(
    'the tenant file lacks a credential or a binding that the scenario needs',
    '{reason}',
  ),
  unforeseen: untried(
    'a write of the scenario cannot be foreseen, or would touch an object that is not bound',
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
    reason:
      'the target behaves differently; the statement only follows from the description: {why}',
  },
  'put-back-lost': {
    circumstance: 'the put-back of an object was accepted, but had no effect',
    keeps: 'none',
    becomes: 'left changed',
    reason: 'the put-back was accepted, but the state still differs',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rulesOfEvidence;

/** The names in the braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The circumstance of a rule, with each fact that the rule's reason names. */
export type Circumstance = {
  [Name in RuleName]: { readonly rule: Name } & {
    readonly [Fact in NamesIn<(typeof rulesOfEvidence)[Name]['reason']>]: string | number;
  };
}[RuleName];

/** The reason why a result does not count, as a sentence. */
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

/** Removes the expected and actual values, which no longer mean anything. */
function cleared(result: Judged): Omit<Judged, 'verdict'> {
  const { expected: _e, actual: _a, pointer: _p, reason: _r, verdict: _v, ...rest } = result;
  return rest;
}

/** The rows as a table of Markdown. */
export function rulesTable(): string {
  const rows = Object.entries(rulesOfEvidence).map(([name, rule]) => {
    const { circumstance, keeps, becomes, reason } = rule;
    const said = reason === '{reason}' ? 'the event, in words' : `"${reason}"`;
    return `| \`${name}\` | ${circumstance} | ${keeps} | ${becomes} | ${said} |\n`;
  });
  const head = '| rule | circumstance | keeps from counting | becomes | reason |\n';
  return [head, '|---|---|---|---|---|\n', ...rows].join('');
}
