/** Options of `lockstep client`. */
import { type Command, Option } from '@commander-js/extra-typings';
import { atLeastOne, collect, type OptionsOf, seconds, shared } from './options.ts';

const clientHelp = `
Runs COMMAND once against the plain mock. Then runs it once for each alternative of a silence (--sweep), each
lost request (--losses) and each broken promise (--mutants) that the plain run met; without these options, for
all three. COMMAND gets the address and the credentials in the variables that \`lockstep env\` prints. {run} in
COMMAND and in --junit becomes the name of the run.

Exit code: 0 if the tests pass in every run; 1 if an alternative or a loss breaks them, or if --complete is
given and a broken promise is not noticed; 2 if the command or an option is wrong; 4 if the plain run fails
or sends no request.`;

export const clientCommand = (program: Command) =>
  program
    .command('client')
    .description('Run the tests of a client against every service that this could be.')
    .argument('<command...>', 'the test command, after --')
    .option('--sweep', 'try each alternative of the silences that the tests meet')
    .option('--losses', 'lose each request, in each way that a connection can fail')
    .option('--mutants', 'break each promise that the tests meet')
    .option('--budget <time>', 'limit on the time of all runs, such as 20m (default: 5m)', seconds)
    .option('--jobs <n>', 'runs in parallel (default: one for each core)', atLeastOne)
    .option(
      '--timeout <time>',
      'a run that takes longer counts as hung (default: 5 times the plain run times --jobs, at least 10s)',
      seconds,
    )
    .option('--junit <glob>', 'files of JUnit XML that the command writes; they name its tests')
    .option(
      '--run <id>',
      'only this run, with its output; FOLDER-* takes all whose names begin so; may be repeated',
      collect,
      [] as string[],
    )
    .option('--log <dir>', 'folder for the output of each run')
    .option('--baseline <file>', 'file of accepted failures; need not exist')
    .option('--update-baseline', 'write the baseline: accept what fails now')
    .option('--reliance <file>', 'file that gets which test relies on which promise and assumption')
    .option('--complete', 'also fail if the tests do not notice a broken promise')
    .option(
      '--out <file>',
      'write the report to this .json, .xml, .html or .txt file; may be repeated',
      collect,
      [] as string[],
    )
    .addOption(
      new Option(
        '--fixture <name or file>',
        'initial data of each world (default: acme)',
      ).conflicts('baseUrl'),
    )
    .option('--base-url <url>', 'use the mock at this address (default: start one)')
    .addOption(shared.adminToken)
    .option('--ca <file>', 'with --base-url: PEM file of a certificate authority to trust')

    .addHelpText('after', clientHelp);

export type ClientOptions = OptionsOf<typeof clientCommand>;
