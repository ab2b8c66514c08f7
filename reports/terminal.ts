/** The output of the runner's commands: everything that they print goes through here. */
import { createInterface } from 'node:readline/promises';
import { Redactor } from '../spec/base/redactor.ts';
import { visible } from '../spec/base/visible.ts';

/** Learns the secrets of whatever target a command opens. */
export const redactor = new Redactor();

export function print(text: string): void {
  process.stdout.write(redactor.text(text));
}

export function printError(text: string): void {
  process.stderr.write(redactor.text(text));
}

/** A message of a command. Its parts may come from a target, so nothing in it moves the cursor. */
export function complain(message: string | undefined): void {
  if (message !== undefined) printError(`lockstep: ${visible(message, 'lines')}\n`);
}

/** Asks the user yes or no; undefined if there is no terminal. */
export const askOnTerminal =
  process.stdin.isTTY && process.stderr.isTTY
    ? async (question: string): Promise<boolean> => {
        const terminal = createInterface({ input: process.stdin, output: process.stderr });
        try {
          const said = await terminal.question(
            redactor.text(`${visible(question)}: go on? [y/N] `),
          );
          return /^y(es)?$/i.test(said.trim());
        } finally {
          terminal.close();
        }
      }
    : undefined;

/** The part of standard error that a progress bar needs. */
export const errors = {
  write: printError,
  isTTY: process.stderr.isTTY,
  get columns() {
    return process.stderr.columns;
  },
};
