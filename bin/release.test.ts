/** What a release rests on: pinned actions, fields of the publisher, a tag that is the version. */
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
  const text = readFileSync(join(root, file), 'utf8');

  test('pins each action by a digest, of a major that runs on Node 24', () => {
    const lines = text.split('\n').filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    for (const line of lines) {
      const found = /uses: ([\w-]+\/[\w-]+)[\w/-]*@[0-9a-f]{40} # v(\d+)\.\d+\.\d+$/.exec(line);
      expect(found, line).not.toBeNull();
      const [, name = '', major = ''] = found ?? [];
      expect(Number(major), line).toBeGreaterThanOrEqual(majors[name] ?? Number.NaN);
    }
  });

  test('is YAML, and nothing of an expression is part of a command', () => {
    const commands: string[] = [];
    JSON.stringify(parse(text), (key, value: unknown) => {
      if (key === 'run') commands.push(String(value));
      return value;
    });
    for (const command of commands) expect(command).not.toContain('${{');
  });
});

test('the action says who made it, and with what it works', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  expect(parse(text)).toMatchObject({
    author: expect.any(String),
    branding: { icon: expect.any(String), color: expect.any(String) },
    inputs: { package: { default: '' } },
  });
  expect(text).toMatch(/^# Lockstep is not published yet\. This works from a checkout/);
});

/** `bin/publisher.ts` in a copy of what it reads. */
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

test('one variable fills in what only the publisher knows', () => {
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
] as const)('%s where they are missing, which is said', ([, env, code]) => {
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
