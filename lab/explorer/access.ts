/**
 * The check that the authorisation table demands for a call. It judges every call of every walk.
 */

import { authorisationFamily } from '../../conformance/language/authorisation.ts';
import { isSo } from '../../conformance/language/compute.ts';
import { statusFits } from '../../conformance/language/evaluate.ts';
import type { Check, Scenario, Step } from '../../conformance/language/scenario.ts';
import { ScenarioScope } from '../../conformance/language/scope.ts';
import { attempt, resolve, type Scope } from '../../conformance/language/template.ts';
import type { Target } from '../../conformance/target/target.ts';
import { canonical } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';

interface Cell {
  readonly key: string;
  /**
   * The values of the path parameters. The cell is about this object; another object may be treated
   * differently.
   */
  readonly path: string;
  readonly checks: readonly Check[];
}

/** One scenario for each cell of the table. */
let table: readonly Scenario[] | undefined;

export class Access {
  readonly #cells: ReadonlyMap<string, readonly Cell[]>;

  /** All worlds of a mock have the same bindings, so they can share it. */
  constructor(target: Target) {
    table ??= authorisationFamily().scenarios;
    const cells = table.flatMap((scenario) => cellOf(scenario, target) ?? []);
    this.#cells = Map.groupBy(cells, ({ key }) => key);
  }

  /** The checks of a call's cell; undefined if the table has no such cell. */
  checksOf({ operation, as, path: written }: Step, scope: Scope): readonly Check[] {
    const cells = operation && this.#cells.get(cellKey(operation.id, as));
    if (cells === undefined) return [];
    const path = pathText(written, scope);
    // A caller who gets 401 gets it for every object. Any other cell holds only for its own object.
    const isNobody = ({ conditions }: Check): boolean => conditions.status === 401;
    return cells.find((cell) => cell.path === path || cell.checks.some(isNobody))?.checks ?? [];
  }

  /** Whether the table promises success to this caller for the operation's own call. */
  allows(call: OperationId, actor: string): boolean {
    const cells = this.#cells.get(cellKey(call, actor)) ?? [];
    const own = this.#cells.get(cellKey(call, 'none'))?.[0]?.path;
    return isServed((cells.find(({ path }) => path === own) ?? cells[0])?.checks);
  }
}

function cellKey(call: string, as: unknown): string {
  return `${call} ${canonical(as)}`;
}

/** Undefined if the target lacks the objects of the cell, or if the cell does not apply to it. */
function cellOf(scenario: Scenario, target: Target): Cell | undefined {
  const step = scenario.steps.at(-1);
  if (step === undefined || step.plain) return undefined;
  const { as, operation, checks, require } = step;
  if (operation === undefined) return undefined;
  const scope = new ScenarioScope(target, { id: 'r', startedAt: '' });
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  return attempt(() => {
    if (!require.every((condition) => isSo(condition, scope))) return undefined;
    return { key: cellKey(operation.id, as), path: pathText(step.path, scope), checks };
  });
}

/** If there is no check, the description does not decide it. */
export function isServed([check]: readonly Check[] = []): boolean {
  return check !== undefined && statusFits(200, check.conditions.status);
}

/** The values of path parameters as a text; 11 and "11" are the same. */
function pathText(path: Step['path'], scope: Scope): string {
  const entries = Object.entries(path).map(([name, value]) => [name, resolve(value, scope)]);
  return canonical(entries.map(([name, value]) => [name, String(value)]).sort());
}
