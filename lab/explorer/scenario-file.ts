/** Writes a failing walk as a scenario that `certify` can replay. */

import { stringify } from 'yaml';
import type { ScenarioFile } from '../../conformance/language/load.ts';
import { worst } from '../../conformance/language/vocabulary.ts';
import { statement } from '../../spec/contract.ts';
import type { Contradiction, Entry } from './call.ts';
import type { Session } from './session.ts';

/** An absolute address, because the folder of the file is not known yet. */
const schema = new URL('../../conformance/scenario.schema.json', import.meta.url);

/** The run id of the session becomes `{run.id}`. */
export function scenarioFile(
  { entries, scope }: Session,
  contradiction: Contradiction,
  { seed, path }: { readonly seed: number; readonly path: string },
): ScenarioFile {
  const { check, message } = contradiction;
  const { text } = statement(check.statement);
  const document = {
    scenario: `Found by the explorer against ${check.statement}, seed ${seed}, path ${path}`,
    about: `${text} But ${message.replaceAll(scope.run.id, '{run.id}')}.`,
    effect: worst(entries.map(({ step }) => step.operation?.effect ?? 'none')),
    steps: entries.map((entry) => stepOf(entry, contradiction)),
  };
  // Aliases are off, so two equal steps are both written out.
  const yaml = stringify(document, { lineWidth: 100, aliasDuplicateObjects: false });
  return {
    name: `explore-${check.statement.toLowerCase()}-${seed}.yaml`,
    text: `# yaml-language-server: $schema=${schema}\n${yaml}`,
  };
}

function stepOf({ id, text }: Entry, { check, entry, message }: Contradiction): unknown {
  if (id !== entry.id || !('conditions' in check)) return text;
  const { conditions, only, because = message.slice(0, 300), statement } = check;
  const facets = { ...conditions, only: only[0], because };
  return { ...text, checks: { [statement]: facets } };
}
