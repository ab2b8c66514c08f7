/**
 * The jobs to copy, run step by step as CI would run them, on a mock that poses as a tenant. No CI engine
 * is installed here, so the output names the engines that were not tried; schemas check their files.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { verify } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { serve } from '../mock/testing/program.ts';
import { publishedSchema } from '../spec/testing/published-schema.ts';
import {
  type Action,
  filled,
  type Machine,
  runJob,
  type Step,
  type Workflow,
} from './testing/github-runner.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const ci = (file: string): string => `conformance/ci/${file}`;
const work = mkdtempSync(join(tmpdir(), 'lockstep-ci-'));
afterAll(() => rmSync(work, { recursive: true, maxRetries: 5 }));

for (const engine of ['GITHUB ACTIONS', 'GITLAB', 'JENKINS', 'KUBERNETES']) {
  process.stderr.write(
    `${'!'.repeat(20)} ${engine} WAS NOT ASKED: there is none here; its steps were run by a shell\n`,
  );
}

/** The same text with waits of seconds instead of minutes. */
const quick = (text: string): string =>
  text.replaceAll(
    '--allow reversible',
    '--allow reversible --convergence 1s --only FOLDER-1,FOLDER-2,DEPL-1',
  );

const tenants = ['acme', 'beta'] as const;
type Tenant = (typeof tenants)[number];

/** The package of Lockstep that a job of GitHub runs. */
const whose = { LOCKSTEP_REPOSITORY: 'OWNER/lockstep', LOCKSTEP_VERSION: 'v0.1.0' };

/** The world that poses as a tenant. */
const worldOf = (tenant: Tenant): string => `${tenant}night`;
const secretsOf = (tenant: Tenant) => ({
  LOCKSTEP_ADMIN_KEY: `${worldOf(tenant)}-admin`,
  LOCKSTEP_MEMBER_KEY: `${worldOf(tenant)}-member`,
  LOCKSTEP_SCOPED_KEY: `${worldOf(tenant)}-scoped`,
});
const secrets = { acme: secretsOf('acme'), beta: secretsOf('beta') };

