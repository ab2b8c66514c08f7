/** The README and the guides: their commands and code run as written, and their links lead somewhere. */
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { countsOf } from '../mock/control/docs/docs.ts';
import { program, run, serve } from '../mock/testing/program.ts';
// Its fixtures have to be defined outside of a describe.
import '../mock/kits/vitest.ts';
import { curl, hasTool } from '../mock/testing/tools.ts';
import { version } from '../spec/base/version.ts';
import { contract } from '../spec/contract.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guides = ['README.md', 'mock/README.md', 'conformance/README.md'];

/** A block of code in a guide, and what the guide shows below it as its output. */
interface Block {
  readonly language: string;
  readonly code: string;
  readonly shown: readonly string[];
}

function blocksOf(guide: string): Block[] {
  const fences = /^```(\w+)\n(.*?)^```\n(?:\n?```text\n(.*?)^```\n)?/gms;
  return [...read(guide).matchAll(fences)].map(([, language = '', code = '', shown = '']) => ({
    language,
    code,
    shown: shown.split('\n').filter((line) => line !== ''),
  }));
}

/** Commands that are not run here, by their beginning, and the test that runs them instead. */
const runElsewhere: Readonly<Record<string, string>> = {
  'npm ci': 'every test runs after it; mock/cli/start.test.ts starts the mock',
  'npm pack': 'bin/package.outside.test.ts packs and installs',
  'docker build': 'mock/kits/testcontainers.outside.test.ts, if there is a container engine',
  'npx lockstep mock --profile': 'lab/campaigns/learn.test.ts; it serves until it is ended',
};
const isRunElsewhere = ({ code }: Block) =>
  Object.keys(runElsewhere).some((start) => code.startsWith(start));

const found = hasTool(curl.probe, curl.version, 'THE COMMANDS IN THE README AND THE GUIDES');

describe.runIf(found).for(guides)('%s', (guide) => {
  const blocks = blocksOf(guide);
  const commands = blocks.filter((block) => block.language === 'sh' && !isRunElsewhere(block));

  // The README runs a test against every service, which is a hundred runs: minutes on a busy machine.
  const timeout = 1_500_000;
  test.runIf(commands.length > 0)(
    'its commands work, and answer what it shows',
    { timeout },
    async () => {
      await using mock = await serve();
      const outputs = await runCommands(blocks, commands, mock.url);
      for (const [index, { code, shown }] of commands.entries()) {
        const { output, status } = outputs[index] ?? expect.unreachable(`not reached: ${code}`);
        expect(status, output).toBe(0);
        let from = 0;
        for (const line of shown) {
          expect(output.slice(from), code).toContain(line);
          from = output.indexOf(line, from);
        }
        if (shown.length === 0) expect(output, code).not.toContain('"error"');
      }
    },
  );
});

/** Runs the commands of a guide in one shell, in a folder with its tenant file and `npx`. */
async function runCommands(blocks: readonly Block[], commands: readonly Block[], url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-guide-'));
  // npx puts a shell between the script and the program, and does not hand a signal on to it.
  const npx = [
    '#!/bin/sh',
    '[ "$1" != --no-install ] || shift',
    'tool=$1',
    'shift',
    `[ "$tool" != vitest ] || exec "${process.execPath}" "${root}node_modules/vitest/vitest.mjs" "$@"`,
    `"${process.execPath}" "${program}" "$@"`,
    'exit $?',
    '',
  ].join('\n');
  writeFileSync(join(folder, 'npx'), npx);
  chmodSync(join(folder, 'npx'), 0o755);
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\n');
  const here = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:4010', url)
      .replaceAll('https://acme.example.com', url)
      // Narrowed, so that it takes seconds and not minutes.
      .replaceAll('lockstep certify', 'lockstep certify --only DEPL-1')
      // With more time, for a busy machine.
      .replaceAll('lockstep client', 'lockstep client --budget 20m')
      .replaceAll('--allow reversible', '--allow reversible --dry-run')
      .replaceAll('--runs 20', '--runs 1');
  const tests = blocks.find(({ code }) => isImporting(code, { 'lockstep/vitest': '' }));
  if (tests !== undefined) {
    writeFileSync(join(folder, 'rename.test.ts'), tests.code);
    const replacement = JSON.stringify(`${root}mock/kits/$1.ts`);
    const alias = `[{ find: /^lockstep\\/(\\w+)$/, replacement: ${replacement} }]`;
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      `export default { resolve: { alias: ${alias} } };`,
    );
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }
  const tenant = blocks.find(({ language }) => language === 'yaml');
  if (tenant !== undefined) writeFileSync(join(folder, 'tenant.yaml'), here(tenant.code));
  const script = commands.map(({ code }) => `${here(code)}\nprintf '\\n== %s\\n' $?\n`);
  const { stdout } = await run('sh', ['-c', ['exec 2>&1', ...script].join('\n')], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      HOME: folder,
      NO_PROXY: '*',
      LOCKSTEP_ADMIN_KEY: 'acme-admin',
      LOCKSTEP_MEMBER_KEY: 'acme-member',
      LOCKSTEP_SCOPED_KEY: 'acme-scoped',
    },
  }).ended;
  return [...stdout.matchAll(/(.*?)\n== (\d+)\n/gs)].map(([, output = '', status]) => ({
    output,
    status: Number(status),
  }));
}

