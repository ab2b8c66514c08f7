/** The command line: parses, composes, prints. Each command loads what it needs and no more. */
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { LogFormat } from '../mock/log.ts';
import { version } from '../mock/version.ts';

const USAGE = 2;

const program = new Command('lockstep')
  .description('Keeps a local fake and a hosted management API in step.')
  .version(version)
  .showHelpAfterError('(see lockstep --help)')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE));

program
  .command('mock')
  .description('Serve a stateful mock of the management API.')
  .option('--port <port>', 'port to listen on; 0 takes a free one', port, 4010)
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option(
    '--fixture <name or file>',
    'what the worlds start from: acme, empty, basic-plan, large[:deployments=N,...] or a YAML file',
    'acme',
  )
  .option(
    '--description <file>',
    'OpenAPI document from which all is answered that the contract does not model',
  )
  .option('--tls', 'serve HTTPS with a self-signed certificate')
  .option(
    '--deviate <id>',
    'make a deviation; may be given more than once',
    collect,
    [] as string[],
  )
  .option('--profile <file>', 'YAML file of choices at silent statements')
  .option(
    '--seed <n>',
    'seed of the worlds; without --clock it freezes their clock as well',
    integer,
  )
  .option('--clock <iso>', 'time at which the clock of the worlds stands')
  .option(
    '--alias <unitCount=NAME>',
    'real name of a field that the description writes with "unit"',
    alias,
  )
  .option(
    '--admin-token-env <name>',
    'environment variable that holds the token of the control API',
  )
  .option('--strict', 'refuse unknown parameters and fields, and bodies that are not sent as JSON')
  .addOption(
    new Option('--log <format>', 'requests on stderr')
      .choices(['pretty', 'json', 'silent'] as const)
      .default('pretty' as LogFormat),
  )
  .action(async (options) => {
    const { banner, runMock, StartError } = await import('../mock/command.ts');
    const adminToken =
      options.adminTokenEnv === undefined ? undefined : fromEnvironment(options.adminTokenEnv);
    try {
      const started = await runMock({
        port: options.port,
        host: options.host,
        fixture: options.fixture,
        description: options.description,
        tls: options.tls,
        profile: options.profile,
        seed: options.seed,
        clock: options.clock,
        unitCountAlias: options.alias,
        adminToken,
        strict: options.strict,
        deviations: options.deviate,
        log: options.log,
      });
      process.stdout.write(banner(started, options.fixture));
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => void started.mock.close().then(() => process.exit(0)));
      }
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      fail(error.message);
    }
  });

await program.parseAsync();

function integer(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number was expected.');
  return Number(text);
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

function port(text: string): number {
  const number = integer(text);
  if (number > 65_535) throw new InvalidArgumentError('A port is at most 65535.');
  return number;
}

function alias(text: string): string {
  const match = /^unitCount=([A-Za-z_]\w*)$/.exec(text);
  if (match?.[1] === undefined) throw new InvalidArgumentError('unitCount=NAME was expected.');
  return match[1];
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') fail(`The environment variable ${name} is not set`);
  return value;
}

function fail(message: string): never {
  process.stderr.write(`lockstep: ${message}\n`);
  process.exit(USAGE);
}
