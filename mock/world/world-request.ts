/** How a world is asked for, and what is wrong with how it was asked for. */

import { Refused } from '../../spec/base/refused.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import { timeOf } from './clock.ts';

/** A world cannot be made as asked. */
export class WorldError extends Refused {
  override readonly name = 'WorldError';
  readonly conflict: boolean;
  constructor(message: string, conflict = false) {
    super(message);
    this.conflict = conflict;
  }
}

/** Sizes of the fixture `large`. */
export interface LargeParameters {
  readonly deployments?: number;
  /** Listed at the start, per deployment. */
  readonly environmentsPerDeployment?: number;
  readonly branchesPerDeployment?: number;
  readonly foldersPerDeployment?: number;
  readonly users?: number;
  readonly auditEvents?: number;
  readonly seed?: number;
}

/** How a world is asked for. */
export interface WorldRequest {
  readonly id?: string | undefined;
  /** Name of a fixture, path of a file, or the fixture itself. */
  readonly fixture?: string | object | undefined;
  /** Sizes of the fixture `large`. */
  readonly parameters?: LargeParameters | undefined;
  readonly clock?: string | undefined;
  readonly seed?: number | undefined;
  readonly assumptions?: Readonly<Record<string, string>> | undefined;
}

/** Throws a WorldError for a name that an object from JavaScript has and nobody reads. */
export function checkOptions(given: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new WorldError(`${what} has no option ${unknown}${insteadOf(unknown, known)}`);
}

/** The keys of a record that has to have every name of a type. */
export function namesOf<Names extends object>(names: Record<keyof Names, true>): readonly string[] {
  return Object.keys(names);
}

export const worldRequestNames = namesOf<WorldRequest>({
  id: true,
  fixture: true,
  parameters: true,
  clock: true,
  seed: true,
  assumptions: true,
});

/** An ISO 8601 time as ms. Throws a WorldError. */
export function readClock(text: string): number {
  try {
    return timeOf(text);
  } catch (error) {
    throw error instanceof RangeError ? new WorldError(error.message) : error;
  }
}

/** All that is wrong with a fixture, one problem a line. */
export class FixtureError extends Refused {
  override readonly name = 'FixtureError';
  /** Each reads `file:line:column: what was expected`; with a JSON pointer where there is no file. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
