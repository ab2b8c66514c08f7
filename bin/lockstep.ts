/** The command line: parses, composes, prints. Each command loads what it needs and no more. */
import { writeSync } from 'node:fs';
import { Argument, Command, CommanderError, Option } from '@commander-js/extra-typings';
import { exitCodes } from '../conformance/judge/report.ts';
import { failureOf, type Shell, shells } from '../mock/cli/shell-dialects.ts';
import { complain } from '../reports/terminal.ts';
import { NotThere, Refused } from '../spec/base/refused.ts';
import { version } from '../spec/base/version.ts';
import { completedShells, offers, scripts } from './help/completion.ts';
import { addHelp, mistakeOf } from './help/examples.ts';
import { testRunners } from './help/test-runners.ts';
import { onSignal } from './listening.ts';
import { clientCommand } from './options/client.ts';
import { gateCommand } from './options/gate.ts';
import {
  alone,
  atLeastOne,
  certifyCommand,
  collect,
  diffHelp,
  examCommand,
  inMs,
  integer,
  mockCommand,
  noShards,
  path,
  seconds,
  shared,
  withTarget,
} from './options/options.ts';
import { captureCommand, gradeCommand, proxyCommand } from './options/watch.ts';
import type { Started } from './serve.ts';

const program = new Command('lockstep')
  .description('A mock of a hosted management API, and a suite that checks the real one.')
  .version(version)
  .exitOverride();

const runner = () => import('./runner.ts');
const end = async (exitCode: number | Promise<number>) => {
  process.exitCode = await exitCode;
};

mockCommand(program).action(async (options) => {
  const { banner, runMock } = await import('./serve.ts');
  let started: Started | undefined;
  onSignal(async () => {
    await started?.stop();
    process.exit(0);
  });
  started = await runMock(options);
  // The ready file has everything that the banner shows.
  const silent = options.log === 'silent' && options.readyFile !== undefined;
  if (!silent) process.stdout.write(banner(started, options.fixture));
});

const env = program
  .command('env')
  .description('Print what a shell script needs to use a running mock: eval "$(lockstep env)".')
  .addOption(
    new Option('--ready-file <file>', 'file that lockstep mock --ready-file wrote').conflicts(
      'baseUrl',
    ),
  )
  .option('--base-url <url>', 'address of the mock (default: http://127.0.0.1:4010)')
  .option('--ca <file>', 'PEM file of an authority to trust (default: that of the ready file)')
  .addOption(shared.adminToken)
  .option(
    '--world <id>',
    'id of a world, or `new` to make one (default: the world that the mock starts with)',
  )
  .option('--wait <seconds>', 'longest wait for a mock that is starting (default: 0s)', seconds)
  .addOption(
    new Option('--shell <name>', 'shell or file format to print for')
      .choices(shells)
      .default('sh' satisfies Shell),
  )
  .action(async ({ adminTokenEnv: adminToken, wait: waitMs, ...options }) => {
    const { runEnv } = await import('../mock/cli/env-command.ts');
    const { text, warning } = await runEnv({ ...options, adminToken, waitMs }, process.env);
    if (warning !== undefined) process.stderr.write(`lockstep: ${warning}\n`);
    process.stdout.write(text);
  });

program
  .command('mcp')
  .description('Give an agent a mock and the manuals, by the Model Context Protocol over stdio.')
  .option('--base-url <url>', 'use the mock at this address (default: start one)')
  .option('--ca <file>', 'with --base-url: PEM file of a certificate authority to trust')
  .addOption(shared.adminToken)
  .action(async ({ baseUrl, ca, adminTokenEnv: token }) => {
    const { runMcp } = await import('./mcp.ts');
    await runMcp(baseUrl === undefined ? undefined : { baseUrl, ca, token });
  });

// If it fails in any way, the shell that evaluates the output must fail as well.
if (process.argv[2] === 'env') {
  process.once('exit', (code) => {
    if (code !== 0) writeSync(1, failureOf(env.opts().shell));
  });
}

withTarget(
  certifyCommand(
    program,
    'certify',
    'Check every promise against a mock or a real tenant, and write a certificate.',
  ),
)
  .addOption(shared.tenant)
  .addOption(shared.ledger)
  .addOption(shared.ledgerKey)
  .option('--confirm', 'run each failure again, alone, before it counts; as gate does')
  .option('--again <report>', 'run the failures of this report again, with the same options')
  .option('--anonymous', "invent names in place of the tenant's, to share the certificate")
  .option('--list', 'print the checks of each statement, and stop')
  .option('--missing', 'print what each missing key of the tenant file would add, and stop')
  .action(async ({ list, missing, ...options }) => {
    const { runCertify, runList } = await runner();
    const chosen = alone(inMs(options));
    if (missing === true) await end((await import('./preflight.ts')).runMissing(chosen));
    else await end(list === true ? runList(chosen) : runCertify(chosen));
  });

