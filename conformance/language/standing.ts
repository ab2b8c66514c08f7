/** Checks of promises that hold for every answer, as `standing.yaml` has them. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import type { Operation, Surface } from '../../spec/contract.ts';
import { contract } from '../../spec/contract.ts';
import { checkOf } from './load-check.ts';
import type { Check } from './scenario.ts';
import { standingGrammar } from './scenario-text.ts';

interface Standing {
  readonly check: Check;
  readonly surface: Surface | undefined;
}

const file = 'conformance/standing.yaml';

/** Throws a LoadError. */
function readStanding(): readonly Standing[] {
  const path = fileURLToPath(new URL('../standing.yaml', import.meta.url));
  const source = new YamlSource(file, readFileSync(path, 'utf8'));
  return standingGrammar.check(source, source.value).map((item) => {
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
