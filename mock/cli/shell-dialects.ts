/**
 * The forms of an assignment, for a shell or a file of variables. Each value is quoted, so that no shell runs
 * a part of it.
 */
import { Refused } from '../../spec/base/refused.ts';

export const shells = ['sh', 'dotenv', 'github'] as const;
export type Shell = (typeof shells)[number];

const dialects: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  dotenv: (name, value) => `${name}=${bareOrQuoted(name, value)}`,
  github: (name, value) => `${name}=${value}`,
};

/** One line. Throws Refused if the value does not fit in one line. */
export function assignment(shell: Shell, name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check looks for them
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    throw new Refused(`${name} has a control character in it: ${JSON.stringify(value)}`);
  }
  return dialects[shell](name, value);
}

/** A text that fails in the shell that evaluates it; an empty text would succeed. */
export const failureOf = (shell: Shell): string => (shell === 'sh' ? 'false\n' : '');

/**
 * Readers of such files treat quotes differently, and some are shells. No reader may find a command
 * in these texts.
 */
function bareOrQuoted(name: string, value: string): string {
  if (/^[\w.:/@%+,=-][\w.:/@%+,=~-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  if (!/["$`\\!]/.test(value)) return `"${value}"`;
  throw new Refused(`${name} has quotes in it that no quotes can hold: ${value}`);
}
