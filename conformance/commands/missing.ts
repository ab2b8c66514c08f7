/** The keys that a tenant file lacks, and the statements that each would add. Nothing is called. */

import { contract, type Effect } from '../../spec/contract.ts';
import type { Scenario } from '../language/scenario.ts';
import { keyOf } from '../language/tenant-keys.ts';
import { effects, featureNames } from '../language/vocabulary.ts';
import { missingFor } from '../safety/plan.ts';
import type { Target } from '../target/target.ts';
import { suiteFor } from './command.ts';
import { openTarget } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

export interface MissingKeys {
  /** The keys, which are needed together. */
  readonly keys: readonly string[];
  /** The statements that are tried only with these keys, by the least `--allow` that is needed. */
  readonly adds: ReadonlyMap<Effect, readonly string[]>;
  /** The statements that are tried more often with these keys. */
  readonly more: readonly string[];
}

/** Opens the target of the options for `missingIn`. */
export async function missingKeys(options: CertifyOptions, io: CommandIo): Promise<MissingKeys[]> {
  const { suite } = suiteFor(options, io);
  await using opened = await openTarget({ ...options, skipMissing: true }, io);
  return missingIn(suite.scenarios, opened.target);
}

/** The keys that add most come first. A credential counts as missing if its environment variable is not set. */
export function missingIn(scenarios: readonly Scenario[], target: Target): MissingKeys[] {
  const able = scenarios.flatMap((scenario) => {
    const keys = lackedBy(scenario, target);
    return keys === undefined ? [] : [{ scenario, keys }];
  });
  const groups = [...Map.groupBy(able, ({ keys }) => keys.join()).values()].map((group) => ({
    keys: new Set(group[0]?.keys),
    scenarios: group.map(({ scenario }) => scenario),
  }));
  return groups
    .filter(({ keys }) => keys.size > 0)
    .map(({ keys, scenarios: own }) => {
      // The file, or fewer of these keys, already add these statements.
      const fewer = groups.filter((one) => one.keys.size < keys.size && one.keys.isSubsetOf(keys));
      const has = statementsOf(fewer.flatMap((one) => one.scenarios));
      const all = statementsOf(own);
      const told = [...contract.statements.keys()].filter((id) => all.has(id));
      return {
        keys: [...keys],
        adds: Map.groupBy(
          told.filter((id) => !has.has(id)),
          (id) => leastEffect(id, own),
        ),
        more: told.filter((id) => has.has(id)),
      };
    })
    .sort((a, b) => addedBy(b) - addedBy(a) || a.keys.length - b.keys.length);
}

const addedBy = ({ adds }: MissingKeys): number => [...adds.values()].flat().length;

/** The keys of the file that a scenario lacks; undefined if no key makes it run. */
function lackedBy({ needs }: Scenario, target: Target): readonly string[] | undefined {
  const isOff = (need: string): boolean =>
    featureNames.includes(need) && [false, 'absent'].includes(target.features[need] ?? true);
  if (needs.some((need) => isOff(need) || need.startsWith('!'))) return undefined;
  const lacking = needs.filter((need) => missingFor(need, target) !== undefined);
  if (lacking.includes('https')) return undefined;
  const keys = lacking.map((need) => {
    const [name = '', field] = need.split('.');
    // If a binding exists, it has the fields that most scenarios need.
    const isWhole = target.bindings[name] === undefined && usual.includes(field ?? 'id');
    return keyOf(isWhole ? name : need);
  });
  return [...new Set(keys)].sort();
}

const usual = ['id', 'numericId', 'name', 'mayRun'];

const statementsOf = (scenarios: readonly Scenario[]): Set<string> =>
  new Set(scenarios.flatMap(({ statements }) => [...statements]));

function leastEffect(id: string, scenarios: readonly Scenario[]): Effect {
  const trying = scenarios.filter(({ statements }) => statements.has(id));
  return effects.find((effect) => trying.some((one) => one.effect === effect)) ?? 'none';
}
