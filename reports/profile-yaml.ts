/**
 * The answers of a target to the silences of the description, as `lockstep mock --profile` reads
 * them: a mock that starts with the profile behaves as the target did.
 */

import { outlined } from '../conformance/compare/silences.ts';
import type { Report, StatementResult } from '../conformance/judge/report.ts';
import { isObject, type JsonObject } from '../spec/base/json.ts';
import { visible } from '../spec/base/visible.ts';
import { contract } from '../spec/contract.ts';
import { toldReason } from './findings.ts';
import { cut, list } from './text.ts';

/**
 * Sorts the observed silences of a report by statement. `choices` has the one known choice that was
 * observed, if a mock can act on it; `open` has the reason why nothing was learned.
 */
export function learned({ statements }: Pick<Report, 'statements'>) {
  const choices = new Map<string, string>();
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
    const [only, ...more] = told.filter((choice) => choice !== 'other');
    const inert = inertReason(statement.id, only);
    if (inert !== undefined) open.set(statement.id, `seen as ${only}: ${inert}`);
    else if (typeof only === 'string' && more.length === 0) choices.set(statement.id, only);
    else open.set(statement.id, whyOpen(statement, told.map(String), seen));
  }
  return { choices, open };
}

/** Why no mock can act on a choice; undefined if one can. */
function inertReason(id: string, choice: unknown): string | undefined {
  const { alternatives = [] } = contract.statements.get(id) ?? {};
  return alternatives.find((one) => one.id === choice)?.inert;
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
      ([id, choice]) => `${id}: ${choice} # ${comment(contract.statements.get(id)?.text ?? '')}`,
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
