/**
 * The rules of evidence. Each rule names a circumstance, the result that does not count in it, and the
 * result that counts instead. Only this table rewrites a verdict. `npm run generate` prints it in
 * conformance/README.md, and each row has a test.
 */

import type { Judged } from './report.ts';
import { isFailure } from './verdict.ts';

export interface Rule {
  /** The circumstance in words, for the table. */
  readonly circumstance: string;
  /** The results that the rule replaces. `none`: the check has no result, because it got no answer. */
  readonly replaces: 'a failure' | 'any result' | 'none';
  readonly by:
    | 'not-testable'
    /** The check has no result, and this does not count as a gap. */
    | 'nothing'
    | 'not-applicable'
    | 'late'
    | 'unstable'
    /** The check held in another try, and that result counts. */
    | 'held'
    | 'left changed'
    /** Reported, but not a failure. */
    | 'observed';
  /** A text with facts of the circumstance as `{name}`. */
  readonly reason: string;
}

/** The rule of a failure that others may have caused. */
const doubtful = <const Reason extends string>(circumstance: string, reason: Reason) =>
  ({ circumstance, replaces: 'a failure', by: 'not-testable', reason }) as const;

/** The rule of a check that got no answer to judge. */
const untried = <const Reason extends string>(circumstance: string, reason: Reason) =>
  ({ circumstance, replaces: 'none', by: 'not-testable', reason }) as const;

