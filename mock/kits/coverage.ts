/** What a client's tests have met of the contract, and which silences they rest on. */
import { contract, type OperationId } from '../../spec/contract.ts';
import type { Coverage } from '../admin/coverage.ts';
import type { JournalEntry } from '../world/journal.ts';

/** Counts answers as they are given, so that a journal that is reset or full forgets nothing. */
export class CoverageCount {
  readonly #operations = new Map<string, Map<string, number>>();
  readonly #assumptions = new Map<string, number>();
  #unmatched = 0;

  add({ operation, status, assumed }: JournalEntry): void {
    if (operation === null) this.#unmatched += 1;
    else this.#count(operation, String(status), 1);
    for (const statement of assumed) bump(this.#assumptions, statement, 1);
  }

  merge(other: Coverage): void {
    for (const [operation, statuses] of Object.entries(other.operations)) {
      for (const [status, times] of Object.entries(statuses)) {
        this.#count(operation, status, times);
      }
    }
    for (const [statement, times] of Object.entries(other.assumptions)) {
      bump(this.#assumptions, statement, times);
    }
    this.#unmatched += other.unmatched;
  }

  toCoverage(): Coverage {
    return {
      operations: Object.fromEntries(
        [...this.#operations].map(([id, statuses]) => [id, Object.fromEntries(statuses)]),
      ),
      assumptions: Object.fromEntries(this.#assumptions),
      unmatched: this.#unmatched,
    };
  }

  #count(operation: string, status: string, times: number): void {
    const statuses = this.#operations.get(operation) ?? new Map<string, number>();
    this.#operations.set(operation, statuses);
    bump(statuses, status, times);
  }
}

function bump(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

/** The counts as text for a terminal. */
export function coverageText(coverage: Coverage): string {
  const met = [...contract.operations.keys()].filter((id) => coverage.operations[id] !== undefined);
  const never = [...contract.operations.keys()].filter((id) => !met.includes(id));
  const lines = ['', 'Lockstep: what these tests met of the contract'];
  for (const id of met) lines.push(`  ${operationLine(id, coverage.operations[id] ?? {})}`);
  if (never.length > 0) lines.push(`  never called: ${never.join(', ')}`);
  if (coverage.unmatched > 0) {
    lines.push(`  ${times(coverage.unmatched, 'request')} matched no operation`);
  }
  return `${[...lines, ...assumptionLines(coverage.assumptions)].join('\n')}\n`;
}

function operationLine(id: OperationId, statuses: Readonly<Record<string, number>>): string {
  const declared = Object.keys(contract.operations.get(id)?.responses ?? {});
  const unmet = declared.filter((status) => !(status in statuses));
  const met = Object.entries(statuses).map(([status, count]) => `${status} x${count}`);
  return `${id}: ${met.join(', ')}${unmet.length > 0 ? `; never ${unmet.join(', ')}` : ''}`;
}

function assumptionLines(assumptions: Coverage['assumptions']): string[] {
  const relied = Object.entries(assumptions).sort(([a], [b]) => a.localeCompare(b, 'en'));
  if (relied.length === 0) return ['They rely on promises alone.'];
  const lines = [
    `They rely on ${times(relied.length, 'assumption')}; a client should survive each:`,
  ];
  for (const [id, count] of relied) {
    const statement = contract.statements.get(id);
    lines.push(`  ${id} (${times(count, 'answer')}): ${statement?.text ?? ''}`);
    lines.push(`    assumed: ${statement?.assumption?.id ?? ''}`);
    for (const { id: choice, text, inert } of statement?.alternatives ?? []) {
      if (inert === undefined) lines.push(`    could be: ${choice} (${text})`);
    }
  }
  return lines;
}

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
