import { isObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { type Choice, choicesOf, contract, type Statement } from '../../spec/contract.ts';

/** A silent statement in a world: its present choice, and the other choices. */
export interface Assumption {
  readonly statement: string;
  readonly text: string;
  readonly choice: string;
  readonly choices: readonly Choice[];
}

const NONE: readonly string[] = [];

/** The choices to which a world could be switched. */
export const otherChoices = ({ choice, choices }: Assumption): readonly Choice[] =>
  choices.filter(({ id, inert }) => id !== choice && inert === undefined);

/**
 * The silences of the contract, and a world's choice for each. `ERR-5 listDeployments` is the choice for one
 * operation alone. Details may follow a choice: `more x-request-id`.
 */
export class Assumptions {
  readonly #choices: Map<string, string>;

  constructor(choices: Iterable<readonly [string, string]> = []) {
    this.#choices = new Map(choices);
  }

  /** The id of the choice at a silent statement. */
  choice(statement: string, operation = ''): string {
    const written = this.#written(statement, operation);
    const end = written.indexOf(' ');
    return end < 0 ? written : written.slice(0, end);
  }

  /** The details that a profile adds to the choice. */
  details(statement: string, operation = ''): readonly string[] {
    const written = this.#written(statement, operation);
    return written.includes(' ') ? written.split(' ').slice(1) : NONE;
  }

  #written(statement: string, operation: string): string {
    const own = this.#choices.size > 0 ? this.#choices.get(`${statement} ${operation}`) : undefined;
    const chosen = own ?? this.#choices.get(statement) ?? defaults.get(statement);
    if (chosen === undefined) throw new Error(`${statement} is not a silent statement`);
    return chosen;
  }

  /** Switches choices. If one of them does not exist, it throws and changes nothing. */
  set(choices: Readonly<Record<string, string>>): void {
    const [problem] = choiceProblems(choices);
    if (problem !== undefined) throw new Refused(problem);
    for (const [statement, choice] of Object.entries(choices)) {
      if (defaults.get(statement) === choice) this.#choices.delete(statement);
      else this.#choices.set(statement, choice);
    }
  }

  /** Only the choices that differ from the assumption of the contract. */
  switched(): ReadonlyMap<string, string> {
    return this.#choices;
  }

  list(): Assumption[] {
    return silences.map((item) => {
      const { id: statement, text } = item;
      return { statement, text, choice: this.choice(statement), choices: choicesOf(item) };
    });
  }

  clone(): Assumptions {
    return new Assumptions(this.#choices);
  }
}

export const silences: readonly Statement[] = [...contract.statements.values()].filter(
  (item) => item.level === 'silent',
);
const defaults = new Map(silences.map((item) => [item.id, item.assumption?.id ?? '']));

/** Whether a silence makes an answer count as assumed. */
export function isGraded(statement: string): boolean {
  return contract.statements.get(statement)?.ungraded === undefined;
}

/** The problem with a choice, and the choices that exist; undefined if the choice exists. */
export function choiceProblem(name: string, written: string): string | undefined {
  const [statement = '', operation] = name.split(' ');
  const [choice = '', ...details] = written.split(' ');
  const item = contract.statements.get(statement);
  if (item === undefined) {
    return `there is no statement ${statement}${hint(statement, contract.statements.keys())}`;
  }
  if (item.level !== 'silent') {
    return `${statement} is ${item.level}, not silent: there is nothing to choose`;
  }
  const choices = choicesOf(item);
  const found = choices.find((candidate) => candidate.id === choice);
  if (found === undefined) {
    const names = choices.map((candidate) => candidate.id);
    const near = hint(String(choice), names);
    return `${statement} has no choice ${choice}${near}; it has ${names.join(', ')}`;
  }
  if (operation !== undefined && !item.operations.includes(operation))
    return `${statement} is not about ${operation}${hint(operation, item.operations)}`;
  const unfit = details.find((detail) => !takes(item, found, detail));
  if (unfit !== undefined) return `${statement}: ${choice} takes no detail such as ${unfit}`;
  if (details.length > 0) return undefined;
  return found.inert && `the mock cannot act on ${statement}: ${choice}: ${found.inert}`;
}

/** Whether a profile may add a detail to a choice. A choice that refuses takes another status. */
function takes({ id }: Statement, { id: choice, detail }: Choice, added: string): boolean {
  const refuses = choice === 'refused' || (contract.statuses[id]?.[choice] ?? 0) >= 400;
  const pattern = detail ?? (refuses ? String.raw`^4\d\d$` : undefined);
  return pattern !== undefined && new RegExp(pattern).test(added);
}

/** The problems with some choices, one sentence each. */
export function choiceProblems(choices: object): string[] {
  // A caller in JavaScript may pass a string; each of its letters would look like a statement.
  if (!isObject(choices)) {
    return [
      `assumptions are choices by statement, such as { 'STAGE-9': 'conflict' }, not ${JSON.stringify(choices)}; a file of them is a profile, as in createMock({ profile: 'profile.yaml' })`,
    ];
  }
  return Object.entries(choices).flatMap(([id, choice]) => choiceProblem(id, String(choice)) ?? []);
}
