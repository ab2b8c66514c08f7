/**
 * Adds examples to the end of each `--help`. Adds the name of the command's help to the message about a
 * mistake.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';

/** By command: lines that can be typed as they are. */
const examples: Readonly<Record<string, readonly string[]>> = {
  lockstep: [
    'lockstep mock',
    'lockstep init',
    'lockstep certify --tenant tenant.yaml',
    'lockstep help certify',
  ],
  mock: [
    'lockstep mock --port 0 --ready-file ready.json',
    'lockstep mock --fixture mine.yaml --seed 7',
    'lockstep mock --profile profile.yaml --deviate folders:children-renamed',
  ],
  env: [
    'eval "$(lockstep env --ready-file ready.json --wait 10s)"',
    'lockstep env --world new --shell github >> "$GITHUB_ENV"',
  ],
  certify: [
    'lockstep certify --tenant tenant.yaml --dry-run',
    'lockstep certify --tenant tenant.yaml --allow reversible',
    'lockstep certify --base-url http://127.0.0.1:4010 --only STAGE-3,FOLDER-8',
    'lockstep certify --tenant tenant.yaml --again reports/out/<run id>',
  ],
  'self-certify': ['lockstep self-certify --quiet', 'lockstep self-certify --out certificate'],
  gate: [
    'lockstep gate --tenant tenant.yaml --baseline known.yaml --history nights',
    'lockstep gate --tenant tenant.yaml --baseline known.yaml --update-baseline',
    'lockstep gate --tenant tenant.yaml --baseline known.yaml --smoke',
  ],
  history: ['lockstep history nights', 'lockstep history nights --html nights.html'],
  explore: [
    'lockstep explore --base-url http://127.0.0.1:4010 --runs 20',
    'lockstep explore --tenant tenant.yaml --allow reversible --write-budget 50',
  ],
  exam: ['lockstep exam --only folders:children-renamed', 'lockstep exam --check'],
  undo: ['lockstep undo --tenant tenant.yaml', 'lockstep undo --tenant tenant.yaml --foreign'],
  verify: [
    'lockstep verify reports/out/<run id>',
    'lockstep verify certificate --public-key key.pem',
  ],
  diff: [
    'lockstep diff reports/out/<earlier run> reports/out/<later run>',
    'lockstep diff --base-url http://127.0.0.1:4010 --against https://acme.example.com --tenant tenant.yaml --learn',
  ],
  client: [
    'lockstep client -- npx vitest run',
    "lockstep client --junit 'out/{run}.xml' -- pytest -q --junitxml 'out/{run}.xml'",
    'lockstep client --run FOLDER-15:refused -- go test ./...',
  ],
  where: ['lockstep where STAGE-5'],
  drift: [
    'lockstep drift --description openapi.yaml',
    'lockstep drift --description https://acme.example.com/openapi.json --out drift.md',
  ],
  completion: [
    'source <(lockstep completion bash)',
    'lockstep completion fish > ~/.config/fish/completions/lockstep.fish',
  ],
  init: ['lockstep init', 'lockstep init --yes', 'lockstep init --yes --runner pytest checkout'],
  contract: [
    'lockstep contract > openapi.yaml',
    'lockstep contract --json --base-url http://127.0.0.1:4010 > openapi.json',
  ],
  capture: ['lockstep capture --tenant tenant.yaml --out acme.fixture.yaml'],
  proxy: [
    'lockstep proxy --to https://acme.example.com',
    'lockstep proxy --to https://acme.example.com --tenant tenant.yaml --out traffic',
  ],
  help: ['lockstep help certify'],
  grade: ['lockstep grade traffic.har --tenant tenant.yaml'],
  mcp: ['lockstep mcp', 'lockstep mcp --base-url http://127.0.0.1:4010'],
  preflight: ['lockstep preflight --tenant tenant.yaml'],
};

/** Gives each command its examples, and its mistakes the name of its own help. */
export function addHelp(program: CommandUnknownOpts): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the help of a command.')
    .argument('[command]', 'the command (default: all of them)')
    .action((name?: string) => {
      const named = name === undefined ? program : commandOf(program, name);
      if (named === undefined) {
        const names = program.commands.map((command) => command.name());
        throw new Refused(`there is no command ${name}${hint(name ?? '', names)}`);
      }
      named.help();
    });
  for (const command of [program, ...program.commands]) {
    const lines = (examples[command.name()] ?? []).map((line) => `  ${line}`);
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
    command.showHelpAfterError(`(see ${helpOf(program, command)})`);
    for (const option of command.options)
      if (Array.isArray(option.defaultValue)) option.default(option.defaultValue, 'none');
  }
}

/**
 * The message about a mistake that a command found by itself. If the mistake is about an option, the message
 * names the help.
 */
export function mistakeOf(program: CommandUnknownOpts, message: string): string {
  const command = commandOf(program, program.args[0] ?? '');
  const isAboutOption = /(?:^|[\s(])--[a-z]/.test(message);
  if (command === undefined || !isAboutOption) return message;
  return `${message} (see ${helpOf(program, command)})`;
}

function commandOf(program: CommandUnknownOpts, name: string): CommandUnknownOpts | undefined {
  return program.commands.find((command) => command.name() === name);
}

function helpOf(program: CommandUnknownOpts, command: CommandUnknownOpts): string {
  return command === program ? 'lockstep --help' : `lockstep ${command.name()} --help`;
}
