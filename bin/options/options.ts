/** Options of several commands, and the parsers of their values. */
import {
  type Command,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { LogFormat } from '../../mock/cli/log.ts';
import { parseDuration } from '../../spec/base/duration.ts';
import { Refused } from '../../spec/base/refused.ts';

export const shared = {
  adminToken: new Option(
    '--admin-token-env <name>',
    'environment variable that holds the token of the control API',
  ).argParser(fromEnvironment('--admin-token-env')),
  allow: new Option(
    '--allow <effect>',
    'most lasting effect that a call may have on the target (default: none on a tenant, permanent on a mock)',
  ).choices(['none', 'reversible', 'disruptive', 'permanent'] as const),
  digest: new Option(
    '--out <file>',
    'also write the findings to this .txt or .md file; may be repeated',
  )
    .argParser(digestFile)
    .default([] as readonly string[]),
  convergence: new Option(
    '--convergence <seconds>',
    'longest wait for a change to show, such as 2m (default: 30s)',
  ).argParser(seconds),
  baseUrl: new Option('--base-url <url>', 'the target; overrides the tenant file'),
  ledger: new Option('--ledger <dir>', 'folder of the ledger (default: .lockstep/ledger)'),
  ledgerKey: new Option(
    '--ledger-key-env <name>',
    'environment variable that holds a key for the ledger; needed if the credential `admin` differs from run to run',
  ).argParser(fromEnvironment('--ledger-key-env')),
  tenant: new Option(
    '--tenant <file>',
    'tenant file: the address, the credentials, and the objects that the run may read or change',
  ),
  reliance: new Option(
    '--reliance <dir>',
    'folder of files from lockstep client --reliance; the report then names the tests that a broken promise reaches',
  ),
  allowEnv: new Option(
    '--allow-env <name>',
    'let the tenant file use this environment variable, though its name does not begin with LOCKSTEP_; may be repeated',
  ).argParser((name: string, earlier: readonly string[] = []) => collect(name, earlier)),
  allowCommand: new Option(
    '--allow-command',
    'let the tenant file run commands for its credentials, and read them from files outside of its folder',
  ),
  yes: new Option('--yes', 'write to another machine without asking; needed without a terminal'),
  allowProduction: new Option(
    '--allow-production',
    'write to a tenant whose file says production: true',
  ),
  skipMissing: new Option(
    '--skip-missing',
    'go on without a credential whose environment variable is not set, and leave out the calls that need it',
  ),
};

/** The type is written out, because the inferred one is too long for the package's declarations. */
interface TargetOptions {
  baseUrl?: string;
  skipMissing?: true;
  allowEnv?: readonly string[];
  allowCommand?: true;
}

/** The options of a command that opens the target of a tenant file. */
export const withTarget = <A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
): Command<A, O & TargetOptions, G> => {
  command
    .addOption(shared.baseUrl)
    .addOption(shared.skipMissing)
    .addOption(shared.allowEnv)
    .addOption(shared.allowCommand);
  return command as unknown as Command<A, O & TargetOptions, G>;
};

export const diffHelp = `
Two reports: exit code 1 if a promise is newly broken, else 0. A statement that only one of the runs tried
is not a change.
Two targets: exit code 1 if a mock is wrong or a target violates a promise, else 0. The tenant file belongs
to the target that is not a mock. Unless both are mocks, --allow is none for both by default.
Exit code 2 if a file is not a report.`;

/** The values of a command's options, by name. */
export type OptionsOf<C extends (program: Command) => { opts(): object }> = Readonly<
  ReturnType<ReturnType<C>['opts']>
>;

/** Renames spans of time: options have short names, the code has the unit in the name. */
export const inMs = <T extends { convergence?: number; soak?: number; budget?: number }>({
  convergence: convergenceMs,
  soak: soakMs,
  budget: budgetMs,
  ...options
}: T) => ({ ...options, convergenceMs, soakMs, budgetMs });

