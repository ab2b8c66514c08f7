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