/** Two mocks that pose as tenants, and the files that a certifier writes about each. */
async function poseTenants() {
  const mock = await serve();
  const ask = async (method: string, path: string, body: object) =>
    (await fetch(`${mock.url}/__admin/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      // Nothing is read while a job runs, so a connection that is kept would be closed by then.
      headers: { 'content-type': 'application/json', connection: 'close' },
    }).then((answer) => answer.json())) as { bindings: object; actors: Record<string, object> };
  const files: Record<string, string> = {};
  for (const tenant of tenants) {
    const { bindings, actors } = await ask('POST', 'worlds', { id: worldOf(tenant) });
    const credentials = Object.fromEntries(
      ['admin', 'member', 'scoped'].map((name) => [
        name,
        { env: `LOCKSTEP_${name.toUpperCase()}_KEY`, ...actors[name] },
      ]),
    );
    files[`tenants/${tenant}.yaml`] = JSON.stringify({
      ...{ baseUrl: mock.url, credentials, bindings, features: { auditLog: true } },
    });
  }
  const deviate = (tenant: Tenant, ...deviations: string[]) =>
    ask('PUT', `worlds/${worldOf(tenant)}/deviations`, { deviations });
  return {
    files,
    deviate,
    baseUrl: mock.url,
    [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose](),
  };
}

/** Every file below a folder, but for what git keeps. */
function filesIn(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((file) => !file.includes('.git/') && statSync(join(folder, file)).isFile())
    .sort();
}

test('the nightly workflow of GitHub passes a good night, and fails for the one bad tenant', async () => {
  await using posed = await poseTenants();
  const folder = join(work, 'github');
  const machine: Machine = {
    ...{ folder, root, origin: join(folder, 'origin.git'), secrets, changed: quick },
    vars: { LOCKSTEP_BASE_URL: posed.baseUrl, ...whose },
  };
  makeOrigin(machine.origin, posed.files);
  const workflow = parse(read(ci('github-nightly.yml'))) as Workflow;
  expect(workflow.jobs.gate?.strategy.matrix.tenant).toEqual(tenants);
  const gate = (tenant: Tenant, night: string) => runJob(machine, workflow, 'gate', tenant, night);

  for (const tenant of tenants) {
    const good = gate(tenant, '1');
    expect(good.status, good.log).toBe(0);
    expect(good.outputs).toBe('exit-code=0\nreport=lockstep-report\n');
    expect(good.summary).toMatch(/^## ✅ .*GATE PASSED/);
    expect(good.summary).toContain('Lockstep: Passed');
    expect(good.log).not.toContain('::error');
    expect(secretsIn(folder, [good.log + good.summary])).toEqual([]);
    expect(historyOf(machine.origin, tenant)).toHaveLength(1);
  }
  const report = join(folder, 'artifacts/1/acme-report');
  expect(filesIn(report)).toEqual(
    expect.arrayContaining([
      'certificate.html',
      'ctrf.json',
      'gate.md',
      'junit.xml',
      'report.json',
    ]),
  );
  // Nothing is broken, so no evidence is kept, and nothing is derived.
  const { exitCode, problems, differences } = await verify(report, { suite: loadOwnSuite() });
  expect([exitCode, problems, differences]).toEqual([4, [], []]);
  expect(filesIn(report).filter((file) => file.endsWith('.har'))).toEqual([]);

  await posed.deviate('acme', 'folders:rename-lost');
  const bad = gate('acme', '2');
  expect(bad.status, bad.log).toBe(1);
  expect(bad.outputs).toBe('exit-code=1\nreport=lockstep-report\n');
  expect(bad.summary).toMatch(/^## ❌ .*GATE FAILED {2}.*new: FOLDER-/);
  expect(bad.log).toMatch(/^::error title=FOLDER-/m);
  expect(historyOf(machine.origin, 'acme')).toHaveLength(2);
  const kept = await verify(join(folder, 'artifacts/2/acme-report'), { suite: loadOwnSuite() });
  expect(kept).toMatchObject({ exitCode: 4, problems: [], differences: [] });
  expect(kept.alike).toBeGreaterThan(0);

  expect(readdirSync(join(folder, 'caches'))).toHaveLength(3);
  expect(secretsIn(folder, [bad.log + bad.summary])).toEqual([]);
});

test.each([
  ['a file of somebody', 'note.md', 2, 'holds note.md, which no run writes'],
  // A tenant file of another host ends with 5, after the folder was accepted.
  ['files of a night', 'gate.json', 5, '--base-url names elsewhere.example'],
])('a night that cannot start shows no older file and follows no link: %s', async (...row) => {
  const [, other, status, reason] = row;
  await using posed = await poseTenants();
  const folder = join(work, `github-planted-${status}`);
  const machine: Machine = {
    ...{ folder, root, origin: join(folder, 'origin.git'), secrets, changed: quick },
    vars: { LOCKSTEP_BASE_URL: 'https://elsewhere.example', ...whose },
  };
  const planted = {
    'lockstep-report/gate.md': '## GATE PASSED',
    [`lockstep-report/${other}`]: '{}',
  };
  const links = { 'lockstep-ledger/kept': '../tenants/acme.yaml' };
  makeOrigin(machine.origin, { ...posed.files, ...planted }, links);
  const workflow = parse(read(ci('github-nightly.yml'))) as Workflow;
  const night = runJob(machine, workflow, 'gate', 'acme', '1');
  expect(night.status, night.log).toBe(status);
  expect(night.log).toContain(reason);
  expect(night.summary).not.toContain('PASSED');
  expect(existsSync(join(folder, 'artifacts'))).toBe(false);
  const tenant = readFileSync(join(folder, '1-gate-acme/workspace/tenants/acme.yaml'), 'utf8');
  expect(tenant).toBe(posed.files['tenants/acme.yaml']);
});

test('two tenants whose names begin alike have separate caches', () => {
  const { steps } = (parse(read(ci('github-nightly.yml'))) as Workflow).jobs.gate ?? { steps: [] };
  const { key = '', 'restore-keys': start = '' } =
    steps.find(({ uses }) => uses?.startsWith('actions/cache/restore@'))?.with ?? {};
  const named = (text: unknown, tenant: string) =>
    filled(text, { matrix: { tenant }, github: { run_id: '7', run_attempt: '1' } });
  expect(named(key, 'acme-2').startsWith(named(start, 'acme-2'))).toBe(true);
  expect(named(key, 'acme-2').startsWith(named(start, 'acme'))).toBe(false);
});

function makeOrigin(
  origin: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): void {
  const seed = `${origin}.seed`;
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-C', seed, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(seed, dirname(name)), { recursive: true });
    writeFileSync(join(seed, name), text);
  }
  for (const [name, to] of Object.entries(links)) {
    mkdirSync(join(seed, dirname(name)), { recursive: true });
    symlinkSync(to, join(seed, name));
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'Tenants');
  git('clone', '--quiet', '--bare', '.', origin);
}

/** The nights on the branch of a tenant's history. */
function historyOf(origin: string, tenant: Tenant): string[] {
  const branch = `lockstep-history/${tenant}`;
  const args = ['--git-dir', origin, 'ls-tree', '-r', '--name-only', branch];
  return spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

/** Files and texts that hold a secret. */
function secretsIn(folder: string, texts: readonly string[]): string[] {
  const all = Object.values(secrets).flatMap((own) => Object.values(own));
  const holds = (text: string): boolean => all.some((one) => text.includes(one));
  return [
    ...filesIn(folder).filter((file) => holds(readFileSync(join(folder, file), 'latin1'))),
    ...texts.filter(holds),
  ];
}

/** Stands for `npx`: notes what Lockstep was told, and ends 1 if that was the tenant that fails. */
const standIn = `#!/bin/sh
[ "$1 $2" = '--no-install lockstep' ] || exit 9
shift 2
echo "$*" >>"$NOTES"
case $* in *"/$FAILING.yaml "*) exit 1 ;; esac
`;

interface Told {
  /** The commands, with the folders of this machine left out. */
  readonly commands: readonly string[];
  /** The outcome of the job of each tenant. */
  readonly statuses: readonly (number | null)[];
}

/** Runs the job of each tenant as the shell of an engine would. */
function runScript(
  [tool, ...flags]: readonly [string, ...string[]],
  script: string,
  tenantsOfFile: readonly string[],
  failing: string,
): Told {
  const folder = mkdtempSync(join(work, 'engine-'));
  writeFileSync(join(folder, 'npx'), standIn);
  chmodSync(join(folder, 'npx'), 0o755);
  const NOTES = join(folder, 'notes');
  const statuses = tenantsOfFile.map((TENANT) => {
    const PATH = `${folder}${delimiter}${process.env.PATH}`;
    const LOCKSTEP_BASE_URL = `https://${TENANT}.example`;
    const known = { HOME: folder, KEPT: 'kept', PATH, NOTES, FAILING: failing };
    const env = { ...known, TENANT, LOCKSTEP_BASE_URL };
    return spawnSync(tool, [...flags, script], { cwd: folder, env }).status;
  });
  return { commands: readFileSync(NOTES, 'utf8').trimEnd().split('\n'), statuses };
}