/** A command that runs the suite, with the options of all such commands. */
export const suiteCommand = (program: Command, name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .option('--only <statements>', 'judge only these statements, separated by commas', words)
    .addOption(shared.allow)
    .addOption(shared.convergence)
    .addOption(
      new Option(
        '--standards <how>',
        'only report departures from standards, or fail on them as well (default: report)',
      ).choices(['report', 'enforce'] as const),
    )
    .addOption(
      new Option(
        '--inferred <how>',
        'only report a broken statement that follows from the description but is not said there (default: fail)',
      ).choices(['report'] as const),
    )
    .addOption(
      new Option(
        '--evidence <which>',
        'keep all exchanges, or only those of failed scenarios (default: all)',
      ).choices(['all', 'failures'] as const),
    )
    .option('--complete', 'fail if a promise could not be tested')
    .option('--jobs <n>', 'scenarios to run in parallel (default: 8)', atLeastOne)
    .option('--tries <n>', 'runs of each scenario that may be repeated (default: 1)', atLeastOne)
    .option('--soak <time>', 'then repeat such scenarios for this long, such as 10m', seconds)
    .option('--seed <n>', 'seed of the order of the scenarios (default: a random one)', integer)
    .addOption(shared.yes)
    .addOption(shared.allowProduction)
    .option(
      '--max-writes <n>',
      'refuse a plan with more writes, and stop a run before it makes more (default: no limit)',
      atLeastOne,
    )
    .option(
      '--rate <n>',
      'requests per second at most (default: 8 for a tenant on another machine, else no limit)',
      atLeastOne,
    )
    .option('--out <dir>', 'folder for the report (default: reports/out/<run id>)')
    .option(
      '--force',
      'replace the report in that folder, even if it covers more or another target',
    )
    .addOption(
      new Option(
        '--sign-key-env <name>',
        'environment variable that holds a private Ed25519 key in PEM, which signs the certificate',
      ).argParser(fromEnvironment('--sign-key-env')),
    )
    .addOption(shared.reliance)
    .option('--no-diagnosis', 'do not compare a failed run with known deviations')
    .option('--quiet', 'print only broken statements and the verdict')
    .option('--dry-run', 'print the planned writes, and stop')
    .addOption(
      new Option('--shard <i/n>').hideHelp().argParser(removed(`it was removed: ${noShards}`)),
    );

/** A command that can also run the user's own files, or only those. */
export const certifyCommand = (program: Command, name: string, description: string) =>
  suiteCommand(program, name, description)
    .option('--scenarios <paths...>', 'also run these files and folders of scenarios')
    .option('--no-suite', 'run only the files of --scenarios, which may be files of the suite')
    .option('--trace', 'print each exchange, each captured value, and the result of each check')
    .option('--watch', 'with --scenarios: run again when one of the files changes');

/** Renames --no-suite: the code uses `suite` for the suite itself. */
export const alone = <T extends { suite: boolean }>({ suite, ...options }: T) => ({
  ...options,
  alone: !suite,
});

export const mockCommand = (program: Command) =>
  program
    .command('mock')
    .description('Serve a stateful mock of the management API.')
    .configureOutput({
      // `npm start --port 4011` gives the option to npm, and only the rest to us.
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
      'data of the worlds: acme, empty, basic-plan, large[:deployments=N,...] or a YAML file',
      'acme',
    )
    .option(
      '--description <file>',
      'OpenAPI document for the paths that the contract does not know',
    )
    .option(
      '--tls [names]',
      'serve HTTPS with a certificate that is new at each start; names are further host names, separated by commas',
    )
    .option(
      '--deviate <id>',
      'break a promise on purpose, by an id of reports/exam.md; may be repeated',
      collect,
      [] as string[],
    )
    .option(
      '--cors <origin>',
      'let pages of this origin call the mock, such as http://localhost:5173; may be repeated',
      origin,
      [] as string[],
    )
    .option(
      '--allow-host <name>',
      'answer to this host name as well, while --host is an address of this machine alone; may be repeated',
      collect,
      [] as string[],
    )
    .option('--keep-secrets', "show clients' own secrets in journals, for tests that look for them")
    .option(
      '--idle <time>',
      'remove worlds that nobody has used for this long, such as 2h (default: 24h)',
      seconds,
    )
    .option(
      '--process <n>',
      'number of this process (0 to 999), if a proxy spreads worlds over several; world ids begin with it',
      processNumber,
    )
    .option(
      '--watch',
      'read the fixture file again when it changes, and start the default world anew',
    )
    .option('--profile <file>', 'YAML file of choices at silences, or profile.yaml of certify')
    .option(
      '--seed <n>',
      'seed of the worlds; without --clock it also freezes their clock (default: 1, and no frozen clock)',
      integer,
    )
    .option('--clock <iso>', 'freeze the clock of the worlds, such as at 2026-01-31T09:30:00Z')
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
        'format of the log of requests on stderr; silent with --ready-file prints nothing at all',
      )
        .choices(['pretty', 'json', 'silent'] as const)
        .default('pretty' as LogFormat),
    )
    .option(
      '--ready-file <file>',
      'file for lockstep env; the mock writes it when it listens, and removes it when it stops',
    );

