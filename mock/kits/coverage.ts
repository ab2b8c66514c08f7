/** The contract coverage of a client's tests, as text for a terminal. */
import { count } from '../../spec/base/count.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import type { Coverage } from '../world/coverage.ts';

/** The findings of the tests' sweeps, by silence. */
export interface Swept {
  /** How many answers rested on it in tests that hold under each of its alternatives. */
  readonly survived: Readonly<Record<string, number>>;
  /** The alternatives under which a test failed. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
}
export const notSwept: Swept = { survived: {}, failed: {} };

/**
 * The findings of the process's sweeps. They are global, because a test runner may load this module twice.
 */
export const everySweep = globalThis as { lockstepSwept?: Swept };

export function addSwept(sum: Swept = notSwept, more: Swept = notSwept): Swept {
  const survived = { ...sum.survived };
  for (const [id, answers] of Object.entries(more.survived)) {
    survived[id] = (survived[id] ?? 0) + answers;
  }
  const failed = { ...sum.failed };
  for (const [id, choices] of Object.entries(more.failed)) {
    failed[id] = [...(failed[id] ?? []), ...choices];
  }
  return { survived, failed };
}

/** How many of the operations were called, in percent. */
export function percentCalled({ never }: Coverage): number {
  return Math.floor(100 * (1 - never.operations.length / contract.operations.size));
}

export function coverageText(coverage: Coverage, swept = notSwept): string {
  const { never, unmatched, privileges } = coverage;
  const met = [...contract.operations.keys()].filter((id) => !never.operations.includes(id));
  const lines = ['', 'Lockstep: contract coverage of these tests'];
  for (const id of met) lines.push(...operationLines(id, coverage));
  if (never.operations.length > 0) lines.push(`  never called: ${never.operations.join(', ')}`);
  if (unmatched > 0) lines.push(`  ${count(unmatched, 'request')} matched no operation`);
  if (Object.keys(privileges).length > 0) lines.push('The least that their calls needed:');
  for (const [name, { operations, text }] of Object.entries(privileges)) {
    lines.push(`  ${name}: ${text} (${Object.keys(operations).join(', ')})`);
  }
  return `${[...lines, ...assumptionLines(coverage.assumptions, swept)].join('\n')}\n`;
}

function operationLines(id: OperationId, { operations, pages, never }: Coverage): string[] {
  const line = (counts: Readonly<Record<string, number>> = {}, unmet: readonly string[] = []) => {
    const met = Object.entries(counts).map(([name, count]) => `${name} x${count}`);
    const never = unmet.length > 0 ? `; never ${unmet.join(', ')}` : '';
    return `${met.join(', ') || 'none'}${never}`;
  };
  const { 0: lost, ...answered } = operations[id] ?? {};
  const statuses = lost === undefined ? answered : { ...answered, lost };
  return [
    `  ${id}: ${line(statuses, never.statuses[id])}`,
    ...(pages[id] === undefined ? [] : [`    pages: ${line(pages[id], never.pages[id])}`]),
  ];
}

function assumptionLines(
  assumptions: Coverage['assumptions'],
  { survived, failed }: Swept,
): string[] {
  const all = Object.entries(assumptions).sort(([a], [b]) => a.localeCompare(b, 'en'));
  // A single test without a sweep is enough: the tests then rely on the assumption.
  const relied = all.filter(([id, { answers }]) => (survived[id] ?? 0) < answers);
  const swept = all.filter((item) => !relied.includes(item)).map(([id]) => id);
  const proof = swept.length === 0 ? [] : [`Survived by a sweep: ${swept.join(', ')}`];
  if (relied.length === 0) {
    return swept.length === 0 ? ['They rely on promises alone.'] : proof;
  }
  const lines = [
    ...proof,
    `They rely on ${count(relied.length, 'assumption')}; a client should survive each:`,
  ];
  for (const [id, { text, answers, choices, alternatives }] of relied) {
    lines.push(`  ${id} (${count(answers, 'answer')}): ${text}`);
    lines.push(`    assumed: ${Object.keys(choices).join(', ')}`);
    for (const choice of alternatives) {
      const how = failed[id]?.includes(choice.id) === true ? 'a test fails under' : 'could be';
      lines.push(`    ${how}: ${choice.id} (${choice.text})`);
    }
  }
  return lines;
}
