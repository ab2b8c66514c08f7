/** `lockstep init`: a tenant file, a first test and a nightly job for a project. Existing files stay. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { print, printError } from '../../reports/terminal.ts';
import { isObject, parseJson } from '../../spec/base/json.ts';
import { ifThere, Refused } from '../../spec/base/refused.ts';
import { firstTest, preflightOf, tenantFileOf, tenantText } from './first-files.ts';
import { type TestRunner, testRunners } from './test-runners.ts';

export interface InitOptions {
  readonly runner?: TestRunner | undefined;
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly yes?: boolean | undefined;
}

/** The checkout, or `dist/` of an installed package. */
const own = (file: string): string =>
  fileURLToPath(new URL(`../../conformance/${file}`, import.meta.url));
const INSTALLED = 'node_modules/lockstep/dist/conformance/tenant.schema.json';
const SOMEWHERE = 'https://acme.example.com';

/** A detected value, and the evidence for it; undefined if nothing was found. */
interface Detected<Value> {
  readonly value: Value;
  readonly because: string;
}

/** Writes the files that are missing, and prints the next steps. Throws Refused. */
export async function runInit(folder: string, options: InitOptions): Promise<void> {
  const found = detect(folder);
  const answers = await settle(found, options);
  const { runner, name, baseUrl } = answers;
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/i.test(name))
    throw new Refused(`--name ${name}: letters, digits and hyphens, 32 at most`);
  if (!URL.canParse(baseUrl)) throw new Refused(`--base-url ${baseUrl} is not an address`);
  const test = firstTest(runner, found.typed);
  const night = nightlyJob(found.gitlab, name);
  const schema = `../${schemaFrom(folder)}`;
  write(
    folder,
    tenantFileOf(name),
    tenantText({ name, baseUrl, schema, bindings: await exampleBindings() }),
  );
  write(folder, test.file, test.text);
  write(folder, night.file, night.text);
  print(`
Next:
  ${test.run.join('\n  ')}
  ${preflightOf(name)}
  ${night.next}
`);
}

/** Never writes over anything. */
function write(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const isThere = existsSync(path);
  if (!isThere) writeFileSync(path, text, { flag: 'wx' });
  print(`${isThere ? 'left as it is' : 'written'}: ${file}\n`);
}

/** The bindings of the fixture acme, so that the file fits a mock as well. */
async function exampleBindings(): Promise<Readonly<Record<string, unknown>>> {
  const { bundledData } = await import('../../mock/service/fixture.ts');
  const { audit: _dated, ...bindings } = (await bundledData('acme')).bindings;
  return { ...bindings, audit: { search: 'Revenue' } };
}

/** The schema in the checkout if the project is in it, else in `node_modules`, where npm will put it. */
function schemaFrom(folder: string): string {
  const path = relative(folder, own('tenant.schema.json'));
  return path.startsWith('..') || isAbsolute(path) ? INSTALLED : path.replaceAll('\\', '/');
}

function nightlyJob(gitlab: boolean, name: string) {
  const template = (file: string): string =>
    readFileSync(own(`ci/${file}`), 'utf8').replaceAll('[acme, beta]', `[${name}]`);
  return gitlab
    ? {
        file: 'lockstep.gitlab-ci.yml',
        text: template('gitlab.yml'),
        next: 'include lockstep.gitlab-ci.yml in .gitlab-ci.yml; its head says which variables it needs',
      }
    : {
        file: '.github/workflows/lockstep-nightly.yml',
        text: template('github-nightly.yml'),
        next: 'read the head of .github/workflows/lockstep-nightly.yml: it says which secrets it needs',
      };
}

// ── detecting the project ───────────────────────────────────────────────────────

function detect(folder: string) {
  const names = ifThere(() => readdirSync(folder));
  if (names === undefined) throw new Refused(`${folder}: there is no such folder`);
  const manifest = parseJson(
    ifThere(() => readFileSync(join(folder, 'package.json'), 'utf8')) ?? '',
  );
  const { dependencies, devDependencies } = isObject(manifest) ? manifest : {};
  const packages = Object.keys({ ...(dependencies ?? {}), ...(devDependencies ?? {}) });
  const tenant = (ifThere(() => readdirSync(join(folder, 'tenants'))) ?? []).find((file) =>
    /(?<!\.baseline)\.ya?ml$/.test(file),
  );
  return {
    runner: runnerOf(names, packages),
    typed: names.includes('tsconfig.json') || packages.includes('typescript'),
    gitlab: names.includes('.gitlab-ci.yml'),
    tenant:
      tenant === undefined
        ? undefined
        : { value: tenant.replace(/\.ya?ml$/, ''), because: `tenants/${tenant}` },
  };
}

/** A runner that the manifest names comes before one that fits the language of the project. */
function runnerOf(
  names: readonly string[],
  packages: readonly string[],
): Detected<TestRunner> | undefined {
  const named = testRunners.find((runner) => packages.includes(runner));
  if (named !== undefined) return { value: named, because: 'package.json names it' };
  const byFile: readonly (readonly [file: string, runner: TestRunner])[] = [
    ['go.mod', 'go'],
    ['pyproject.toml', 'pytest'],
    ['requirements.txt', 'pytest'],
    ['setup.py', 'pytest'],
    ['package.json', 'node'],
  ];
  const [file, value] = byFile.find(([name]) => names.includes(name)) ?? [];
  return value && file !== undefined ? { value, because: `there is a ${file}` } : undefined;
}

// ── asking the user ────────────────────────────────────────────────────────────────

/** Takes options first, then answers. Without a terminal it takes the detected values, and prints them. */
async function settle(found: ReturnType<typeof detect>, options: InitOptions) {
  const asks = options.yes !== true && process.stdin.isTTY && process.stderr.isTTY;
  const terminal = asks
    ? createInterface({ input: process.stdin, output: process.stderr })
    : undefined;
  const choose = async (
    what: string,
    given: string | undefined,
    { value, because }: Detected<string>,
    range = '',
  ): Promise<string> => {
    if (given !== undefined) return given;
    if (terminal !== undefined) {
      const said = await terminal.question(`${what}${range} [${value}, as ${because}]: `);
      return said.trim() === '' ? value : said.trim();
    }
    printError(`assumed: ${what} ${value}, as ${because}\n`);
    return value;
  };
  try {
    const nothing = { value: 'vitest', because: 'no other is detected' };
    const runner = await choose(
      'test runner',
      options.runner,
      found.runner ?? nothing,
      ` (${testRunners.join(', ')})`,
    );
    const known = testRunners.find((one) => one === runner);
    if (known === undefined)
      throw new Refused(
        `there is no test runner ${runner} here; known are ${testRunners.join(', ')}`,
      );
    const example = { value: SOMEWHERE, because: 'an example' };
    const baseUrl = await choose('address of the tenant', options.baseUrl, example);
    const name = await choose('name of the tenant', options.name, found.tenant ?? nameIn(baseUrl));
    return { runner: known, baseUrl, name };
  } finally {
    terminal?.close();
  }
}

function nameIn(baseUrl: string): Detected<string> {
  const [label = ''] = URL.canParse(baseUrl) ? new URL(baseUrl).hostname.split('.') : [];
  return /^[a-z][a-z0-9-]{0,31}$/.test(label)
    ? { value: label, because: 'its address says' }
    : { value: 'acme', because: 'an example' };
}
