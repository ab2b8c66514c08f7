/** The options for making a world, and the errors in them. */

import { Refused } from '../../spec/base/refused.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import type { Choices } from '../../spec/contract.ts';
import { timeOf } from './clock.ts';

/** A world cannot be made with the given options. */
export class WorldError extends Refused {
  override readonly name = 'WorldError';
  readonly conflict: boolean;
  constructor(message: string, conflict = false) {
    super(message);
    this.conflict = conflict;
  }
}

/** The bundled fixtures; `large` may have its sizes after a colon. */
export const fixtureNames = ['acme', 'empty', 'basic-plan', 'large'] as const;

/**
 * The most rows that all worlds of a mock may hold in total: the rows that they start from, and an
 * equivalent for each waiting event and each live stream.
 */
export const MOST_HELD = 25_000_000;
export const EVENT_ROWS = 10_000;
export const STREAM_ROWS = 100_000;

/** A bundled fixture, or another text that is allowed there. An editor completes the bundled names. */
export type FixtureName = (typeof fixtureNames)[number] | (string & {});

/** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`; a parsed record of such choices fits as well. */
export type AssumptionChoices = Choices;

/** Whether a text names a bundled fixture; any other would be the path of a file. */
export function isFixtureName(text: string): boolean {
  return fixtureNames.some((name) => name === text) || text.startsWith('large:');
}

/** Sizes of the fixture `large`. */
export interface LargeParameters {
  readonly deployments?: number;
  /** Environments that are listed at the start, per deployment. */
  readonly environmentsPerDeployment?: number;
  readonly branchesPerDeployment?: number;
  readonly foldersPerDeployment?: number;
  readonly users?: number;
  readonly auditEvents?: number;
  readonly seed?: number;
}

/** The options for making a world. */
export interface WorldRequest {
  readonly id?: string | undefined;
  /** Name of a fixture, path of a file, or the fixture itself. */
  readonly fixture?: FixtureName | object | undefined;
  /** The text of a fixture file, instead of a fixture: YAML or JSON. */
  readonly fixtureText?: string | undefined;
  /** Sizes of the fixture `large`. */
  readonly parameters?: LargeParameters | undefined;
  readonly clock?: string | undefined;
  readonly seed?: number | undefined;
  readonly assumptions?: AssumptionChoices | undefined;
}

/** Throws a WorldError for an option that does not exist: an object from JavaScript may have any name. */
export function checkOptions(given: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new WorldError(`${what} has no option ${unknown}${insteadOf(unknown, known)}`);
}

/** The keys of a record that must have every name of a type. */
export function namesOf<Names extends object>(names: Record<keyof Names, true>): readonly string[] {
  return Object.keys(names);
}

export const worldRequestNames = namesOf<WorldRequest>({
  id: true,
  fixture: true,
  fixtureText: true,
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

/**
 * The prefix of the world ids of a process, by which a proxy finds it: `p2rmibzk3q1w7` is the seventh
 * world of process 2. The prefix holds the start time, so that no id comes back after a restart.
 */
export function idPrefixOf(process: number, startMs: number): string {
  return `p${process}r${startMs.toString(36)}w`;
}

/** Why there is no world of this id. */
export function whyGone(id: string): string {
  const process = /^p(\d+)r/.exec(id)?.[1];
  return process === undefined
    ? 'it was deleted, or its id is mistyped'
    : `process ${process}, which kept it, has ended, or it was deleted or long unused`;
}

/** The problems of a fixture, one a line. */
export class FixtureError extends Refused {
  override readonly name = 'FixtureError';
  /** Each reads `file:line:column: expectation`, with a JSON pointer if there is no file. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
