/** A profile: a YAML file that chooses at silent statements, such as `STAGE-9: conflict`. */
import { isObject } from '../../spec/base/json.ts';
import { Refused, readText } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import { choiceProblem, choiceProblems } from '../world/assumptions.ts';
import { type AssumptionChoices, WorldError } from '../world/world-request.ts';

export interface ChoiceSources {
  /** A file of choices at silences, such as the profile that `certify` wrote for a tenant. */
  readonly profile?: string | undefined;
  /** Refuses unknown parameters and fields, and bodies that are not sent as JSON. */
  readonly strict?: boolean | undefined;
  /** Choices at silent statements, such as `{ 'STAGE-9': 'conflict' }`. */
  readonly assumptions?: AssumptionChoices | undefined;
}

/** Combines all choices. `assumptions` override a profile, and a profile overrides `strict`. */
export async function assumptionsOf(sources: ChoiceSources): Promise<AssumptionChoices> {
  const { profile, strict = false, assumptions = {} } = sources;
  const [problem] = choiceProblems(assumptions);
  if (problem !== undefined) throw new WorldError(problem);
  const learned = profile === undefined ? {} : await readProfile(profile);
  return { ...(strict ? contract.strict : {}), ...learned, ...assumptions };
}

/** Reads a profile. Throws a Refused that lists all that is wrong, each with `file:line:column`. */
export async function readProfile(file: string): Promise<Record<string, string>> {
  const { LoadError, YamlSource } = await import('../../spec/base/yaml-source.ts');
  try {
    const source = new YamlSource(file, readText(file));
    const { value } = source;
    if (!isObject(value)) {
      const expected = 'a profile maps silent statements to choices, such as "STAGE-9: conflict"';
      throw new LoadError(expected, source.at(value));
    }
    const choices = Object.entries(value).map(([id, choice]) => [id, String(choice)] as const);
    const problems = choices.flatMap(([id, choice]) => {
      const problem = choiceProblem(id, choice);
      return problem === undefined ? [] : [new LoadError(problem, source.at(value, id)).message];
    });
    if (problems.length > 0) throw new Refused(problems.join('\n'));
    return Object.fromEntries(choices);
  } catch (error) {
    throw error instanceof LoadError ? new Refused(error.message) : error;
  }
}
