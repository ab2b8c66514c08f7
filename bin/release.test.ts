/** The conditions of a release: pinned actions, fields of the publisher, a tag that is the version. */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../spec/base/version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const workflows = globSync(
  ['action.yml', '.github/workflows/*.yml', 'conformance/ci/github*.yml'],
  {
    cwd: root,
  },
);

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const yaml = (file: string) => parse(read(file));

/** The first major of each action that runs on Node 24. */
const majors: Readonly<Record<string, number>> = {
  'actions/attest': 4,
  'actions/cache': 5,
  'actions/checkout': 5,
  'actions/setup-node': 5,
  'actions/upload-artifact': 6,
  'docker/build-push-action': 7,
  'docker/login-action': 4,
  'docker/setup-buildx-action': 4,
  'docker/setup-qemu-action': 4,
};

test('there are workflows', () => expect(workflows.length).toBeGreaterThanOrEqual(4));

describe.for(workflows)('%s', (file) => {
  const text = read(file);

  test('pins each action by a digest, of a major that runs on Node 24', () => {
    const lines = text.split('\n').filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    for (const line of lines) {
      const found = /uses: ([\w-]+\/[\w-]+)[\w/-]*@[0-9a-f]{40} # v(\d+)\.\d+\.\d+$/.exec(line);
      expect(found, line).not.toBeNull();
      const [, name = '', major = ''] = found ?? [];
      expect(Number(major), line).toBeGreaterThanOrEqual(majors[name] ?? Number.NaN);
    }
  });

  test('is YAML, and no command holds an expression', () => {
    const commands: string[] = [];
    JSON.stringify(parse(text), (key, value: unknown) => {
      if (key === 'run') commands.push(String(value));
      return value;
    });
    for (const command of commands) expect(command).not.toContain('${{');
  });
});

test('the action names its author and the Node it needs', () => {
  const text = read('action.yml');
  expect(parse(text)).toMatchObject({
    author: expect.any(String),
    branding: { icon: expect.any(String), color: expect.any(String) },
    inputs: { package: { default: '' } },
  });
  expect(text).toMatch(/^# Lockstep is not published yet\. This works from a checkout/);
});

test('a tag makes a package with provenance, and an attested image that says what it was built from', () => {
  const { on, jobs } = yaml('.github/workflows/release.yml');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const stepsOf = (job: string) =>
    jobs[job].steps as { run?: string; uses?: string; with?: ReturnType<typeof JSON.parse> }[];
  expect(jobs.package).toMatchObject({ needs: 'check', permissions: { 'id-token': 'write' } });
  expect(stepsOf('package').at(-1)?.run).toBe('npm publish --provenance --access public');
  const [build, attest] = stepsOf('image').slice(-2);
  expect(build?.with).toMatchObject({ platforms: 'linux/amd64,linux/arm64', push: true });
  const names = [...String(build?.with['build-args']).matchAll(/^\w+(?==)/gm)].flat();
  expect(names).toEqual(['SOURCE', 'VERSION', 'REVISION']);
  for (const name of names)
    expect(read('Dockerfile')).toContain(`image.${name.toLowerCase()}="$${name}"`);
  expect(attest?.uses).toContain('actions/attest@');
  expect(attest?.with['subject-digest']).toContain('steps.build.outputs.digest');
});

test('CI shows each time what a release still lacks', () => {
  const { jobs } = yaml('.github/workflows/ci.yml');
  expect(jobs.check.steps.at(-1)).toEqual({ run: 'npm publish --dry-run' });
  expect(JSON.parse(read('package.json')).scripts.prepublishOnly).toBe(
    'node bin/publisher.ts --check',
  );
});

test('a report asks for seed, fixture and HAR, and a weakness is told in private', () => {
  const ids = yaml('.github/ISSUE_TEMPLATE/bug.yml').body.map(({ id }: { id?: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(['seed', 'fixture', 'har']));
  expect(read('SECURITY.md')).toMatch(/open a private advisory: .*Report a vulnerability/);
});

test('the dev container has the Node of the toolchain', () => {
  const { image, postCreateCommand } = yaml('.devcontainer/devcontainer.json');
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(image.split(':')[1]).toBe(devDependencies.node.split('.')[0]);
  expect(postCreateCommand).toBe('npm ci');
});

/** Runs `bin/publisher.ts` in a copy of the files that it reads. */
function publisher(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const copy = mkdtempSync(join(tmpdir(), 'lockstep-publisher-'));
  for (const folder of ['bin', 'spec/base']) mkdirSync(join(copy, folder), { recursive: true });
  const files = ['package.json', 'CHANGELOG.md', 'bin/publisher.ts', 'spec/base/version.ts'];
  for (const file of files) cpSync(join(root, file), join(copy, file));
  const run = (more: readonly string[]) =>
    spawnSync(process.execPath, ['bin/publisher.ts', ...more], {
      ...{ cwd: copy, encoding: 'utf8' },
      env: { PATH: process.env.PATH, ...env },
    });
  const { status, stderr } = run(args);
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as object;
  return { status, stderr, manifest, run };
}

test('one variable fills in every field of the publisher', () => {
  const url = 'https://forge.example/somebody/lockstep';
  const { status, manifest, run } = publisher([], { LOCKSTEP_REPOSITORY: url });
  expect(status).toBe(0);
  expect(manifest).toMatchObject({
    name: 'lockstep',
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  });
  expect(run(['--check'])).toMatchObject({ status: 0, stderr: '' });
});

test.for([
  ['a publish ends', {}, 1],
  ['a dry run goes on', { npm_config_dry_run: 'true' }, 0],
] as const)('%s if fields are missing, and each is named', ([, env, code]) => {
  const { status, stderr } = publisher(['--check'], env);
  expect(status).toBe(code);
  for (const name of ['repository', 'homepage', 'bugs'])
    expect(stderr).toContain(`package.json has no ${name}`);
  expect(stderr).toContain('run LOCKSTEP_REPOSITORY=');
});

test('the tag of this version may be released', () => {
  expect(publisher(['--tag', `v${version}`])).toMatchObject({ status: 0, stderr: '' });
});

test.for([
  ['no address', [], { LOCKSTEP_REPOSITORY: 'somebody/lockstep' }, /is not https:\/\//],
  ['another tag', ['--tag', 'v9.9.9'], {}, /the tag v9\.9\.9 is not v/],
] as const)('%s ends it', ([, args, env, problem]) => {
  expect(publisher(args, env)).toMatchObject({ status: 1, stderr: expect.stringMatching(problem) });
});