export type MockCommand = OptionsOf<typeof mockCommand>;

export const examCommand = (program: Command) =>
  program
    .command('exam')
    .description('Run the suite against every deviation of the mock; the suite must notice each.')
    .option('--only <ids>', 'only these deviations or honest variants, separated by commas', words)
    .option('--out <dir>', 'folder for exam.md (default: reports)')
    .option('--every <n>', 'let each deviation take effect only in every nth request', atLeastOne)
    .option(
      '--tries <n>',
      'how often to try each, with --every (default: 12) or --for-some (default: 1)',
      atLeastOne,
    )
    .option('--for-some', 'let each deviation take effect only for some calls: a sample of these')
    .option('--all', 'with --for-some: all of these, which takes an hour or more')
    .option('--check', 'compare with the existing table instead of writing it')
    .option(
      '--reach <files...>',
      'compare the tests that failed in these reports of lockstep client with those that a gate names; see reach.md',
    )
    .option(
      '--diagnose',
      'hide each deviation in a mock, and check that the diagnosis names it; see diagnosis.md',
    )
    .option('--honest', 'run the suite against honest tenants, which must pass; see honest.md')
    .option('--tenants <n>', 'with --honest: number of random tenants (default: 200)', atLeastOne)
    .option(
      '--update-also-breaks',
      'rewrite the table of further statements that each deviation breaks',
    )
    .addHelpText(
      'after',
      `
For each deviation, the exam first runs the scenarios that name a broken statement and call a changed operation.
It runs the others only if those notice nothing. So the list of further broken statements may not be complete.`,
    );

export function integer(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number was expected.');
  return Number(text);
}

export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

/** Collects origins, one for each option: `scheme://host:port` without a path. */
export function origin(text: string, earlier: readonly string[]): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== text) {
    throw new InvalidArgumentError('An origin was expected, such as http://localhost:5173.');
  }
  return [...earlier, text];
}

const within = (least: number, most: number, expected: string) => (text: string) => {
  const number = integer(text);
  if (number < least || number > most) throw new InvalidArgumentError(expected);
  return number;
};

export const atLeastOne = within(1, Infinity, 'A whole number of at least 1 was expected.');
export const port = within(0, 65_535, 'A port is at most 65535.');
export const processNumber = within(0, 999, 'A process is a number from 0 to 999.');

export function words(text: string): string[] {
  const list = text.split(',').filter((word) => word !== '');
  if (list.length === 0) throw new InvalidArgumentError('A list with commas was expected.');
  return list;
}

/** The path of a finding: the number of its walk, and the moves that are left after shrinking. */
export function path(text: string): string {
  if (/^\d+(:[\d:]+~[\w+/:]*)?$/.test(text)) return text;
  throw new InvalidArgumentError('The path of a finding was expected, such as 3:0:1~AB:F.');
}

/** `30s`, or `30`, as milliseconds. */
export function seconds(text: string): number {
  const duration = parseDuration(/^[\d.]+$/.test(text) ? `${text}s` : text);
  if (duration === undefined)
    throw new InvalidArgumentError('A duration such as 30s was expected.');
  return duration;
}

/** Shards were removed: a run mostly waits, so two half runs took longer than one whole run. */
export const noShards =
  'one runner certifies a tenant; give each tenant a job of its own (conformance/ci/README.md)';

/** Refuses an option of an earlier version. */
const removed = (message: string) => (): never => {
  throw new InvalidArgumentError(message);
};

function digestFile(file: string, earlier: readonly string[]): readonly string[] {
  if (!/\.(txt|md)$/.test(file)) {
    throw new InvalidArgumentError('A file that ends in .txt or .md was expected.');
  }
  return [...earlier, file];
}

export function alias(text: string): string {
  const match = /^unitCount=([A-Za-z_]\w*)$/.exec(text);
  if (match?.[1] === undefined) throw new InvalidArgumentError('unitCount=NAME was expected.');
  return match[1];
}

/** The message leaves out the name: somebody may have pasted a secret there. */
function fromEnvironment(option: string) {
  return (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === '')
      throw new Refused(`The environment variable that ${option} names is not set`);
    return value;
  };
}
