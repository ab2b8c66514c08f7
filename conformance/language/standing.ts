/** Checks of promises that hold for every answer, as `standing.yaml` has them. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Grammar } from '../../spec/base/grammar.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import type { Operation, Surface } from '../../spec/contract.ts';
import { contract } from '../../spec/contract.ts';
import schema from '../scenario.schema.json' with { type: 'json' };
import { checkOf } from './load-check.ts';
import type { Check } from './scenario.ts';
import type { WholeCheckText } from './scenario-text.ts';

type StandingText = WholeCheckText & {
  readonly statement: string;
  readonly surface?: Surface;
};

interface Standing {
  readonly check: Check;
  readonly surface: Surface | undefined;
}

const file = 'conformance/standing.yaml';
const grammar = new Grammar<readonly StandingText[]>(schema, 'standing');

/** Throws a LoadError. */
function readStanding(): readonly Standing[] {
  const path = fileURLToPath(new URL('../standing.yaml', import.meta.url));
  const source = new YamlSource(file, readFileSync(path, 'utf8'));
  return grammar.check(source, source.value).map((item) => {
    const { statement, surface, ...text } = item;
    const at = { parent: item, key: 'statement' };
    return { surface, check: checkOf(source, statement, text, at) };
  });
}

let read: readonly Standing[] | undefined;

/** Of an operation; or all of them. */
export function standingChecks(operation?: Operation): readonly Check[] {
  read ??= readStanding();
  const applies = ({ check, surface }: Standing): boolean =>
    operation === undefined ||
    ([undefined, operation.requires.surface].includes(surface) &&
      contract.statements.get(check.statement)?.operations.includes(operation.id) === true);
  return read.filter(applies).map(({ check }) => check);
}
