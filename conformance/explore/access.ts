/** What the table of authorisation expects of a call: it judges every call of every walk. */

import { canonical } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import { authorisationFamily } from '../language/authorisation.ts';
import { compute } from '../language/compute.ts';
import { statusFits } from '../language/evaluate.ts';
import { matches } from '../language/matcher.ts';
import type { Check, Scenario, Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { resolve, type Scope, Unresolved } from '../language/template.ts';
import type { Target } from '../target/target.ts';
import type { CallData } from './contradiction.ts';

/** `open`: the description does not say. */
export type Expectation = 'allowed' | 'refused' | 'open';

interface Cell {
  readonly call: OperationId;
  readonly as: unknown;
  /** Values of the path parameters; its own object, which another object need not be like. */
  readonly path: string;
  readonly checks: readonly Check[];
  readonly expected: Expectation;
}

let family: readonly Scenario[] | undefined;

export class Access {
  readonly #cells: ReadonlyMap<string, readonly Cell[]>;

  constructor(target: Target) {
    family ??= authorisationFamily().scenarios;
    const cells = family.flatMap((scenario) => cellOf(scenario, target) ?? []);
    this.#cells = Map.groupBy(cells, ({ call, as }) => keyOf(call, as));
  }

  /** The checks of the cell that a call stands in; none where the table does not say. */
  checksOf(data: CallData, scope: Scope): readonly Check[] {
    const cells = this.#cells.get(keyOf(data.call, data.as));
    if (cells === undefined) return [];
    const path = canonical(texts(resolve(data.path ?? {}, scope)));
    // Whoever is nobody is nobody everywhere; else a cell speaks of its own object.
    return cells.find((cell) => cell.path === path || isNobody(cell))?.checks ?? [];
  }

  expectation(call: OperationId, actor: string): Expectation | undefined {
    // Without a credential nothing is served, whether or not the cell's own object is bound.
    if (actor === 'none') return 'refused';
    const cells = this.#cells.get(keyOf(call, actor)) ?? [];
    const own = this.#cells.get(keyOf(call, 'none'))?.[0]?.path;
    return (cells.find(({ path }) => path === own) ?? cells[0])?.expected;
  }
}

function isNobody({ checks }: Cell): boolean {
  return checks.some(({ conditions }) => conditions.status === 401);
}

function keyOf(call: string, as: unknown): string {
  return `${call} ${canonical(as)}`;
}

/** Undefined where the target lacks what the cell speaks of, or says that it does not apply. */
function cellOf(scenario: Scenario, target: Target): Cell | undefined {
  const step = scenario.steps.at(-1);
  if (step?.operation === undefined || step.plain) return undefined;
  const scope = new ScenarioScope(target, { id: 'r', startedAt: '' });
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  try {
    const met = step.require.every(({ value, is }) =>
      matches(compute(value, scope), resolve(is, scope)),
    );
    if (!met) return undefined;
    const path = canonical(texts(resolve(step.path, scope)));
    const { as, operation, checks } = step;
    return { call: operation.id, as, path, checks, expected: expectationOf(step) };
  } catch (error) {
    if (error instanceof Unresolved) return undefined;
    throw error;
  }
}

function expectationOf({ checks: [check] }: Step): Expectation {
  if (check === undefined) return 'open';
  return statusFits(200, check.conditions.status) ? 'allowed' : 'refused';
}

function texts(values: unknown): Record<string, string> {
  const entries = Object.entries(values as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
