/**
 * The jobs to copy, run step by step as CI would run them, on a tenant that the mock poses. No engine
 * of CI is here, so the output says which were not asked; what each reads is checked by its schema.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { verify } from '../conformance/commands/verify.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { serve } from '../mock/testing/program.ts';
import { publishedSchema } from '../spec/testing/published-schema.ts';
import {
  type Action,
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

/** As it stands, but in seconds and not in minutes. */
const quick = (text: string): string =>
  text.replaceAll(
    '--allow reversible',
    '--allow reversible --convergence 1s --only FOLDER-1,FOLDER-2,DEPL-1',
  );

const secrets = {
  LOCKSTEP_ADMIN_KEY: 'nightly-admin',
  LOCKSTEP_MEMBER_KEY: 'nightly-member',
  LOCKSTEP_SCOPED_KEY: 'nightly-scoped',
};

/** A tenant that a mock poses, and what a certifier writes about it. */
async function poseTenant() {
  const mock = await serve();
  const ask = async (method: string, path: string, body: object) =>
    (await fetch(`${mock.url}/__admin/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json' },
    }).then((answer) => answer.json())) as { bindings: object; actors: Record<string, object> };
  const { bindings, actors } = await ask('POST', 'worlds', { id: 'nightly' });
  const credentials = Object.fromEntries(
    ['admin', 'member', 'scoped'].map((name) => [
      name,
      { env: `LOCKSTEP_${name.toUpperCase()}_KEY`, ...actors[name] },
    ]),
  );
  const tenantFile = JSON.stringify({
    ...{ baseUrl: mock.url, credentials, bindings, features: { auditLog: true } },
  });
  const deviate = (...deviations: string[]) =>
    ask('PUT', 'worlds/nightly/deviations', { deviations });
  return { tenantFile, deviate, [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose]() };
}

/** Every file below a folder, but for what git keeps. */
function filesIn(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((file) => !file.includes('.git/') && statSync(join(folder, file)).isFile())
    .sort();
}

test('the nightly workflow of GitHub: a good night, a bad one, and one without a shard', async () => {
  await using tenant = await poseTenant();
  const folder = join(work, 'github');
  const machine: Machine = {
    ...{ folder, root, origin: join(folder, 'origin.git'), secrets, changed: quick },
  };
  makeOrigin(machine.origin, { 'tenants/acme.yaml': tenant.tenantFile });
  const workflow = parse(read(ci('github-nightly.yml'))) as Workflow;
  const shard = (run: string, index: number) =>
    runJob(machine, workflow, 'shard', { tenant: 'acme', shard: index }, run);
  const gate = (run: string) => runJob(machine, workflow, 'gate', { tenant: 'acme' }, run);

  for (const index of [1, 2]) {
    const { status, log, summary } = shard('1', index);
    expect(status, log).toBe(0);
    expect(summary).toBe('');
  }
  const good = gate('1');
  expect(good.status, good.log).toBe(0);
  expect(good.outputs).toBe('exit-code=0\n');
  expect(good.summary).toMatch(/^## ✅ .*GATE PASSED/);
  expect(good.summary).toContain('Lockstep: Passed');
  expect(good.log).not.toContain('::error');
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
  expect(await verify(report, { suite: loadOwnSuite() })).toMatchObject({
    exitCode: 0,
    problems: [],
  });
  expect(historyOf(machine.origin)).toHaveLength(1);

  await tenant.deviate('folders:rename-lost');
  for (const index of [1, 2]) expect(shard('2', index)).toMatchObject({ status: 0 });
  const bad = gate('2');
  expect(bad.status, bad.log).toBe(1);
  expect(bad.outputs).toBe('exit-code=1\n');
  expect(bad.summary).toMatch(/^## ❌ .*GATE FAILED {2}.*new: FOLDER-/);
  expect(bad.log).toMatch(/^::error file=conformance\/scenarios\/folders\/.*FOLDER-/m);
  expect(historyOf(machine.origin)).toHaveLength(2);

  expect(shard('3', 1)).toMatchObject({ status: 0 });
  const cut = gate('3');
  expect(cut.status, cut.log).toBe(4);
  expect(cut.log).toContain('no verdict: shard 2/2 is missing');

  expect(readdirSync(join(folder, 'caches'))).toHaveLength(5);
  expect(
    secretsIn(
      folder,
      [good, bad, cut].map(({ log, summary }) => log + summary),
    ),
  ).toEqual([]);
});

function makeOrigin(origin: string, files: Readonly<Record<string, string>>): void {
  const seed = `${origin}.seed`;
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-C', seed, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(seed, dirname(name)), { recursive: true });
    writeFileSync(join(seed, name), text);
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'Tenants');
  git('clone', '--quiet', '--bare', '.', origin);
}

/** The nights on the branch of the history. */
function historyOf(origin: string): string[] {
  const args = ['--git-dir', origin, 'ls-tree', '-r', '--name-only', 'lockstep-history'];
  return spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

/** Files and texts that hold a secret. */
function secretsIn(folder: string, texts: readonly string[]): string[] {
  const holds = (text: string): boolean => Object.values(secrets).some((one) => text.includes(one));
  return [
    ...filesIn(folder).filter((file) => holds(readFileSync(join(folder, file), 'latin1'))),
    ...texts.filter(holds),
  ];
}

const bash = ['bash', '--norc', '-eo', 'pipefail', '-c'] as const;

/** Stands for `npx lockstep`: notes what it was told, and leaves a report where its first word may. */
const standIn = `#!/bin/sh
shift
echo "$*" >>"$NOTES"
[ "$1" = "$FAILING" ] && [ "$REPORT" = no ] && exit 4
while [ "$1" != --out ] && shift; do [ $# -gt 0 ] || exit 0; done
mkdir -p "$2" && echo {} >"$2/report.json"
case $(tail -n 1 "$NOTES") in "$FAILING "*) exit 1 ;; esac
`;

interface Night {
  /** The command that fails, and whether it leaves a report all the same. */
  readonly failing: string;
  readonly report: 'yes' | 'no';
}

/** Runs scripts as the shell of an engine would: what Lockstep was told, and how they ended. */
class Scripts {
  readonly folder: string = mkdtempSync(join(work, 'engine-'));
  readonly #night: Night;
  status = 0;

  constructor(night: Night) {
    this.#night = night;
    writeFileSync(join(this.folder, 'npx'), standIn);
    chmodSync(join(this.folder, 'npx'), 0o755);
  }

  run(
    [tool, ...flags]: readonly [string, ...string[]],
    script: string,
    env: Readonly<Record<string, string>>,
  ): void {
    if (this.status !== 0) return;
    const { folder } = this;
    // What would be installed is what this test stands in for.
    const text = script.replaceAll(/^\s*npm ci .*$/gm, '');
    const { status } = spawnSync(tool, [...flags, text], {
      cwd: folder,
      env: {
        ...{ HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` },
        ...{ NOTES: join(folder, 'notes'), FAILING: this.#night.failing },
        ...{ REPORT: this.#night.report, ...env },
      },
    });
    this.status = status ?? 1;
  }

  /** The commands, with the folders of this machine left out. */
  get told(): string[] {
    const notes = readFileSync(join(this.folder, 'notes'), 'utf8');
    return notes.replaceAll(`${this.folder}/`, '').trimEnd().split('\n');
  }
}

