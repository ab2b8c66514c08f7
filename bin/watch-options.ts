/** Options of the commands that watch traffic. */
import { type Command, Option } from '@commander-js/extra-typings';
import { atLeastOne, port, shared } from './options.ts';

const keepBodies = new Option(
  '--keep-bodies',
  'keep bodies as they are, but for secrets; default their shapes',
);

export const proxyCommand = (program: Command) =>
  program
    .command('proxy')
    .description('Pass a client through to the real service, and judge each answer as it passes.')
    .requiredOption('--to <url>', 'address of the service; https, or on this machine')
    .option('--port <port>', 'port to listen on; 0 takes a free one', port, 4011)
    .option('--host <host>', 'address to listen on (default: this machine alone, 127.0.0.1)')
    .addOption(shared.tenant)
    .option('--ca <file>', 'PEM of a certificate authority to trust as well')
    .option('--rate <n>', 'requests per second at most', atLeastOne)
    .addOption(
      new Option('--headers <how>', 'whether answers get Lockstep-Basis')
        .choices(['on', 'off'] as const)
        .default('on' as const),
    )
    .addOption(keepBodies)
    .addOption(shared.adminToken)
    .option('--out <dir>', 'folder for the report, written when the proxy ends');

export const gradeCommand = (program: Command) =>
  program
    .command('grade')
    .description('Judge recorded traffic of the service (HAR), as the proxy does when it passes.')
    .argument('<har>', 'file of a browser, of Playwright, of another proxy or of ours')
    .addOption(shared.tenant)
    .addOption(keepBodies)
    .option('--out <dir>', 'folder for the report');
