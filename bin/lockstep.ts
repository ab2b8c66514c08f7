/** The command line: parses, composes, prints. Each command loads what it needs and no more. */
import { writeSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { CommandError } from '../mock/cli/command-error.ts';
import type { LogFormat } from '../mock/cli/log.ts';
import { failureOf, type Shell, shells } from '../mock/cli/shell-dialects.ts';
import { parseDuration } from '../spec/base/duration.ts';
import { Incomplete } from '../spec/base/incomplete.ts';
import { version } from '../spec/base/version.ts';
import { endOnSignal } from './end-on-signal.ts';
import type { Started } from './serve.ts';

const USAGE = 2;
const COULD_NOT_RUN = 4;

const program = new Command('lockstep')
  .description('A mock of a hosted management API, and a suite that checks the real one.')
  .version(version)
  .showHelpAfterError('(see lockstep --help)')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE));

/** Options of several commands. */
const shared = {
  adminToken: new Option(
    '--admin-token-env <name>',
    'environment variable that holds the token of the control API',
  ).argParser(fromEnvironment),
  allow: new Option(
    '--allow <effect>',
    'the most lasting effect that a call may have on the target',
  ).choices(['none', 'reversible', 'disruptive', 'permanent'] as const),
  baseUrl: new Option('--base-url <url>', 'the target; overrides the tenant file'),
  tenant: new Option(
    '--tenant <file>',
    'file that names what the run may know and touch on a real tenant',
  ),
};

program
  .command('mock')
  .description('Serve a stateful mock of the management API.')
  .configureOutput({
    // npm start --port 4011 keeps the option for npm and hands on what is left.
    outputError: (text, write) =>
      write(
        text.includes('too many arguments')
          ? `${text}Pass options after --: npm start -- --port 4011\n`
          : text,
      ),
  })
  .option('--port <port>', 'port to listen on; 0 takes a free one', port, 4010)
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option(
    '--fixture <name or file>',
    'what the worlds start from: acme, empty, basic-plan, large[:deployments=N,...] or a YAML file',
    'acme',
  )
  .option(
    '--description <file>',
    'OpenAPI document to answer from what the contract does not model',
  )
  .option(
    '--tls [names]',
    'serve HTTPS with a self-signed certificate; names add host names, separated by commas',
  )
  .option(
    '--deviate <id>',
    'make the mock depart from a promise; may be given more than once',
    collect,
    [] as string[],
  )
  .option('--profile <file>', 'YAML file of choices at silent statements')
  .option('--seed <n>', 'seed of the worlds; without --clock it also freezes their clock', integer)
  .option('--clock <iso>', 'freeze the clock of the worlds at this time')
  .option(
    '--alias <unitCount=NAME>',
    'real name of the field that the description calls unitCount',
    alias,
  )
  .addOption(shared.adminToken)
  .option(
    '--strict',
    'refuse unknown parameters, filters and fields, and bodies that are not sent as JSON',
  )
  .addOption(
    new Option(
      '--log <format>',
      'how to log requests on stderr; silent with a ready file prints nothing',
    )
      .choices(['pretty', 'json', 'silent'] as const)
      .default('pretty' as LogFormat),
  )
  .option(
    '--ready-file <file>',
    'file to write when the mock listens, for lockstep env; the mock removes it when it stops',
  )
  .action(async ({ deviate: deviations, alias: unitCountAlias, adminTokenEnv, ...options }) => {
    const { banner, runMock } = await import('./serve.ts');
    let started: Started | undefined;
    endOnSignal(async () => started?.stop());
    const adminToken = adminTokenEnv;
    started = await runMock({ ...options, deviations, unitCountAlias, adminToken });
    // A ready file says all that the banner says.
    const silent = options.log === 'silent' && options.readyFile !== undefined;
    if (!silent) process.stdout.write(banner(started, options.fixture));
  });

const env = program
  .command('env')
  .description('Print what a shell script needs to use a running mock: eval "$(lockstep env)".')
  .addOption(
    new Option('--ready-file <file>', 'the file that lockstep mock --ready-file wrote').conflicts(
      'baseUrl',
    ),
  )
  .option('--base-url <url>', 'address of the mock (default: http://127.0.0.1:4010)')
  .option('--ca <file>', 'certificate authority to trust (default: the one in the ready file)')
  .addOption(shared.adminToken)
  .option('--world <id>', '`new` makes a world; or the id of a world (default: acme)')
  .option('--wait <seconds>', 'how long to wait for a mock that is starting, such as 10s', seconds)
  .addOption(
    new Option('--shell <name>', 'which shell or file format to print for')
      .choices(shells)
      .default('sh' satisfies Shell),
  )
  .action(async ({ adminTokenEnv: adminToken, wait: waitMs, ...options }) => {
    const { runEnv } = await import('../mock/cli/env-command.ts');
    const { text, warning } = await runEnv({ ...options, adminToken, waitMs }, process.env);
    if (warning !== undefined) process.stderr.write(`lockstep: ${warning}\n`);
    process.stdout.write(text);
  });

// If it fails in any way, the shell that evaluates the output must fail as well.
process.once('exit', (code) => {
  if (code !== 0 && program.args[0] === 'env') writeSync(1, failureOf(env.opts().shell));
});

