/**
 * Runs scripts of package.json and a command in parallel. The command uses the terminal. The
 * scripts print nothing unless they fail; then their output comes at the end. Exits 1 if anything
 * failed.
 *
 *     node lab/house/in-parallel.ts lint types -- vitest run
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const words = process.argv.slice(2);
const scripts = words.slice(0, words.indexOf('--'));
const command = words.slice(words.indexOf('--') + 1).join(' ');

const ended = (child: ReturnType<typeof spawn>) =>
  new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));

async function failureOf(script: string): Promise<string | undefined> {
  const line = `npm run --silent ${script} 2>&1`;
  const child = spawn(line, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, code] = await Promise.all([text(child.stdout), ended(child)]);
  return code === 0 ? undefined : `\n${script} failed:\n${said}`;
}

const shown = ended(spawn(command, { shell: true, stdio: 'inherit' }));
const failures = (await Promise.all(scripts.map(failureOf))).filter((one) => one !== undefined);
const code = await shown;
process.stderr.write(failures.join(''));
process.exitCode = code === 0 && failures.length === 0 ? 0 : 1;
