/**
 * The answers of a target to the silences of the description, as `lockstep mock --profile` reads
 * them: a mock that starts with the profile behaves as the target did.
 */

import { outlined } from '../conformance/compare/silences.ts';
import type { Report, StatementResult } from '../conformance/judge/report.ts';
import { isObject, type JsonObject, leafText, leavesOf } from '../spec/base/json.ts';
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
    const lines = linesOf(statement.id, seen, observations);
    for (const [name, line] of lines) choices.set(name, line);
    if (lines.length === 0) open.set(statement.id, whyOpen(statement, seen));
  }
  for (const name of choices.keys()) open.delete(name.split(' ')[0] ?? '');
  // A refusal with the usual status needs no details.
  const usual = new Set(
    [named.invalidParameter, named.invalidBody].map((id) => usualStatus(id, choices)),
  );
  for (const [name, line] of choices)
    if (usual.size === 1 && line === `refused ${[...usual][0]}`) choices.set(name, 'refused');
  return { choices, open };
}

/** The status of the choice that was learned at a silence, or that is assumed there. */
function usualStatus(id: string, choices: ReadonlyMap<string, string>): number {
  const line = choices.get(id) ?? contract.statements.get(id)?.assumption?.id ?? '';
  const [choice = '', status = contract.statuses[id]?.[choice]] = line.split(' ');
  return Number(status);
}

type Observations = Report['observations'];

/** One line of a profile for all operations if they agree, else one for each that can be learned. */
function linesOf(
  id: string,
  seen: readonly JsonObject[],
  observations: Observations,
): (readonly [name: string, line: string])[] {
  const ofEach = new Map<string, JsonObject[]>();
  for (const { statement, operation, choice, value } of observations) {
    if (statement !== id || operation === undefined) continue;
    // Another silence may have refused this call, and then it shows nothing of this one.
    if (choice === undefined || (choice === 'other' && Number(value) >= 400)) continue;
    const name = `${id} ${operation}`;
    ofEach.set(name, [...(ofEach.get(name) ?? []), { choice, value }]);
  }
  const lines = [...ofEach].map(([name, own]) => [name, lineOf(id, own)] as const);
  const agree = new Set(lines.map(([, line]) => line)).size < 2;
  if (agree || knownIn(id, seen).isCertain) lines.splice(0, lines.length, [id, lineOf(id, seen)]);
  return lines.flatMap(([name, line]) => (line === undefined ? [] : [[name, line]]));
}

/** The choice that some answers to a silence show, with its details; undefined if they show none, or several. */
function lineOf(id: string, seen: readonly JsonObject[]): string | undefined {
  const [only, ...more] = knownIn(id, seen).choices;
  const choice = choiceOf(id, only);
  if (only === undefined) return otherWithDetails(id, seen);
  if (more.length > 0 || choice === undefined || choice.inert !== undefined) return undefined;
  const ofChoice = seen.filter((one) => one.choice === only);
  return withDetails(id, choice, ofChoice, true) ?? choice.id;
}

/** The known choices that were seen; only the one that a single observation proves, if it is among them. */
function knownIn(id: string, seen: readonly JsonObject[]) {
  const known = seen.flatMap(({ choice = 'other' }) => (choice === 'other' ? [] : String(choice)));
  const { conclusive } = contract.statements.get(id) ?? {};
  const certain = known.filter((choice) => choice === conclusive);
  return { choices: new Set(certain.length > 0 ? certain : known), isCertain: certain.length > 0 };
}

/** A choice that takes as details what was seen, although no case of a scenario names it. */
function otherWithDetails(id: string, seen: readonly JsonObject[]): string | undefined {
  const statement = contract.statements.get(id);
  const choices = statement === undefined ? [] : choicesOf(statement);
  return choices.flatMap((choice) => withDetails(id, choice, seen, false) ?? [])[0];
}

/** A choice with what was seen as its details; undefined if it does not take them. */
function withDetails(
  id: string,
  choice: Choice,
  seen: readonly JsonObject[],
  isKnown: boolean,
): string | undefined {
  const pattern = detailsOf(id, choice, isKnown);
  const [details, ...more] = new Set(seen.map(({ value }) => JSON.stringify(told(value))));
  if (pattern === undefined || details === undefined || more.length > 0) return undefined;
  const list = JSON.parse(details) as string[];
  if (list.join() === String(contract.statuses[id]?.[choice.id])) return choice.id;
  const fits = list.length > 0 && list.every((one) => new RegExp(pattern).test(one));
  return fits ? [choice.id, ...list].join(' ') : undefined;
}

/**
 * The form of the details that a choice takes. If each choice refuses, or a case shows that this one does, it takes
 * the status; else a refusal may rest on another silence.
 */
function detailsOf(id: string, { id: choice, detail }: Choice, isKnown: boolean) {
  const statuses = contract.statuses[id] ?? {};
  const isSure = Object.values(statuses).every((status) => status >= 400);
  const refuses = (isKnown && choice === 'refused') || (choice in statuses && isSure);
  // A limit of calls says nothing.
  return detail ?? (refuses ? String.raw`^4(?!29)\d\d$` : undefined);
}

/** A value that was seen, as details: the fields of a shape, the items of a list, or the value itself. */
function told(value: unknown): string[] {
  const items = [value].flat();
  return items.some(isObject) ? [...new Set(leavesOf(value).map(leafText))] : items.map(String);
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

function choiceOf(id: string, choice: string | undefined): Choice | undefined {
  const statement = contract.statements.get(id);
  return statement && choicesOf(statement).find((one) => one.id === choice);
}

function whyOpen({ id, reason }: StatementResult, seen: readonly JsonObject[]): string {
  const known = [...knownIn(id, seen).choices];
  const inert = choiceOf(id, known[0])?.inert;
  if (known.length === 1 && inert !== undefined) return `seen as ${known[0]}: ${inert}`;
  if (known.length > 1) return `seen as ${list(known)}`;
  // Only shapes and statuses, because the profile must not contain data of the target.
  const values = [...new Set(seen.map(({ value }) => cut(outlined(value), 100)))];
  if (seen.some(({ choice }) => choice !== undefined))
    return `seen as no known choice: ${list(values)}`;
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
