/** A profile: a YAML file that chooses at silent statements, such as `STAGE-9: conflict`. */
import { readFileSync } from 'node:fs';
import { checkChoice } from '../world/assumptions.ts';

/** Names each problem with `file:line:column`. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** What `--strict` switches: refuse what a real tenant might pass over. */
export const strictChoices: Readonly<Record<string, string>> = {
  'REQ-2': 'refused',
  'REQ-3': 'refused',
  'ERR-7': 'unsupported',
  'SCIM-15': 'refused',
};

/** Reads a profile. Throws a ProfileError that lists everything that is wrong with it. */
export async function readProfile(file: string): Promise<Record<string, string>> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(read(file), { lineCounter: lines });
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${file}:${line}:${col}`;
  };
  const problems = document.errors.map(
    (error) => `${at(error.pos[0])}: ${error.message.split('\n')[0]}`,
  );
  const choices: Record<string, string> = {};
  if (problems.length === 0) {
    if (!isMap(document.contents)) {
      problems.push(
        `${at(0)}: a profile maps silent statements to choices, such as "STAGE-9: conflict"`,
      );
    } else {
      for (const { key, value } of document.contents.items) {
        const statement = isScalar(key) ? String(key.value) : '';
        const choice = isScalar(value) ? String(value.value) : '';
        try {
          checkChoice(statement, choice);
          choices[statement] = choice;
        } catch (error) {
          problems.push(
            `${at((isScalar(key) ? key.range : undefined)?.[0])}: ${(error as Error).message}`,
          );
        }
      }
    }
  }
  if (problems.length > 0) throw new ProfileError(problems.join('\n'));
  return choices;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ProfileError(`${file}: ${(error as Error).message}`);
  }
}