/** What each engine tells Lockstep on a night, in its own folders. */
function commands(tenant: string, ledger: string, shard: string, out: string, rest: string) {
  return [
    ...['1', '2'].flatMap((index) => [
      `undo --tenant ${tenant} --ledger ${ledger}${index}`,
      `certify --tenant ${tenant} --allow reversible --shard ${index}/2 --confirm --ledger ${ledger}${index} --out ${shard}${index}`,
    ]),
    `merge ${shard}1/ ${shard}2/ --out ${out}`,
    `gate --report ${out} --baseline ${rest} --out ${out}`,
  ];
}

interface GitlabJob {
  readonly stage: string;
  readonly script: readonly string[];
  readonly parallel: { readonly matrix: readonly Readonly<Record<string, string | string[]>>[] };
}

function gitlab(night: Night): Scripts {
  const scripts = new Scripts(night);
  const { shard, gate } = parse(read(ci('gitlab.yml'))) as Record<'shard' | 'gate', GitlabJob>;
  const [{ TENANT = '', SHARD = [] } = {}] = shard.parallel.matrix;
  for (const index of SHARD) {
    // Each job has a cache of its own, so its ledger is another folder.
    const script = shard.script.join('\n').replaceAll('--ledger ledger', `--ledger ledger${index}`);
    scripts.run(bash, script, { TENANT: String(TENANT), SHARD: index });
  }
  scripts.run(bash, gate.script.join('\n'), { TENANT: String(TENANT) });
  return scripts;
}

function jenkins(night: Night): Scripts {
  const scripts = new Scripts(night);
  const text = read(ci('Jenkinsfile'));
  const shards = [...text.matchAll(/SHARD = '(\d)'/g)].map(([, index = '']) => index);
  for (const [at, [, script = '']] of [...text.matchAll(/sh '''\n(.*?)'''/gs)].entries()) {
    const KEPT = join(scripts.folder, 'kept');
    scripts.run(['sh', '-ec'], script, { TENANT: 'acme', KEPT, SHARD: shards[at - 1] ?? '' });
  }
  return scripts;
}