interface GitlabJob {
  readonly script: readonly string[];
  readonly environment: { readonly name: string };
  readonly parallel: { readonly matrix: readonly { readonly TENANT: readonly string[] }[] };
}

function gitlab(failing: string): Told {
  const { script, parallel, environment } = (parse(read(ci('gitlab.yml'))) as { gate: GitlabJob })
    .gate;
  // The variables of a tenant belong to its environment.
  expect(environment.name).toBe('$TENANT');
  const shell = ['bash', '--norc', '-eo', 'pipefail', '-c'] as const;
  const found = parallel.matrix.flatMap(({ TENANT }) => TENANT);
  return runScript(shell, script.join('\n'), found, failing);
}

function jenkins(failing: string): Told {
  const text = read(ci('Jenkinsfile'));
  const [, values = ''] = /axis \{\s+name 'TENANT'\s+values (.*)/.exec(text) ?? [];
  const [, script = ''] = /sh '''\n([^']*lockstep gate.*?)'''/s.exec(text) ?? [];
  const found = [...values.matchAll(/'(\w+)'/g)].map(([, tenant = '']) => tenant);
  return runScript(['sh', '-ec'], script, found, failing);
}

describe.each([
  ['the jobs of GitLab', gitlab, '--history history --ledger ledger --out report', ''],
  [
    'the cells of Jenkins',
    jenkins,
    '--history kept/history- --ledger kept/ledger- --out report/',
    'named',
  ],
])('%s', (_name, run, folders, named) => {
  const expected = tenants.map((tenant) => {
    const own = named === '' ? folders : folders.replaceAll(/[-/](?= |$)/g, `$&${tenant}`);
    return `gate --tenant tenants/${tenant}.yaml --base-url https://${tenant}.example --allow reversible --yes --baseline tenants/${tenant}.baseline.yaml ${own} --evidence failures`;
  });

  test('call the gate once for each tenant, as the action of GitHub does', () => {
    expect(run('none')).toEqual({ commands: expected, statuses: [0, 0] });
  });

  test('end as the gate does, and still try the other tenant', () => {
    expect(run('acme')).toEqual({ commands: expected, statuses: [1, 0] });
  });
});

interface CronJob {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly containers: readonly {
              readonly args: readonly string[];
              readonly env: readonly { readonly name: string }[];
              readonly volumeMounts: readonly { readonly name: string }[];
            }[];
            readonly volumes: readonly { readonly name: string }[];
          };
        };
      };
    };
  };
}