certifyCommand(program, 'self-certify', 'Start a mock over HTTPS and certify it.').action(
  async (options) => end((await runner()).runSelfCertify(alone(inMs(options)))),
);

gateCommand(program).action(async (options) => end((await runner()).runGate(inMs(options))));

program
  .command('history')
  .description('Draw verdicts, latencies and convergence over the nights of a gate.')
  .argument('<dir>', 'folder that lockstep gate --history writes to')
  .option('--html <file>', 'also write one self-contained page to this file')
  .action(async (directory, { html }) => end((await runner()).runHistory(directory, html)));

withTarget(
  program
    .command('explore')
    .description(
      'Call the target at random, compare with a model, and shrink a contradiction to a scenario file.',
    ),
)
  .addOption(shared.tenant)
  .addOption(shared.allow)
  .addOption(shared.yes)
  .addOption(shared.allowProduction)
  .option('--runs <n>', 'number of walks (default: 10, unless --steps is given)', atLeastOne)
  .option('--steps <n>', 'number of calls in all walks together', atLeastOne)
  .option('--seed <n>', 'seed of the walks, to repeat them (default: a random one)', integer)
  .option('--path <finding>', 'with --seed: replay only this finding of an earlier run', path)
  .option(
    '--write-budget <n>',
    'writes at most (default: 200 on a tenant, no limit on a mock)',
    atLeastOne,
  )
  .addOption(shared.convergence)
  .option('--out <dir>', 'folder for the scenario file (default: reports/out/<run id>)')
  .action(async (options) => {
    const { runExplore } = await import('./explore.ts');
    await end(runExplore(inMs(options)));
  });

examCommand(program).action(async (options) => {
  if (options.honest === true) {
    const { examineHonestly } = await import('../lab/honest/examine.ts');
    return end(examineHonestly(options));
  }
  if (options.forSome === true) {
    const { examineForSome } = await import('../lab/exam/for-some.ts');
    return end(examineForSome(options));
  }
  if (options.reach !== undefined) {
    const { examineReach } = await import('../lab/exam/reach.ts');
    return end(examineReach(options.reach, options.out));
  }
  if (options.diagnose === true) {
    const { examineDiagnosis } = await import('../lab/exam/diagnose.ts');
    return end(examineDiagnosis(options));
  }
  const { examine } = await import('../lab/exam/exam.ts');
  return end(examine(options));
});

program
  .command('undo')
  .description('Finish the clean-up of an interrupted run from its ledger.')
  .requiredOption('--tenant <file>', 'tenant file of the interrupted run')
  .addOption(shared.allowEnv)
  .addOption(shared.allowCommand)
  .addOption(shared.baseUrl)
  .addOption(shared.ledger)
  .addOption(shared.ledgerKey)
  .option(
    '--accept <line>',
    'trust this line of a ledger, as <file>:<number>, whoever wrote it; may be repeated',
    collect,
    [] as string[],
  )
  .option('--foreign', 'also look for changes that a killed run on another machine left')
  .action(async (options) => end((await runner()).runUndo(options)));

program
  .command('merge', { hidden: true })
  .argument('[folders...]')
  .allowUnknownOption()
  .action(() => {
    throw new Refused(`merge was removed: ${noShards}`);
  });

program
  .command('verify')
  .description('Check that the verdicts of a certificate follow from its evidence.')
  .argument('<path>', 'folder of a certificate, or its report.json')
  .option('--public-key <file>', 'PEM file of the public key that must fit the signature')
  .action(async (path, options) => end((await runner()).runVerify(path, options)));

program
  .command('diff')
  .description('List the differences of two reports, or of two targets.')
  .argument('[last]', 'report.json of the earlier run, or its folder')
  .argument('[now]', 'report.json of the later run, or its folder')
  .option('--base-url <url>', 'target A: run the same scenarios on A and on B')
  .option('--against <url>', 'target B')
  .addOption(shared.tenant)
  .addOption(shared.skipMissing)
  .addOption(shared.allowEnv)
  .addOption(shared.allowCommand)
  .addOption(shared.allow)
  .addOption(shared.yes)
  .addOption(shared.allowProduction)
  .option('--learn [file]', 'write how B answers silences (default: profile.yaml)')
  .addOption(shared.reliance)
  .addOption(shared.digest)
  .addHelpText('after', diffHelp)
  .action(async (last, now, { out, learn, reliance, ...options }) => {
    const { against, baseUrl } = options;
    if (last !== undefined && now !== undefined && Object.keys(options).length === 0) {
      const { runDiffReports } = await import('./compare/diff.ts');
      await end(runDiffReports(last, now, out, reliance));
    } else if (last === undefined && baseUrl !== undefined && against !== undefined) {
      const { runDiffTargets } = await runner();
      const file = learn === true ? 'profile.yaml' : learn;
      await end(runDiffTargets({ ...options, baseUrl, against, learn: file, out, reliance }));
    } else throw new Refused('diff takes two reports, or --base-url A --against B');
  });

