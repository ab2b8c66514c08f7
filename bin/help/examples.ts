/** What stands at the end of each `--help`: examples; and after a mistake, the help that tells more. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

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
  preflight: ['lockstep preflight --tenant tenant.yaml'],
};

/** Gives each command its examples, and its mistakes the name of its own help. */
export function addHelp(program: CommandUnknownOpts): void {
  for (const command of [program, ...program.commands]) {
    const name = command === program ? 'lockstep' : command.name();
    const lines = (examples[name] ?? []).map((line) => `  ${line}`);
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
    const own = command === program ? 'lockstep --help' : `lockstep ${name} --help`;
    command.showHelpAfterError(`(see ${own})`);
  }
}
