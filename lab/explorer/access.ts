/** The expectation of the authorisation table for a call: it judges every call of every walk. */

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
  /** The caller and the call. */
  readonly key: string;
  /** Values of the path parameters; its own object, which another object need not be like. */
  readonly path: string;
  readonly checks: readonly Check[];
}

/** A scenario of each cell. */
let table: readonly Scenario[] | undefined;

export class Access {
  readonly #cells: ReadonlyMap<string, readonly Cell[]>;

  /** All worlds of a mock are bound alike, so that they can share it. */
  constructor(target: Target) {
    table ??= authorisationFamily().scenarios;
    const cells = table.flatMap((scenario) => cellOf(scenario, target) ?? []);
    this.#cells = Map.groupBy(cells, ({ key }) => key);
  }

  /** The checks of a call's cell; none if the table does not say. */
  checksOf({ operation, as, path: written }: Step, scope: Scope): readonly Check[] {
    const cells = operation && this.#cells.get(cellKey(operation.id, as));
    if (cells === undefined) return [];
    const path = pathText(written, scope);
    // A caller that is nobody is nobody everywhere; any other cell speaks of its own object.
    const isNobody = ({ conditions }: Check): boolean => conditions.status === 401;
    return cells.find((cell) => cell.path === path || cell.checks.some(isNobody))?.checks ?? [];
  }

  /** Whether somebody is served, for sure, who makes the operation's own call. */
  allows(call: OperationId, actor: string): boolean {
    const cells = this.#cells.get(cellKey(call, actor)) ?? [];
    const own = this.#cells.get(cellKey(call, 'none'))?.[0]?.path;
    return isServed((cells.find(({ path }) => path === own) ?? cells[0])?.checks);
  }
}

function cellKey(call: string, as: unknown): string {
  return `${call} ${canonical(as)}`;
}

/** Undefined if the target lacks the objects of the cell, or says that the cell does not apply. */
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

/** Without a check the description does not say. */
export function isServed([check]: readonly Check[] = []): boolean {
  return check !== undefined && statusFits(200, check.conditions.status);
}

/** The values of path parameters; a number is the same as its digits. */
function pathText(path: Step['path'], scope: Scope): string {
  const entries = Object.entries(path).map(([name, value]) => [name, resolve(value, scope)]);
  return canonical(entries.map(([name, value]) => [name, String(value)]).sort());
}