export const rulesOfEvidence = {
  'condition-unmet': {
    circumstance: 'the check has a condition of its own, and it does not hold',
    replaces: 'any result',
    by: 'nothing',
    reason: '{reason}',
  },
  'not-shown': {
    circumstance: 'the answer does not show the subject of the check, or shows too little of it',
    replaces: 'any result',
    by: 'not-testable',
    reason: '{reason}',
  },
  'entitlement-open': {
    circumstance: 'the tenant file does not say whether the caller is entitled to the call',
    replaces: 'any result',
    by: 'not-testable',
    reason: '{reason}',
  },
  late: {
    circumstance: 'the change shows, but only after the wait; the description gives no time',
    replaces: 'a failure',
    by: 'late',
    reason: 'late: it showed after {took} s, and the run waits {waits} s (--convergence)',
  },
  'list-moved': {
    circumstance:
      'the list changed during the walk; the check held in another walk, without a change',
    replaces: 'a failure',
    by: 'held',
    reason: 'it held in a walk during which the list did not change',
  },
  'list-moves': doubtful(
    'the list changed in at least two of three walks',
    'the list changed while it was walked, three times',
  ),
  'walks-differ': {
    circumstance: 'one walk failed and another held, and the list did not change in either',
    replaces: 'a failure',
    by: 'unstable',
    reason: 'it failed in one walk and held in another, and the list did not change',
  },
  'walk-once': doubtful(
    'one of six walks failed: others may have changed the list and changed it back',
    'it failed in one of {walks} walks, as it may if others change the list and change it back',
  ),
  'changed-by-others': doubtful(
    '`confirm`: the check holds if it is compared with the state at the start of the next try',
    'it failed once, and others changed meanwhile what it compares',
  ),
  'moved-by-others': doubtful(
    '`confirm`: in another try the same item came or went, at another step',
    'it failed once, and others moved the same item in another try',
  ),
  'object-changed': doubtful(
    '`confirm`: an object shows a text that the run neither wrote nor read, and in each try another one',
    'somebody else changes {object} during the run',
  ),
  'moves-by-itself': doubtful(
    '`confirm`: the compared items come or go while the run writes nothing',
    'the items that it compares come or go while the run changes nothing',
  ),
  'gateway-once': doubtful(
    'a gateway may have answered a write, and the failure did not come in another try',
    'it failed after a write was answered {status}, perhaps by a gateway, and not in another try',
  ),
  'not-tried-again': doubtful(
    '`confirm`: no other try got as far as this check',
    'it failed once, and could not be tried again',
  ),
  'held-again': {
    circumstance: '`confirm`: it held in another try, and no change by others explains the failure',
    replaces: 'a failure',
    by: 'unstable',
    reason: 'it failed in one try and held in another',
  },
  'ran-concurrently': doubtful(
    'other scenarios ran in the same area, and a comparison failed or a gateway may have answered',
    'it failed while other scenarios ran in its area, and was not tried alone',
  ),
  'at-times': {
    circumstance:
      'it failed in some turns of the scenario and held in others, in the same variation',
    replaces: 'a failure',
    by: 'unstable',
    reason: 'it failed in {failed} of {tries} tries',
  },
  'several-variations': doubtful(
    'it failed only in a turn with several variations, such as another caller and another spelling',
    'it failed with several variations together, and held with each of them alone',
  ),
  'open-refused': doubtful(
    'the target refused a varied call, and the description allows the refusal',
    'it failed in a try in which the target refused what the description leaves open',
  ),
  'no-answer': untried('no answer came, or none that can be judged', '{reason}'),
  gateway: untried('a gateway answered instead of the service', '{reason}'),
  page: {
    circumstance: 'web pages came in place of answers, in a row and for several operations',
    replaces: 'any result',
    by: 'not-testable',
    reason:
      'a web page came in place of answers: the service is in maintenance, or asks for a login',
  },
  outage: {
    circumstance: 'the run stopped because several writes failed in a row, and this is one of them',
    replaces: 'any result',
    by: 'not-testable',
    reason: '{reason}',
  },
  throttled: untried(
    'the target throttled a call for longer than the run waits for it',
    '{reason}',
  ),
  'could-not-run': untried(
    'the target did not answer, so the run broke off the scenario or did not begin it',
    'could not run: {reason}',
  ),
  interrupted: untried('somebody interrupted the run, or its time was over', '{reason}'),
  'credential-stopped': untried(
    'the credential stopped working during the run',
    'the credential {credential} stopped working during the run',
  ),
  'not-written': untried(
    'the run did not send the write, because it could not put it back',
    '{reason}',
  ),
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
    'the plan cannot list a write of the scenario, or the write is to an object that is not bound',
    '{reason}',
  ),
  contradiction: {
    circumstance: 'a credential or a binding is not what the tenant file claims',
    replaces: 'any result',
    by: 'not-testable',
    reason: '{reason}',
  },
  'feature-off': {
    circumstance: 'the tenant file says that the feature is off',
    replaces: 'none',
    by: 'not-applicable',
    reason: 'the tenant file says {feature}: {says}',
  },
  'feature-there': {
    circumstance: 'only a tenant whose plan lacks the feature can show it',
    replaces: 'none',
    by: 'not-applicable',
    reason: 'the tenant file does not say {feature}: absent',
  },
  inferred: {
    circumstance:
      'the statement only follows from the description, and `--inferred report` is given',
    replaces: 'a failure',
    by: 'observed',
    reason:
      'the target behaves differently; the statement only follows from the description: {why}',
  },
  'put-back-lost': {
    circumstance: 'the target accepted the put-back of an object, but the put-back had no effect',
    replaces: 'none',
    by: 'left changed',
    reason: 'the target accepted the put-back, but the state still differs',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rulesOfEvidence;

/** The names in the braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A circumstance: its rule, and each fact that the rule's reason names. */
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

/** Applies a rule to a result. `held` is the evidence of the result that held elsewhere. */
export function judgedIn(
  result: Judged,
  circumstance: Circumstance,
  held: readonly string[] = [],
): Judged {
  const { replaces, by }: Rule = rulesOfEvidence[circumstance.rule];
  if (replaces === 'a failure' && !isFailure(result.verdict)) return result;
  const reason = reasonOf(circumstance);
  switch (by) {
    case 'not-testable':
    case 'late':
      return { ...cleared(result), verdict: 'not-testable', reason };
    case 'nothing':
      return { ...cleared(result), verdict: 'not-testable', reason, unmet: true };
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

/** Removes the expected and actual values, which mean nothing for a result that does not count. */
function cleared(result: Judged): Omit<Judged, 'verdict'> {
  const { expected: _e, actual: _a, pointer: _p, reason: _r, verdict: _v, ...rest } = result;
  return rest;
}

/** The rows as a table of Markdown. */
export function rulesTable(): string {
  const rows = Object.entries(rulesOfEvidence).map(([name, rule]) => {
    const { circumstance, replaces, by, reason } = rule;
    const said = reason === '{reason}' ? 'the event, in words' : `"${reason}"`;
    return `| \`${name}\` | ${circumstance} | ${replaces} | ${by} | ${said} |\n`;
  });
  const head = '| rule | if | this result | counts as | reason in the report |\n';
  return [head, '|---|---|---|---|---|\n', ...rows].join('');
}
