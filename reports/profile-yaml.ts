/**
 * The answers of a target to the silences of the description, as `lockstep mock --profile` reads
 * them: a mock that starts with the profile behaves as the target did.
 */

import { outlined } from '../conformance/compare/silences.ts';
import type { Report, StatementResult } from '../conformance/judge/report.ts';
import { isObject, type JsonObject } from '../spec/base/json.ts';
import { visible } from '../spec/base/visible.ts';
import { type Choice, choicesOf, contract, named } from '../spec/contract.ts';
import { toldReason } from './findings.ts';
import { cut, list } from './text.ts';

/**
 * Sorts the observed silences of a report by statement. `choices` has the one known choice that was
 * observed, if a mock can act on it, or that of each operation; `open` has the reason why nothing was learned.
 */
export function learned({ statements, observations }: Pick<Report, 'statements' | 'observations'>) {
  const choices = new Map<string, string>(furtherContent(observations));
  const open = new Map<string, string>();
  for (const statement of statements) {
    // No call can show these, so nobody expects to learn them.
    if (statement.level !== 'silent' || statement.verdict === 'unobservable') continue;
    // The values seen, each with its known choice.
    const seen = statement.checks.flatMap(({ verdict, actual }) =>
      verdict === 'observed' && isObject(actual) ? [actual] : [],
    );
    const told = [...new Set(seen.flatMap(({ choice }) => choice ?? []))];
    // If another silence refuses the call, the choice is `other` and shows nothing of this one.
    const known = told.filter((choice) => choice !== 'other').map(String);
    const { conclusive } = contract.statements.get(statement.id) ?? {};
    const certain = known.filter((choice) => choice === conclusive);
    const [only, ...more] = certain.length > 0 ? certain : known;
    const inert = inertReason(statement.id, only);
    const ofEach = more.length > 0 ? choiceOfEach(statement.id, observations) : [];
    const refused = only === undefined ? otherStatus(statement.id, seen) : undefined;
    if (inert !== undefined) open.set(statement.id, `seen as ${only}: ${inert}`);
    else if (only !== undefined && more.length === 0)
      choices.set(statement.id, withDetail(statement.id, only, seen));
    else if (ofEach.length > 0) for (const [name, choice] of ofEach) choices.set(name, choice);
    else if (refused !== undefined) choices.set(statement.id, refused);
    else open.set(statement.id, whyOpen(statement, told.map(String), seen));
  }
  for (const name of choices.keys()) open.delete(name.split(' ')[0] ?? '');
  return { choices, open };
}

type Observations = Report['observations'];

/** The choice of each operation, if none showed two. */
function choiceOfEach(id: string, observations: Observations): [string, string][] {
  const found = observations.filter(
    ({ statement, operation, choice = 'other' }) =>
      statement === id && operation !== undefined && choice !== 'other',
  );
  const ofEach = new Map(found.map(({ operation, choice = '' }) => [`${id} ${operation}`, choice]));
  const isOne = found.every(({ operation, choice }) => ofEach.get(`${id} ${operation}`) === choice);
  return isOne ? [...ofEach] : [];
}

/**
 * The choice that refuses, with the status that was seen instead of its own. If another choice accepts, a
 * refusal may rest on another silence, unless the contract says that it takes other statuses.
 */
function otherStatus(id: string, seen: readonly JsonObject[]): string | undefined {
  const [status, ...more] = new Set(seen.map(({ value }) => value));
  const choices = Object.entries(contract.statuses[id] ?? {});
  const [choice] = choices.find(([, own]) => own >= 400) ?? [];
  const isSure =
    choices.every(([, own]) => own >= 400) || choiceOf(id, choice)?.detail !== undefined;
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
  return choice !== undefined && isSure && isRefusal && more.length === 0
    ? `${choice} ${status}`
    : undefined;
}

/** A choice with the observed value, or the values of a list, if a profile may add them. */
function withDetail(id: string, choice: string, seen: readonly JsonObject[]): string {
  const { detail } = choiceOf(id, choice) ?? {};
  const [value = '', ...more] = new Set(seen.map(({ value }) => JSON.stringify([value].flat())));
  if (detail === undefined || more.length > 0) return choice;
  const details = JSON.parse(value) as unknown[];
  const fits = details.every((one) => new RegExp(detail).test(String(one)));
  return fits ? [choice, ...details].join(' ') : choice;
}

/** The names of further headers and fields of each operation, never their values. */
function furtherContent(observations: Observations): [string, string][] {
  const added = new Map<string, Set<string>>();
  for (const { kind, operation, value, type } of observations) {
    const isField = kind === 'undeclared-field';
    if (operation === undefined || !(isField ? type !== undefined : kind === 'undeclared-header'))
      continue;
    const id = isField ? named.furtherFields : named.furtherHeaders;
    const detail = isField ? `${value}:${type}` : String(value);
    const pattern = choiceOf(id, 'more')?.detail ?? '';
    if (!new RegExp(pattern).test(detail)) continue;
    const name = `${id} ${operation}`;
    added.set(name, (added.get(name) ?? new Set()).add(detail));
  }
  return [...added].map(([name, details]) => [name, ['more', ...[...details].sort()].join(' ')]);
}

/** Why no mock can act on a choice; undefined if one can. */
function inertReason(id: string, choice: string | undefined): string | undefined {
  return choiceOf(id, choice)?.inert;
}

function choiceOf(id: string, choice: string | undefined): Choice | undefined {
  const statement = contract.statements.get(id);
  return statement && choicesOf(statement).find((one) => one.id === choice);
}

function whyOpen(
  { reason }: StatementResult,
  told: readonly string[],
  seen: readonly JsonObject[],
): string {
  if (told.length > 1) return `seen as ${list(told)}`;
  // Only shapes and statuses, because the profile must not contain data of the target.
  const values = [...new Set(seen.map(({ value }) => cut(outlined(value), 100)))];
  if (told.length === 1) return `seen as no known choice: ${list(values)}`;
  return seen.length > 0 ? `seen: ${list(values)}` : toldReason(reason);
}

/** YAML, a line for each choice. A silence that was not learned is a comment, and stays assumed. */
export function profileYaml(report: Report): string {
  const { choices, open } = learned(report);
  const { target, runId, startedAt } = report;
  const lines = [
    `# The answers of ${comment(target.baseUrl)} to silences of the description: run ${runId}, ${startedAt}.`,
    '# To start a mock that does the same: lockstep mock --profile FILE',
    ...[...choices].map(
      ([name, choice]) =>
        `${name}: ${choice} # ${comment(contract.statements.get(name.split(' ')[0] ?? '')?.text ?? '')}`,
    ),
    ...(open.size > 0 ? ['# Not learned. Here the mock keeps its own assumption:'] : []),
    ...[...open].map(([id, why]) => `# ${id}: ${comment(why)}`),
  ];
  // A file of comments alone is not a mapping.
  if (choices.size === 0) lines.push('{}');
  return `${lines.join('\n')}\n`;
}

function comment(text: string): string {
  return cut(visible(text), 200);
}
