/** Options of the gate. */
import { type Command, Option } from '@commander-js/extra-typings';
import { seconds, shared, suiteCommand, withTarget } from './options.ts';

export const gateCommand = (program: Command) =>
  withTarget(
    suiteCommand(program, 'gate', 'Certify at night: fail on new findings, and list known ones.'),
  )
    .addOption(shared.tenant)
    .addOption(
      new Option('--report <dir>', 'compare this report instead of running').conflicts([
        ...['baseUrl', 'tenant', 'only', 'allow', 'convergence', 'standards', 'inferred'],
        ...['complete', 'jobs', 'tries', 'soak', 'seed', 'rate', 'dryRun', 'budget', 'smoke'],
        ...['ledger', 'ledgerKeyEnv', 'evidence', 'maxWrites'],
      ]),
    )
    .requiredOption('--baseline <file>', 'file of known problems; need not exist')
    .option('--history <dir>', 'folder that gets a small file for each night')
    .option(
      '--update-baseline',
      'write the baseline: add new findings, drop known ones that hold now',
    )
    .option(
      '--budget <time>',
      'run only the scenarios that fit into this time, such as 10m; the next night runs others',
      seconds,
    )
    .addOption(
      new Option('--smoke', 'for a pull request: call each operation once, in 10 s').conflicts([
        ...['budget', 'updateBaseline', 'complete', 'tries', 'soak'],
      ]),
    )
    .addOption(
      new Option(
        '--stale <how>',
        'exit with 3 if a known problem has gone, or only report that (default: fail)',
      ).choices(['fail', 'warn'] as const),
    )
    .addOption(
      new Option(
        '--drift <how>',
        'only report that the target answers a silence differently, or fail (default: report)',
      ).choices(['report', 'fail'] as const),
    )
    .addOption(shared.ledger)
    .addOption(shared.ledgerKey);
