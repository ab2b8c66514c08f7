/**
 * Runs `lockstep` commands in one process, one after the other, because starting a process costs
 * more than most commands. Each command has its own arguments, folder, environment and secrets.
 * `lockstep()` in mock/testing/program.ts sends them, and reads the output until its end is marked.
 */
import { redactor } from '../../reports/terminal.ts';

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

let commands = 0;

process.on('message', async ({ args, cwd, env }: Command) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, process.argv.length, ...args);
  process.exitCode = undefined;
  redactor.forget();
  commands += 1;
  // The module is the command line: a module with another address is evaluated again.
  await import(`../lockstep.ts?${commands}`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  const end = `\0${process.exitCode ?? 0}\0`;
  process.stdout.write(end);
  process.stderr.write(end);
});
process.on('disconnect', () => process.exit());
