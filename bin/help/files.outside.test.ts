/**
 * For each option that names a file, the message about a mistake is in words, without a system
 * code.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockstep as inProcess } from '../../mock/testing/program.ts';

const lockstep = async (words: readonly string[], cwd: string) => {
  const { stdout, stderr } = await inProcess(words, { cwd });
  return { told: stdout + stderr };
};

/** No server listens at this address. */
const nobody = ['--base-url', 'http://127.0.0.1:1'];
/** The further arguments that a command needs. */
const needs: Readonly<Record<string, readonly string[]>> = {
  mock: ['--port', '0'],
  certify: nobody,
  gate: [...nobody, '--baseline', 'known.yaml'],
  explore: nobody,
  history: ['.'],
  verify: ['.'],
  drift: ['--description', 'there-is-none'],
  diff: [...nobody, '--against', 'http://127.0.0.1:1'],
  undo: ['--tenant', 'there-is-none'],
  client: ['--', process.execPath, '-e', '0'],
};

/** The options whose value is a file or a folder, as the help of each command shows them. */
async function fileOptions(cwd: string) {
  const { told: commands } = await lockstep(['--help'], cwd);
  const names = [...commands.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = '']) => name);
  const found = names.map(async (command) => {
    const { told } = await lockstep(['help', command], cwd);
    const line = /^ {2}--([\w-]+) [<[].*?\b(?:files?|paths?|report|dir)\b.*?[>\]]/gm;
    return [...told.matchAll(line)].map(([, option = '']) => ({ command, option }));
  });
  return (await Promise.all(found)).flat();
}

test('no option that names a file shows a system code after a mistake', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  // These two run for minutes before they write a file.
  const options = (await fileOptions(folder)).filter(
    ({ command }) => command !== 'exam' && command !== 'self-certify',
  );
  expect(options.length).toBeGreaterThan(30);
  const coded: string[] = [];
  const attempt = async ({ command, option }: (typeof options)[number], value: string) => {
    const words = [command, `--${option}`, value, ...(needs[command] ?? [])];
    const { told } = await lockstep(words, folder);
    const codes = told.match(/\bE(?!CONN)[A-Z]{4,}\b|\n {4}at /g) ?? [];
    if (codes.length > 0) coded.push(`${words.join(' ')}\n${told}`);
  };
  // Half of the runs get a missing file, the other half a folder in its place; four at a time.
  for (let at = 0; at < options.length; at += 4) {
    const some = options.slice(at, at + 4);
    await Promise.all(
      some.map((one, index) => attempt(one, index % 2 === 0 ? 'no-such/file.json' : '.')),
    );
  }
  expect(coded).toEqual([]);
});
