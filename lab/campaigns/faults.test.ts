/** Killed processes, full disks and clocks that jump must not harm a tenant. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService, startMock } from '../../mock/kits/index.ts';
import { program, run } from '../../mock/testing/program.ts';
import { Random } from '../../spec/base/random.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { runOn } from '../exam/suite-run.ts';

/** A mock that looks like a tenant, and a folder for the certifier. */
async function poseTenant() {
  const mock = await startMock({ seed: 3 });
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-faults-'));
  onTestFinished(async () => {
    await mock.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const created = await mock.fetch('/__admin/worlds', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"tenant"}',
  });
  const { bindings, actors } = (await created.json()) as {
    readonly bindings: object;
    readonly actors: Readonly<Record<string, object>>;
  };
  const world = mock.service.worlds.get('tenant');
  if (world === undefined) throw new Error('the world was not made');
  const credentials = { admin: { env: 'LOCKSTEP_ADMIN_KEY', ...actors.admin } };
  const tenant = { baseUrl: mock.baseUrl, credentials, bindings };
  writeFileSync(join(folder, 'tenant.yaml'), JSON.stringify(tenant));
  const rows = (): string =>
    JSON.stringify(
      (['deployments', 'branches', 'folders'] as const).map((table) =>
        // Putting back cannot restore the last editor of a folder, or the time of a branch's
        // switch.
        world.state.tables[table].rows().map((row) => ({
          ...row,
          ...{ updatedAt: 0, updatedBy: 0, switchedAt: 0, before: null },
        })),
      ),
    );
  const env = { PATH: process.env.PATH, TMPDIR: folder, LOCKSTEP_ADMIN_KEY: 'tenant-admin' };
  const lockstep = (command: string, ...args: string[]) =>
    run(process.execPath, [program, command, '--tenant', 'tenant.yaml', ...args], {
      ...{ cwd: folder, env },
    });
  return { mock, world, folder, rows, env, lockstep };
}

const reversible = [
  ...['--allow', 'reversible', '--convergence', '1s', '--seed', '1', '--quiet'],
  ...['--only', 'FOLDER-2,FOLDER-3,STAGE-3'],
];

test('a run waits for the effects of a switch, and restores everything', async () => {
  const { rows, lockstep } = await poseTenant();
  const start = rows();
  const { code, stdout, stderr } = await lockstep(
    ...[
      'certify',
      '--allow',
      'disruptive',
      '--convergence',
      '1s',
      '--rate',
      '1000',
      '--out',
      'out',
    ],
    ...['--only', 'STAGE-5,STAGE-6,STAGE-10,STAGE-12,UPD-1,UPD-6'],
  ).ended;
  expect(code, stdout + stderr).toBe(0);
  expect(rows()).toBe(start);
});

test('after kill -9 during a write, undo puts everything back', async () => {
  const { mock, world, folder, rows, lockstep } = await poseTenant();
  const start = rows();
  const most = scaled(3, 200);
  let kills = 0;
  let changed = 0;
  for (let turn = 0; kills < most; turn += 1) {
    // The short form kills at some writes, the long form at each. The first requests only read.
    const at = scaled(1 + 6 * turn, 1 + turn);
    const { child, ended } = lockstep('certify', ...reversible, '--force', '--out', 'out');
    let writes = 0;
    mock.service.onAnswer = ({ id, journal }) => {
      const method = journal.list().at(-1)?.method;
      if (id !== 'tenant' || method !== 'PUT') return;
      writes += 1;
      if (writes === at) child.kill('SIGKILL');
    };
    const { code } = await ended;
    mock.service.onAnswer = undefined;
    if (code !== null) break;
    kills += 1;
    if (rows() !== start) changed += 1;
    const undone = await lockstep('undo').ended;
    expect(undone.code, `killed at write ${at}: ${undone.stdout}${undone.stderr}`).toBe(0);
    expect(rows(), `killed at write ${at}`).toBe(start);
    expect(readdirSync(join(folder, '.lockstep/ledger'))).toEqual([]);
    world.journal.clear();
  }
  expect(kills).toBeGreaterThanOrEqual(3);
  expect(changed).toBeGreaterThan(0);
  figure('kill -9 at every write', 'runs killed', kills);
  figure(
    'kill -9 at every write',
    'of these left something changed, and undo put it back',
    changed,
  );
});

