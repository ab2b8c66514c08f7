/** Options of the gate. */
import { type Command, Option } from '@commander-js/extra-typings';
import { seconds, shared, suiteCommand } from './options.ts';

export const gateCommand = (program: Command) =>
  suiteCommand(
    program,
    'gate',
    'Certify at night: fail on what is new, and list what the baseline knows.',
  )
    .addOption(shared.baseUrl)
    .addOption(shared.tenant)
    .addOption(shared.skipMissing)
    .addOption(shared.allowEnv)
    .addOption(shared.allowCommand)
    .addOption(
      new Option('--report <dir>', 'compare the report of a run that has been').conflicts([
        ...['baseUrl', 'tenant', 'only', 'allow', 'convergence', 'standards', 'inferred'],
        ...['complete', 'jobs', 'tries', 'soak', 'seed', 'rate', 'dryRun', 'budget', 'smoke'],
        ...['ledger', 'ledgerKeyEnv', 'evidence', 'maxWrites'],
      ]),
    )
    .requiredOption('--baseline <file>', 'file of known problems; need not exist')
    .option('--history <dir>', 'folder that gets a small file for each night')
    .option('--update-baseline', 'write the baseline: add what is new, take out what holds')
    .option('--budget <time>', 'run what protects most for so long, such as 10m', seconds)
    .addOption(
      new Option('--smoke', 'call each operation once, in 10 s: for a pull request').conflicts([
        ...['budget', 'updateBaseline', 'complete', 'tries', 'soak'],
      ]),
    )
    .addOption(
      new Option(
        '--stale <how>',
        'whether a known problem that holds ends 3, or is only told (default: fail)',
      ).choices(['fail', 'warn'] as const),
    )
    .addOption(
      new Option(
        '--drift <how>',
        'whether to fail on a silence that is answered otherwise (default: report)',
      ).choices(['report', 'fail'] as const),
    )
    .addOption(shared.ledger)
    .addOption(shared.ledgerKey);