proxyCommand(program).action(async ({ adminTokenEnv: adminToken, ...options }) => {
  const { runProxy } = await import('./watch.ts');
  await end(runProxy({ ...options, adminToken }));
});

gradeCommand(program).action(async (har, options) => {
  const { runGrade } = await import('./watch.ts');
  await end(runGrade(har, options));
});

clientCommand(program).action(async (argv, options) => {
  const { runClientCommand } = await import('./client.ts');
  await end(runClientCommand(argv, options));
});

program
  .command('contract')
  .description(
    "Print the service's contract, an OpenAPI document: lockstep contract > openapi.yaml.",
  )
  .option('--base-url <url>', 'server that the document names (default: that of a tenant)')
  .option('--json', 'print JSON instead of YAML')
  .action(async (options) => {
    const { printContract } = await import('./help/contract.ts');
    printContract(options);
  });

program
  .command('where')
  .description('Name every file that mentions a statement, and the deviations that break it.')
  .argument('<statement>', 'id such as STAGE-5')
  .action(async (id) => {
    const { where } = await import('./help/where.ts');
    process.stdout.write(`${where(id).join('\n')}\n`);
  });

captureCommand(program).action(async (options) => {
  const { runCapture } = await import('./capture.ts');
  await end(runCapture(options));
});

withTarget(
  program
    .command('drift')
    .description("Compare the service's own OpenAPI document (3.0 or 3.1) with the contract."),
)
  .option('--description <file or url>', 'JSON or YAML; a URL is https, or on this machine')
  .addOption(shared.tenant)
  .addOption(shared.digest)
  .addHelpText(
    'after',
    `
With --tenant and no --description, the tenant is asked for the document, at the path \`description\` of its file.

Exit code: 1 if the document contradicts the contract or lacks a part of it; 0 if it agrees, or only has more
than the contract. References to other files or URLs are not followed.`,
  )
  .action(async ({ description, out, ...options }) => {
    if (description !== undefined)
      await end((await import('./compare/drift.ts')).runDrift(description, out));
    else if (options.tenant !== undefined) {
      const { runTenantDrift } = await import('./tenant-drift.ts');
      await end(runTenantDrift(options, (await runner()).surroundings(), out));
    } else throw new Refused('drift needs --description, or --tenant');
  });

program
  .command('preflight')
  .description('Check by reads that a tenant is as its file claims, and say what each key unlocks.')
  .requiredOption('--tenant <file>', 'tenant file: what a run may read or change')
  .addOption(shared.baseUrl)
  .addOption(shared.allowEnv)
  .addOption(shared.allowCommand)
  .action(async (options) => {
    const { runPreflight } = await import('./preflight.ts');
    await end(runPreflight(options));
  });

program
  .command('init')
  .description('Write a tenant file, a first test and a nightly job; existing files stay.')
  .argument('[folder]', 'the folder of the project', '.')
  .addOption(new Option('--runner <name>', 'test runner (default: detected)').choices(testRunners))
  .option('--name <tenant>', 'name of the tenant (default: the one in its address)')
  .option('--base-url <url>', 'address of the tenant')
  .option('--yes', 'ask nothing: take what is detected')
  .action(async (folder, options) => {
    const { runInit } = await import('./help/init.ts');
    await runInit(folder, options);
  });

program
  .command('completion')
  .description('Print a script that lets a shell complete commands and options.')
  .addArgument(new Argument('<shell>', 'the shell').choices(completedShells))
  .action((shell) => {
    process.stdout.write(`${scripts[shell]}\n`);
  });

// The script of a shell calls this.
program
  .command('complete', { hidden: true })
  .argument('[words...]')
  .action((words) => {
    process.stdout.write(
      offers(program, words)
        .map((line) => `${line}\n`)
        .join(''),
    );
  });

addHelp(program);

try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, message } = await failed(error);
  const isMistake = message !== undefined && exitCode === exitCodes.usage;
  complain(isMistake ? mistakeOf(program, message) : message);
  process.exitCode = exitCode;
}

async function failed(error: unknown): Promise<{ exitCode: number; message?: string }> {
  const { ok, usage, couldNotRun } = exitCodes;
  // It has printed the help, the version or a mistake of the command line.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? ok : usage };
  if (error instanceof Refused) return { exitCode: usage, message: error.message };
  if (error instanceof NotThere) return { exitCode: couldNotRun, message: error.message };
  // The runner is loaded only here, because other failures do not need it.
  const command = await import('../conformance/commands/command.ts');
  try {
    return command.failureOf(error);
  } catch {
    // A defect of Lockstep or of its environment. It must not look like a verdict.
    return { exitCode: couldNotRun, message: String((error as Error).stack ?? error) };
  }
}
