import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../kits/index.ts';
import { FixtureError } from '../world/world-request.ts';
import { fixtureFromObject, loadFixture } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-fixture-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(text: string): string {
  files += 1;
  const path = join(folder, `own-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

/** The problems of a file, without its path: `line:column: message`. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const path = write(text);
  const error = await loadFixture(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FixtureError)) throw new Error(`expected a FixtureError, got ${error}`);
  expect(error.message).toBe(error.problems.join('\n'));
  return error.problems.map((problem) => {
    expect(problem.startsWith(`${path}:`)).toBe(true);
    return problem.slice(path.length + 1);
  });
}

describe("a fixture of one's own", () => {
  test('an embed user that the fixture has subscribed is not subscribed anew', async () => {
    const who = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };
    const fixture = {
      deployments: [{ id: 1, name: 'One' }],
      notifications: [{ id: 31 }],
      embedUsers: [{ id: 501, ...who }],
      recipients: [{ notificationId: 31, ...who }],
    };
    await using mock = await createMock();
    const world = await mock.createWorld({ fixture });
    const response = await world.fetch('/api/v1/deployments/1/notifications/31/recipients', {
      method: 'POST',
      body: JSON.stringify({ recipients: [who] }),
    });
    expect(await response.json()).toMatchObject({
      createdRecipients: [],
      unchangedRecipients: [who],
    });
  });

  test('needs only deployments', async () => {
    const { name, base } = await loadFixture(write('deployments: [{ id: 7, name: One }]\n'));
    expect(name).toMatch(/^own-\d+$/);
    const { tables } = base;
    expect(tables.deployments.all()).toEqual([
      {
        id: '7',
        name: 'One',
        createdAt: '2025-01-15T09:00:00.000Z',
        runs: 'latest@1.0.0',
        before: null,
      },
    ]);
    expect(tables.credentials.all()).toEqual([
      { name: 'admin', kind: 'apiKey', userId: 1, deployments: null, state: 'active' },
    ]);
    expect(tables.users.all()).toMatchObject([
      { id: 1, email: 'admin@example.com', admin: true, auditLogManage: true, edits: 'all' },
    ]);
    expect(tables.branches.all()).toMatchObject([
      { deploymentId: '7', name: 'main', kind: 'production' },
    ]);
    expect(tables.environments.all()).toMatchObject([
      { deploymentId: '7', type: 'production', branchId: null },
    ]);
  });

  test('has a staging environment for every shared branch', async () => {
    const { base } = await fixtureFromObject({
      deployments: [{ id: '1', name: 'One' }],
      branches: [
        { id: 1, name: 'main', kind: 'production' },
        { id: 2, name: 'feature' },
      ],
    });
    expect(base.tables.environments.all().map((row) => [row.type, row.branchId])).toEqual([
      ['production', null],
      ['staging', 2],
    ]);
    expect(base.tables.branches.get(2)?.parentBranch).toBe('main');
  });

  test('may have environments whose ids are not numbers, as a captured tenant has', async () => {
    await using mock = await createMock();
    using world = await mock.createWorld({
      fixture: {
        deployments: [{ id: '7', name: 'One' }],
        environments: [{ id: 'env-7a', type: 'production' }],
      },
    });
    const path = (id: string) => `/api/v1/deployments/7/environments/${id}/tokens-for-meta-sync`;
    const init = { method: 'POST', body: '{"security_context":{"a":1}}' };
    expect((await world.fetch(path('env-7a'), init)).status).toBe(200);
    expect((await world.fetch(path('env-7b'), init)).status).toBe(400);
  });

  test('replaces whole sections of the fixture that it extends', async () => {
    const { base, name } = await fixtureFromObject(
      { extends: 'acme', notifications: [{ id: 31 }, { id: 41, deploymentId: '2' }], audit: [] },
      'mine',
    );
    expect(name).toBe('mine');
    expect(base.tables.notifications.get(41)?.deploymentId).toBe('2');
    expect(base.audit).toEqual([]);
    expect(base.tables.deployments.length).toBe(45);
  });

  test('gives recipients the keys that the mock uses', async () => {
    const { base } = await fixtureFromObject({
      extends: 'acme',
      recipients: [
        { notificationId: 31, userId: 2 },
        { notificationId: 31, embedTenantName: 'partner-a', externalId: 'ext-1', groups: ['a'] },
        { notificationId: 41, email: 'someone@example.com' },
      ],
    });
    expect([...base.tables.recipients.keys()]).toEqual([
      '31/USER:2',
      '31/EMBED_USER:partner-a/ext-1',
      '41/EMAIL:someone@example.com',
    ]);
  });

  test('orders events, and counts them from the start', async () => {
    const event = { name: 'Login', userEmail: 'a@example.com' };
    const { base } = await fixtureFromObject({
      deployments: [{ id: '1', name: 'One' }],
      audit: [
        { secondsBefore: 60, ...event },
        { secondsBefore: 3600, ...event },
      ],
    });
    expect(base.audit.map((row) => row.at)).toEqual([-3_600_000, -60_000]);
  });

  test('does not freeze the value of the caller', async () => {
    const value = {
      deployments: [{ id: '1', name: 'One' }],
      bindings: { deployment: { id: '1' } },
    };
    await fixtureFromObject(value);
    expect(Object.isFrozen(value.bindings)).toBe(false);
  });
});

describe('problems', () => {
  test('of shape: each has its line and column', async () => {
    const text = `deployments:
  - { id: x, nam: Sales }
branches:
  - { id: 5, name: feature, stagingEnabled: 1 }
users:
  - { id: 1, email: nobody, edits: some }
credentials:
  - { name: admin, kind: apikey }
fetures: {}
`;
    const problems = await problemsOf(text);
    expect(problems).toEqual([
      '2:5: name is missing',
      '2:11: expected an id of digits, such as "1": found "x"',
      '2:14: expected one of id, name, createdAt, runs, before, settings: found nam (did you mean name?)',
      '4:45: expected a value of type boolean: found 1',
      '6:21: expected an email address: found "nobody"',
      '6:36: expected all, or a list of folder ids: found "some"',
      '8:26: expected one of apiKey, oauth, embed, scim: found "apikey" (did you mean apiKey?)',
      expect.stringMatching(
        /^9:1: expected one of .*deployments.*: found fetures \(did you mean features\?\)$/,
      ),
    ]);
  });

  test('of references: all are reported at once', async () => {
    const text = `deployments:
  - { id: 1, name: Sales, runs: beta@1.0.0, createdAt: 2025-13-45 }
  - { id: "1", name: Twice }
branches:
  - { id: 5, deploymentId: 9, name: feature }
  - { id: 6, name: dev, kind: personal, stagingEnabled: true }
environments:
  - { id: 8, type: staging, branchId: 5 }
  - { id: 9, type: staging, branchId: 6 }
folders:
  - { id: 1, name: A, parentId: 2 }
  - { id: 2, name: B, parentId: 1, createdBy: 8 }
credentials:
  - name: key
    userId: 77
    deployments: [1, 4]
  - { name: idp, kind: scim, userId: 1 }
dbtSyncs:
  - { id: job, state: running, completedAt: 2025-02-01 }
recipients:
  - { notificationId: 3, userId: 1, email: a@example.com }
bindings:
  folder: { id: 3 }
`;
    expect(await problemsOf(text)).toEqual([
      '2:33: expected a version of latest: there is no channel "beta"',
      '2:56: expected a date that exists: 2025-13-45 does not',
      '3:11: expected each id once: 1 is there already',
      '5:28: expected the id of a deployment: there is no deployment "9"',
      '6:57: expected false: a personal branch has no staging environment, only a shared one has',
      '9:39: expected the id of a shared branch',
      '11:33: expected no circle: folder 1 is in itself',
      '12:33: expected no circle: folder 2 is in itself',
      '12:47: expected the id of a user: there is no user 8',
      '15:13: expected the id of a user: there is no user 77',
      '16:22: expected the id of a deployment: there is no deployment "4"',
      '17:38: expected null: a SCIM token has no user',
      '19:45: expected none: the sync is running',
      '21:5: expected one of userId, embedTenantName with externalId, or email',
      '21:23: expected the id of a notification: there is no notification 3',
      '23:17: expected one of the folders: there is none of id 3',
    ]);
  });

  test('name the wrong row, and not rows that fail because of it', async () => {
    const text = `deployments:
  - { id: 1, name: Sales }
branches:
  - { id: 4, name: main, kind: production }
  - { id: 5, deploymentId: 7, name: feature }
environments:
  - { id: 8, type: production }
  - { id: 9, type: staging, branchId: 5 }
`;
    expect(await problemsOf(text)).toEqual([
      '5:28: expected the id of a deployment: there is no deployment "7"',
    ]);
  });

  test('of a version above the head of its channel, run now or before', async () => {
    const text = `channels: [{ name: latest, head: 1.10.0 }]
ran: [latest@1.10.1, latest@1.9.9]
deployments:
  - { id: 1, name: Sales, runs: latest@1.11.0 }
  - { id: 2, name: Other, runs: latest@1.9.10 }
`;
    expect(await problemsOf(text)).toEqual([
      '2:7: expected at most 1.10.0, the head of latest: 1.10.1 is above it',
      '4:33: expected at most 1.10.0, the head of latest: 1.11.0 is above it',
    ]);
  });

  test('an alias inside the value that it names is reported once, and not followed', async () => {
    const text = 'deployments: &all\n  - { id: 1, name: Sales }\n  - *all\n';
    expect(await problemsOf(text)).toEqual([
      '3:5: expected no circle: *all is inside the value that it names',
    ]);
  });

  test('of inherited rows name the line with `extends`', async () => {
    const problems = await problemsOf('extends: acme\ndeployments: [{ id: 1, name: Only }]\n');
    expect(problems).toContain(
      '1:10: expected branches as well as the sections that it replaces: those of acme do not fit (expected the id of a deployment: there is no deployment "2")',
    );
  });

  test('of YAML have their place too', async () => {
    const [first] = await problemsOf('deployments:\n  - { id: 1, id: 2 }\n');
    expect(first).toBe('2:14: Map keys must be unique');
    expect(await problemsOf('')).toEqual(['1:1: expected a value of type object: found null']);
    expect(await problemsOf('{}')).toEqual(['1:1: expected deployments, or extends: found {}']);
  });

  test('of a value have a pointer', async () => {
    const wrong = { deployments: [{ id: '1', name: 'a', runs: 'x@1.0.0' }] };
    await expect(fixtureFromObject(wrong, 'POST worlds')).rejects.toThrow(
      'POST worlds/deployments/0/runs: expected a version of latest: there is no channel "x"',
    );
  });

  test('of a name list the existing names', async () => {
    await expect(loadFixture('acmee')).rejects.toThrow(
      'acmee: expected acme, empty, basic-plan, large, or the path of a YAML file: there is no such file',
    );
    await expect(loadFixture('acme', { users: 3 })).rejects.toThrow(FixtureError);
  });
});

test('every world of a process gets the same base', async () => {
  expect((await loadFixture('acme')).base).toBe((await loadFixture('acme')).base);
});

test('a loaded fixture is frozen, to the rows', async () => {
  const { base, bindings } = await loadFixture('acme');
  const user = base.tables.users.get(2);
  expect(Object.isFrozen(base.tables)).toBe(true);
  expect(Object.isFrozen(user)).toBe(true);
  expect(Object.isFrozen(user?.edits)).toBe(true);
  expect(base.audit.every(Object.isFrozen)).toBe(true);
  for (const change of ['set', 'delete', 'clear'])
    expect(base.tables.users).not.toHaveProperty(change);
  // Each world gets its own copy.
  expect(bindings(0)).not.toBe(bindings(0));
  expect(bindings(0)).toEqual(bindings(0));
});

test('a bundled fixture loads at once, without parser, validator or generator', () => {
  const script = `
    const { loadFixture } = await import(process.argv[1]);
    const begun = performance.now();
    await loadFixture('acme');
    const ms = performance.now() - begun;
    console.log(JSON.stringify({ ms }));
  `;
  const guard = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (/^(yaml|ajv|@faker-js)/.test(name)) throw new Error('loaded ' + name);
      return next(name, context);
    } });
  `;
  const run = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(guard)}`,
      '--input-type=module',
      '--eval',
      script,
      fileURLToPath(new URL('./fixture.ts', import.meta.url)),
    ],
    { encoding: 'utf8' },
  );
  expect(run.stderr).toBe('');
  // Measured at 2 ms; the margin is for a busy machine.
  expect((JSON.parse(run.stdout) as { ms: number }).ms).toBeLessThan(250);
});

describe('the generated data of bundled fixtures', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));

  /** Loads `empty` from a copy of the sources; answers with its user's email. */
  function emailFrom(change: (fixtures: string) => void): string {
    const copy = mkdtempSync(join(folder, 'copy-'));
    cpSync(join(root, 'fixtures'), join(copy, 'fixtures'), { recursive: true });
    cpSync(join(root, 'spec/base'), join(copy, 'spec/base'), { recursive: true });
    cpSync(join(root, 'mock/service/fixture.ts'), join(copy, 'mock/service/fixture.ts'));
    cpSync(join(root, 'mock/world'), join(copy, 'mock/world'), { recursive: true });
    writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    change(join(copy, 'fixtures'));
    const script = `
      const { loadFixture } = await import(process.argv[1]);
      const { base } = await loadFixture('empty');
      console.log(base.tables.users.get(1).email, base.tables.users.length);
    `;
    const file = join(copy, 'mock/service/fixture.ts');
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script, file], {
      encoding: 'utf8',
    });
    return run.stdout.trim() || run.stderr;
  }

  test('gives way to a YAML file that was edited since', () => {
    const edited = emailFrom((fixtures) => {
      const file = join(fixtures, 'empty.yaml');
      appendFileSync(file, 'notifications:\n  - { id: 9, deploymentId: 2 }\n');
    });
    expect(edited).toContain('there is no deployment "2"');
  });

  test('is used if there is no YAML file, as in the published package', () => {
    expect(emailFrom((fixtures) => rmSync(join(fixtures, 'empty.yaml')))).toBe('ana@example.com 1');
  });
});
