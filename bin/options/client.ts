/** Options of `lockstep client`. */
import { type Command, Option } from '@commander-js/extra-typings';
import { atLeastOne, collect, type OptionsOf, seconds, shared } from './options.ts';

const clientHelp = `
Runs COMMAND once against the plain mock, then once for each alternative of a silence, each loss of a request
and each broken promise that it met. COMMAND reads address and credentials from the environment, as
\`lockstep env\` names them. {run} in COMMAND and in --junit becomes the name of the run.

Exit code: 0 if the tests pass in every run; 1 if an alternative or a loss breaks them, or if --complete is
given and a broken promise is not noticed; 2 if the command or an option is wrong; 4 if the plain run fails
or sends no request.`;

export const clientCommand = (program: Command) =>
  program
    .command('client')
    .description('Run the tests of a client against every service that this could be.')
    .argument('<command...>', 'the test command, after --')
    .option('--sweep', 'try each alternative of the silences that the tests meet')
    .option('--losses', 'lose each request in each way')
    .option('--mutants', 'break each promise that the tests meet')
    .option('--budget <time>', 'limit on the time of all runs (default: 5m)', seconds)
    .option('--jobs <n>', 'runs in parallel (default: one for each core)', atLeastOne)
    .option('--timeout <time>', 'a run that takes longer counts as hung', seconds)
    .option('--junit <glob>', 'files of JUnit XML that the command writes')
    .option(
      '--run <id>',
      'only this run, with its output; FOLDER-* takes all that begin so; may be repeated',
      collect,
      [] as string[],
    )
    .option('--log <dir>', 'folder for the output of each run')
    .option('--baseline <file>', 'file of results that are accepted; need not exist')
    .option('--update-baseline', 'write the baseline: accept what fails now')
    .option('--reliance <file>', 'write which test relies on which promise and assumption')
    .option('--complete', 'fail if a broken promise is not noticed')
    .option(
      '--out <file>',
      'write the report to this .json, .xml, .html or .txt file; may be repeated',
      collect,
      [] as string[],
    )
    .addOption(
      new Option('--fixture <name or file>', 'initial data of each world').conflicts('baseUrl'),
    )
    .option('--base-url <url>', 'use the mock that runs there (default: start one)')
    .addOption(shared.adminToken)
    .option('--ca <file>', 'certificate authority to trust, with --base-url')
    .addHelpText('after', clientHelp);

export type ClientOptions = OptionsOf<typeof clientCommand>;