/** TypeScript that is not run here, by what it imports. */
const needsMore = {
  'lockstep/testcontainers':
    'mock/kits/testcontainers.outside.test.ts runs the same, if there is an engine',
};

const snippets = guides.flatMap((guide) =>
  blocksOf(guide)
    .filter(({ language, code }) => language === 'ts' && !isImporting(code, needsMore))
    .map(({ code }, index) => ({ guide, code, name: `${guide.replaceAll('/', '-')}-${index}.ts` })),
);

function isImporting(code: string, modules: object): boolean {
  return Object.keys(modules).some((name) => code.includes(`from '${name}'`));
}

describe('the code in the guides', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-guides-'));
  // So that it finds the packages that it imports.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dispatcher = getGlobalDispatcher();
  afterAll(() => {
    rmSync(folder, { recursive: true });
    setGlobalDispatcher(dispatcher);
  });
  for (const { guide, code, name } of snippets) {
    const file = join(folder, name);
    writeFileSync(file, code);
    const load = () => import(/* @vite-ignore */ file);
    // One for vitest registers its own tests; any other is a test by itself.
    if (code.includes("'lockstep/vitest'")) await load();
    else test(`${guide}: ${code.split('\n')[0]}`, load);
  }
});

test.for([
  ['README.md', 120],
  ['AGENTS.md', 40],
] as const)('%s fits on %i lines', ([page, most]) => {
  expect(read(page).split('\n').length - 1).toBeLessThanOrEqual(most);
});

const pages = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{mock,conformance,reports,spec,fixtures,decisions}/**/*.md', { cwd: root }),
].filter((file) => !file.includes('node_modules') && !file.startsWith('reports/out'));

test.for(pages)('the links in %s lead somewhere', (page) => {
  const text = read(page).replaceAll(/^```.*?^```/gms, '');
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    expect(existsSync(join(root, target)), link).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(target), link).toContain(anchor);
  }
});

test.for(pages)('the npm scripts that %s names exist', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
  const named = read(page).matchAll(/\bnpm run (?:-s |--silent )?([a-z][a-z:-]*)/g);
  for (const [, name = ''] of named) expect(Object.keys(scripts)).toContain(name);
});

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('the guide of the mock explains each option of lockstep mock', async () => {
  const { stdout } = await run(process.execPath, [program, 'mock', '--help']).ended;
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name = '']) => name);
  const rows = read('mock/README.md').match(/^\| `--.*$/gm) ?? [];
  const explained = rows.flatMap((row) => row.match(/(?<=`)--[\w-]+/g) ?? []);
  expect(explained).toEqual(expect.arrayContaining(options.filter((name) => name !== '--help')));
});

test.for([...contract.operations.values()])('the guide counts what $id rests on', (operation) => {
  const { promised, assumed } = countsOf(operation);
  const line = `| \`${operation.id}\` | \`${operation.method} ${operation.path}\` | ${promised} | ${assumed} |`;
  expect(read('mock/README.md')).toContain(line);
});

test('the version is that of package.json', () => {
  const manifest = JSON.parse(read('package.json')) as { version: string };
  expect(version).toBe(manifest.version);
});

test('each line of "What you can rely on" names a test that there is', () => {
  const [, table = ''] = read('SECURITY.md').split('## What you can rely on');
  const lines = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| \|/.test(line));
  expect(lines.length).toBeGreaterThan(10);
  const unproven = lines.filter((line) => {
    const [, file = '', title = ''] = /\| `([\w./-]+\.test\.ts)`: ([^|]+) \|$/.exec(line) ?? [];
    return !existsSync(join(root, file || 'none')) || !read(file).includes(title);
  });
  expect(unproven).toEqual([]);
});