/** Simulates a full disk: no file can grow beyond a number of 512-byte blocks. */
function onFullDisk(blocks: number, { folder, env }: Awaited<ReturnType<typeof poseTenant>>) {
  return (command: string, ...args: string[]) =>
    run(
      'bash',
      [
        ...['-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'bash'],
        ...[process.execPath, program, command, '--tenant', 'tenant.yaml', ...args],
      ],
      { cwd: folder, env },
    ).ended;
}

test('if the ledger cannot be written, nothing is written to the tenant', async () => {
  const tenant = await poseTenant();
  const start = tenant.rows();
  const { code, stdout, stderr } = await onFullDisk(0, tenant)('certify', ...reversible);
  expect(code, stdout + stderr).toBe(4);
  expect(stderr).toMatch(/the ledger .*, or its lock, cannot be written: EFBIG/);
  expect(tenant.rows()).toBe(start);
  expect(tenant.world.journal.list().filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('if the disk is too full for the report, the run says so and puts everything back', async () => {
  const tenant = await poseTenant();
  const start = tenant.rows();
  const args = [...reversible.slice(0, -1), 'FOLDER-2'];
  const { code, stdout, stderr } = await onFullDisk(40, tenant)('certify', ...args);
  expect([4, 5], stdout + stderr).toContain(code);
  expect(stderr).toContain('the report cannot be written');
  // The findings are printed instead.
  expect(stdout).toContain('"statements": [');
  expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
  expect(tenant.rows()).toBe(start);
});

test('if the temporary disk is too full for the evidence, the run still reports its findings', async () => {
  const { mock, folder, env } = await poseTenant();
  const args = ['certify', '--base-url', mock.baseUrl, '--quiet', '--only', 'DEPL-2'];
  const shell = `trap '' XFSZ; ulimit -f 0; exec "$@"`;
  const { code, stdout, stderr } = await run(
    'bash',
    ['-c', shell, 'bash', process.execPath, program, ...args],
    { cwd: folder, env },
  ).ended;
  expect(code, stdout.slice(0, 1000) + stderr).toBe(4);
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('\n}') + 2));
  expect(report.evidence).toEqual([]);
  expect(JSON.stringify(report.statements)).toContain('the evidence cannot be kept: ');
});

test('undo puts everything back although the disk is full', async () => {
  const tenant = await poseTenant();
  const start = tenant.rows();
  const { child, ended } = tenant.lockstep('certify', ...reversible);
  tenant.mock.service.onAnswer = () => {
    if (tenant.rows() !== start) child.kill('SIGKILL');
  };
  await ended;
  tenant.mock.service.onAnswer = undefined;
  expect(tenant.rows()).not.toBe(start);
  const { code, stdout, stderr } = await onFullDisk(0, tenant)('undo');
  expect(tenant.rows(), stdout + stderr).toBe(start);
  expect(code).toBe(0);
});

test('a clock that jumps by years changes no verdict', async () => {
  const service = await createService();
  const random = new Random(7);
  // A world's clock adds up the jumps. It starts far from 2001 and 2286, where seconds since 1970
  // change their number of digits.
  const now = Date.now() + 3.5e12;
  const jumps = vi
    .spyOn(Date, 'now')
    .mockImplementation(() => now + random.below(10) * 3e10 - 15e10);
  onTestFinished(() => jumps.mockRestore());
  const report = await runOn(service, loadOwnSuite());
  const failed = report.statements.filter(({ verdict }) => isFailure(verdict)).map(({ id }) => id);
  expect(failed).toEqual([]);
  expect(jumps.mock.calls.length).toBeGreaterThan(0);
});
