/** Options of the commands that watch traffic. */
import { type Command, Option } from '@commander-js/extra-typings';
import { atLeastOne, port, shared, withTarget } from './options.ts';

const keepBodies = new Option(
  '--keep-bodies',
  'keep whole bodies, except for secrets (default: only their shapes)',
);

export const proxyCommand = (program: Command) =>
  program
    .command('proxy')
    .description('Pass a client through to the real service, and judge each answer as it passes.')
    .requiredOption('--to <url>', 'address of the service; https, or on this machine')
    .option('--port <port>', 'port to listen on; 0 takes a free one', port, 4011)
    .option('--host <host>', 'address to listen on (default: 127.0.0.1, this machine alone)')
    .addOption(shared.tenant)
    .addOption(shared.allowCommand)
    .option('--ca <file>', 'PEM file of a further certificate authority to trust')
    .option('--rate <n>', 'requests per second at most (default: no limit)', atLeastOne)
    .addOption(
      new Option('--headers <how>', 'add the header Lockstep-Basis to answers, or not')
        .choices(['on', 'off'] as const)
        .default('on' as const),
    )
    .addOption(keepBodies)
    .addOption(shared.adminToken)
    .option(
      '--out <dir>',
      'folder for the report, written when the proxy ends (default: reports/out/<run id>)',
    );

export const gradeCommand = (program: Command) =>
  program
    .command('grade')
    .description('Judge recorded traffic of the service (HAR), as the proxy judges live traffic.')
    .argument('<har>', 'HAR file of a browser, of Playwright or of a proxy')
    .addOption(shared.tenant)
    .addOption(shared.allowCommand)
    .addOption(keepBodies)
    .option('--out <dir>', 'folder for the report (default: reports/out/<run id>)');

export const captureCommand = (program: Command) =>
  withTarget(
    program
      .command('capture')
      .description(
        'Write the objects of a tenant as a fixture, with invented names. It only reads.',
      ),
  )
    .requiredOption('--tenant <file>', 'tenant file: the address, the credentials and the bindings')
    .requiredOption('--out <file>', 'file for the fixture; an earlier capture is overwritten')
    .option(
      '--rate <n>',
      'requests per second at most (default: 8 for a tenant on another machine, else no limit)',
      atLeastOne,
    )
    .option(
      '--seed <text>',
      'seed of the invented names; keep it secret, because it reveals the real ones (default: a random one, kept in .lockstep/capture-seed)',
    )
    .addOption(
      new Option('--keep <kinds...>', 'leave these as they are (default: invent all)').choices([
        'names',
        'emails',
        'hosts',
        'hashes',
        'ids',
        'paths',
      ] as const),
    );