interface CronJob {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly completions: number;
        readonly parallelism: number;
        readonly template: {
          readonly spec: {
            readonly containers: readonly {
              readonly args: readonly string[];
              readonly env: readonly { readonly name: string; readonly value?: string }[];
              readonly volumeMounts: readonly { readonly name: string }[];
            }[];
            readonly volumes: readonly { readonly name: string }[];
          };
        };
      };
    };
  };
}

function kubernetes(night: Night): Scripts {
  const scripts = new Scripts(night);
  const { completions, parallelism, template } = cronJob().spec.jobTemplate.spec;
  const [pod] = template.spec.containers;
  const shards = pod?.env.find(({ name }) => name === 'SHARDS')?.value ?? '';
  expect([completions, parallelism]).toEqual([Number(shards) + 1, Number(shards) + 1]);
  const script = (pod?.args[0] ?? '')
    .replaceAll('node /lockstep/bin/lockstep.js', 'npx lockstep')
    .replaceAll('/data', `${scripts.folder}/data`);
  for (let index = 0; index < completions; index += 1) {
    const env = { JOB: 'acme-1', SHARDS: shards, JOB_COMPLETION_INDEX: String(index) };
    scripts.run(['sh', '-euc'], script, env);
  }
  return scripts;
}

const night = 'data/nights/acme-1';
describe.each([
  [
    'the jobs of GitLab',
    gitlab,
    commands(
      ...(['tenants/acme.yaml', 'ledger', 'shards/acme-', 'report'] as const),
      'tenants/acme.baseline.yaml --history history',
    ),
  ],
  [
    'the stages of Jenkins',
    jenkins,
    commands(
      ...(['tenants/acme.yaml', 'kept/ledger-acme-', 'shards/', 'report'] as const),
      'tenants/acme.baseline.yaml --history kept/history-acme',
    ),
  ],
  [
    'the pods of Kubernetes',
    kubernetes,
    commands(
      ...(['/config/tenant.yaml', 'data/ledger-', `${night}/shard-`, `${night}/report`] as const),
      'data/baseline.yaml --history data/history',
    ),
  ],
])('%s', (_name, run, expected) => {
  test('say the same as the action of GitHub', () => {
    const { status, told } = run({ failing: 'none', report: 'yes' });
    expect(told).toEqual(expected);
    expect(status).toBe(0);
  });

  test.each(['certify', 'merge'])(
    'leave the verdict to the gate where %s finds something',
    (failing) => {
      const { status, told } = run({ failing, report: 'yes' });
      expect(told).toEqual(expected);
      expect(status).toBe(0);
    },
  );

  test('end as the gate does', () => {
    expect(run({ failing: 'gate', report: 'yes' }).status).toBe(1);
  });

  test('end with 4 where no report comes of it', () => {
    expect(run({ failing: 'merge', report: 'no' }).status).toBe(4);
  });
});

const cronJob = (): CronJob => parse(read(ci('kubernetes.yaml'))) as CronJob;

describe.each([
  ['action.yml', 'github-action.json'],
  [ci('github-nightly.yml'), 'github-workflow.json'],
  [ci('gitlab.yml'), 'gitlab-ci.json'],
  [ci('kubernetes.yaml'), 'cronjob-batch-v1.json'],
])('%s', (file, name) => {
  const schema = publishedSchema(name, file.toUpperCase());

  test('its schema is here, or CI has been told', () => {
    expect(schema !== undefined || process.env.CI !== 'true').toBe(true);
  });

  test.runIf(schema !== undefined)('is valid by the schema that its maker publishes', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const fits = ajv.compile(JSON.parse(readFileSync(schema ?? '', 'utf8')) as object);
    expect(fits(parse(read(file))), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ ...(parse(read(file)) as object), kind: 7, runs: 7, jobs: 7, stages: 7 })).toBe(
      false,
    );
  });
});

test('each step of GitHub is a command or an action, and an action says which shell it wants', () => {
  const action = parse(read('action.yml')) as Action;
  const workflow = parse(read(ci('github-nightly.yml'))) as Workflow;
  const own = action.runs.steps;
  const steps: Step[] = [...own, ...Object.values(workflow.jobs).flatMap((job) => job.steps)];
  for (const { run, uses } of steps) expect([run, uses].filter(Boolean)).toHaveLength(1);
  for (const { run, shell: wanted } of own)
    expect(wanted).toBe(run === undefined ? undefined : 'bash');
  // What somebody writes into an input is never part of a command.
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

test('what the CronJob mounts is there', () => {
  const { containers, volumes } = cronJob().spec.jobTemplate.spec.template.spec;
  const names = volumes.map(({ name }) => name);
  expect(containers[0]?.volumeMounts.map(({ name }) => name)).toEqual(names);
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