const cronJob = (): CronJob => parse(read(ci('kubernetes.yaml'))) as CronJob;

describe.each([
  ['action.yml', 'github-action.json'],
  ['.github/workflows/ci.yml', 'github-workflow.json'],
  ['.github/workflows/release.yml', 'github-workflow.json'],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'github-issue-forms.json'],
  ['.github/ISSUE_TEMPLATE/contract.yml', 'github-issue-forms.json'],
  ['.github/ISSUE_TEMPLATE/config.yml', 'github-issue-config.json'],
  ['.github/dependabot.yml', 'dependabot-2.0.json'],
  ['.devcontainer/devcontainer.json', 'devContainer.base.schema.json'],
  [ci('github-nightly.yml'), 'github-workflow.json'],
  [ci('gitlab.yml'), 'gitlab-ci.json'],
  [ci('kubernetes.yaml'), 'cronjob-batch-v1.json'],
])('%s', (file, name) => {
  const schema = publishedSchema(name, file.toUpperCase());

  test('its schema is here, or CI has been told', () => {
    expect(schema !== undefined || process.env.CI !== 'true').toBe(true);
  });

  test.runIf(schema !== undefined)('is valid by the schema that its maker publishes', () => {
    // The schemas are of several drafts.
    const lenient = { strict: false, validateSchema: false, validateFormats: false };
    const ajv = new Ajv2019({ ...lenient, allErrors: true });
    const fits = ajv.compile(JSON.parse(readFileSync(schema ?? '', 'utf8')) as object);
    const content = parse(read(file)) as object;
    expect(fits(content), JSON.stringify(fits.errors)).toBe(true);
    const spoilt = Object.fromEntries(Object.keys(content).map((name) => [name, 7]));
    expect(fits(spoilt)).toBe(false);
  });
});

test('each step of GitHub is a command or an action, and an action names its shell', () => {
  const action = parse(read('action.yml')) as Action;
  const workflow = parse(read(ci('github-nightly.yml'))) as Workflow;
  const own = action.runs.steps;
  const steps: Step[] = [...own, ...Object.values(workflow.jobs).flatMap((job) => job.steps)];
  for (const { run, uses } of steps) expect([run, uses].filter(Boolean)).toHaveLength(1);
  for (const { run, shell: wanted } of own)
    expect(wanted).toBe(run === undefined ? undefined : 'bash');
  // The text of an input is never part of a command: it could inject one.
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

describe('the CronJob of Kubernetes', () => {
  const { containers, volumes } = cronJob().spec.jobTemplate.spec.template.spec;
  const [pod] = containers;
  const args = pod?.args ?? [];

  test('mounts existing volumes, and keeps all lasting files there', () => {
    const names = volumes.map(({ name }) => name);
    expect(pod?.volumeMounts.map(({ name }) => name)).toEqual(names);
    for (const option of ['baseline', 'history', 'ledger', 'out']) {
      expect(args.filter((arg) => arg.startsWith(`--${option}=/data/`))).toHaveLength(1);
    }
  });

  test('calls the gate with variables that are set', () => {
    const variables = args.flatMap((arg) => /\$\((\w+)\)/.exec(arg)?.[1] ?? []);
    expect(pod?.env.map(({ name }) => name)).toEqual(variables);
    const here = args.map((arg) => arg.replace('=/config/', '=/not-there/'));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'bin/container.js'), ...here],
      {
        encoding: 'utf8',
      },
    );
    // The only complaint is the missing file: every option is known.
    expect(status).toBe(2);
    expect(stderr).toContain('/not-there/tenant.yaml');
  });
});

test.each([
  ['github-nightly.yml', /group: lockstep-\$\{\{ matrix\.tenant \}\}/],
  ['gitlab.yml', /resource_group: lockstep-\$TENANT/],
  ['Jenkinsfile', /lock\(resource: "lockstep-\$\{TENANT\}"\)/],
  ['kubernetes.yaml', /concurrencyPolicy: Forbid/],
])('%s works on a tenant one at a time, and asks no registry for Lockstep', (name, lock) => {
  const text = read(ci(name));
  expect(text).toMatch(lock);
  expect(text).not.toMatch(/npx (?!--no-install )/);
  expect(text).toMatch(/--evidence[ =]failures/);
  expect(text).toMatch(/30 days|retention-days: 30|daysToKeepStr: '30'/);
});

test('the Jenkinsfile closes what it opens', () => {
  const text = read(ci('Jenkinsfile')).replaceAll(/'''.*?'''|'[^'\n]*'|\/\/.*$/gms, '');
  let depth = 0;
  for (const brace of text.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
});
