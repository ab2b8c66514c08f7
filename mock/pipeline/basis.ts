/** The silences that an answer rests on, and what a profile adds to it there. */
import { isObject, type Leaf, readLeaf, typeOf } from '../../spec/base/json.ts';
import { assumedStatus, type Operation, type StatusStatement } from '../../spec/contract.ts';
import { isGraded } from '../world/assumptions.ts';
import type { World } from '../world/world.ts';
import { type Refusal, refusal } from './exchange.ts';

/** The record of the silences that an answer rests on. */
export class Basis {
  readonly world: World;
  readonly #operation: Operation | undefined;
  readonly #assumed = new Set<string>();

  constructor(world: World, operation: Operation | undefined) {
    this.world = world;
    this.#operation = operation;
  }

  /**
   * Returns the choice at a silence, and records that this answer rests on it. Call it only if
   * another choice would change the answer's status or promised content.
   */
  assume(statement: string): string {
    const operation = this.#operation;
    if (operation !== undefined && !this.isAbout(statement)) {
      throw new Error(`${operation.id} asks ${statement}, which its x-statements do not name`);
    }
    if (isGraded(statement)) this.#assumed.add(statement);
    return this.choice(statement);
  }

  isAbout(statement: string): boolean {
    return this.#operation?.statements.includes(statement) === true;
  }

  /** Returns the choice without recording it, for code that finds out whether it matters. */
  choice(statement: string): string {
    return this.world.assumptions.choice(statement, this.#operation?.id);
  }

  details(statement: string): readonly string[] {
    return this.world.assumptions.details(statement, this.#operation?.id);
  }

  /** A body with the fields that a profile adds to the choices at some silences; the same one if it adds none. */
  shaped(statements: readonly string[], body: unknown, filling: Filling = {}): unknown {
    const fields = statements.flatMap((statement) => this.details(statement)).map(readLeaf);
    return fields.length === 0 ? body : shaped(fields, body, filling);
  }

  /** The status that the choice at a silence answers, or that a profile adds to it. */
  status(statement: StatusStatement): number {
    const usual = assumedStatus(statement, this.assume(statement));
    const [learned] = this.details(statement);
    return learned === undefined ? usual : Number(learned);
  }

  /** A refusal whose status a silence decides. */
  refuse(statement: StatusStatement, message: string, at?: string): Refusal {
    return refusal(this.status(statement), statement, message, at);
  }

  /** Silences asked so far, in the order in which they were first asked. */
  assumed(): readonly string[] {
    return [...this.#assumed];
  }

  /** A separate record for a trial; the caller may drop it. */
  trial(): Basis {
    return new Basis(this.world, this.#operation);
  }

  merge(other: Basis): void {
    for (const statement of other.#assumed) this.#assumed.add(statement);
  }
}

interface Filling {
  /** The items of a list whose place the answer does not know; by default one invented item. */
  readonly list?: readonly unknown[];
  /** A text that is not known. */
  readonly text?: string;
  /** Whether fields stay that the profile does not name. Then it names a new object before its fields. */
  readonly keeps?: boolean;
}

/** The invented values of fields by type. */
const invented: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: false,
  integer: 0,
  null: null,
  number: 0.5,
  object: {},
};

/** A value with the fields of the leaves. Known fields keep their values, others are invented. */
export function shaped(leaves: readonly Leaf[], known: unknown, filling: Filling = {}): unknown {
  const { list = [undefined], text = 'invented', keeps = false } = filling;
  const inner = new Map<string, Leaf[]>();
  for (const { keys, type } of leaves) {
    const [key, ...rest] = keys;
    if (key !== undefined) inner.set(key, [...(inner.get(key) ?? []), { keys: rest, type }]);
  }
  // A field is not added to an object that the answer does not have.
  const isNew = leaves.some(({ keys }) => keys.length === 0);
  if (keeps && known === undefined && !isNew) return undefined;
  const items = inner.get('*');
  if (items !== undefined)
    return (Array.isArray(known) ? known : list).map((item) => shaped(items, item, filling));
  if (inner.size > 0) {
    if (keeps && known !== undefined && !isObject(known)) return known;
    const own = isObject(known) ? known : {};
    const fields = [...inner].map(([key, more]) => [key, shaped(more, own[key], filling)]);
    return { ...(keeps && own), ...Object.fromEntries(fields) };
  }
  const [first] = leaves;
  const fits = keeps || leaves.some(({ type }) => type === typeOf(known));
  if (known !== undefined && fits) return known;
  return first?.type === 'string' ? text : invented[first?.type ?? 'null'];
}