const certifying = (name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .option('--only <statements>', 'judge these statements, separated by commas', words)
    .addOption(shared.allow)
    .option(
      '--convergence <seconds>',
      'how long to wait for a change to show, such as 30s',
      seconds,
    )
    .addOption(
      new Option(
        '--standards <how>',
        'whether to fail on departures from standards, or only report them',
      ).choices(['report', 'enforce'] as const),
    )
    .option('--complete', 'fail if a promise could not be tested')
    .option('--jobs <n>', 'how many scenarios to run side by side', atLeastOne)
    .option('--tries <n>', 'how often to try what may be repeated', atLeastOne)
    .option('--soak <time>', 'for how long to go on repeating it, such as 10m', seconds)
    .option('--seed <n>', 'seed of the order of the scenarios (default: a random one)', integer)
    .option('--rate <n>', 'requests per second at most (default: 8 on a remote tenant)', atLeastOne)
    .option('--out <dir>', 'folder for the report (default: reports/out/<run id>)')
    .option('--force', 'replace a report in that folder that covers more, or another target')
    .option('--dry-run', 'print what would be written, and stop')
    .option('--shard <i/n>', 'run only the i-th of n parts of the suite', shard);

certifying(
  'certify',
  'Check every promise against a mock or a real tenant, and write a certificate.',
)
  .addOption(shared.baseUrl)
  .addOption(shared.tenant)
  .option('--list', 'print the checks of each statement, and stop')
  .action(async ({ list, convergence: convergenceMs, soak: soakMs, ...options }) => {
    const { runCertify, runList } = await import('./runner.ts');
    process.exitCode =
      list === true ? runList() : await runCertify({ ...options, convergenceMs, soakMs });
  });

certifying('self-certify', 'Start a mock over HTTPS and certify it.').action(
  async ({ convergence: convergenceMs, soak: soakMs, ...options }) => {
    const { runSelfCertify } = await import('./runner.ts');
    process.exitCode = await runSelfCertify({ ...options, convergenceMs, soakMs });
  },
);

program
  .command('explore')
  .description(
    'Call the target at random, compare with a model, and shrink a contradiction to a scenario file.',
  )
  .addOption(shared.baseUrl)
  .addOption(shared.tenant)
  .addOption(shared.allow)
  .option('--runs <n>', 'number of walks (default: 10, unless --steps is given)', atLeastOne)
  .option('--steps <n>', 'number of calls in all walks together', atLeastOne)
  .option('--seed <n>', 'seed of the walks: the same seed makes the same walks', integer)
  .option('--path <path>', 'replay only the moves of an earlier finding')
  .option(
    '--write-budget <n>',
    'limit on the number of writes (default on a tenant: 200)',
    atLeastOne,
  )
  .option('--convergence <seconds>', 'how long to wait for a change to show', seconds)
  .option('--out <dir>', 'folder for the scenario file')
  .action(async ({ convergence: convergenceMs, ...options }) => {
    const { runExplore } = await import('./explore.ts');
    const { surroundings } = await import('./runner.ts');
    process.exitCode = await runExplore({ ...options, convergenceMs }, surroundings());
  });

program
  .command('exam')
  .description('Run the suite against every deviation of the mock; the suite must notice each.')
  .option('--only <deviations>', 'only these deviations, separated by commas', words)
  .option('--out <dir>', 'folder for exam.md (default: reports)')
  .option('--every <n>', 'let each take effect in every nth request only', atLeastOne)
  .option('--tries <n>', 'with --every: how often to try (default: 12)', atLeastOne)
  .option('--check', 'compare with the existing table instead of writing it')
  .option('--update-collateral', 'write anew which further statements each deviation breaks')
  .addHelpText(
    'after',
    `
For each deviation only the scenarios that name a statement it breaks are run; the others run where
those notice nothing. So what a deviation breaks besides is seen in those scenarios alone.`,
  )
  .action(async (options) => {
    const { examine } = await import('./exam.ts');
    process.exitCode = await examine(options);
  });

program
  .command('undo')
  .description('Finish the clean-up of an interrupted run from its ledger.')
  .option('--ledger <dir>', 'folder of the ledger (default: .lockstep/ledger)')
  .action(async (options) => {
    const { runUndo } = await import('./runner.ts');
    process.exitCode = await runUndo(options);
  });

program
  .command('verify')
  .description('Derive the verdicts of a certificate again from its evidence.')
  .argument('<file>', 'report.json of a certificate')
  .action(async (file) => {
    const { runVerify } = await import('./runner.ts');
    process.exitCode = await runVerify(file);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommandError) fail(error.message, error.usage ? USAGE : COULD_NOT_RUN);
  // A defect of Lockstep or of its environment. It must not look like a verdict.
  const shown =
    error instanceof Incomplete
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`lockstep: ${shown}\n`);
  process.exitCode = COULD_NOT_RUN;
}

function integer(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number was expected.');
  return Number(text);
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

function atLeastOne(text: string): number {
  const number = integer(text);
  if (number < 1) throw new InvalidArgumentError('A whole number of at least 1 was expected.');
  return number;
}

function words(text: string): string[] {
  const list = text.split(',').filter((word) => word !== '');
  if (list.length === 0) throw new InvalidArgumentError('A list with commas was expected.');
  return list;
}

/** `30s`, or `30`, as milliseconds. */
function seconds(text: string): number {
  const duration = parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text);
  if (duration === undefined)
    throw new InvalidArgumentError('A duration such as 30s was expected.');
  return duration;
}

function shard(text: string): { readonly index: number; readonly of: number } {
  const [index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > of) throw new InvalidArgumentError('i/n was expected, such as 1/3.');
  return { index, of };
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

function fail(message: string, code = USAGE): never {
  process.stderr.write(`lockstep: ${message}\n`);
  process.exit(code);
}
