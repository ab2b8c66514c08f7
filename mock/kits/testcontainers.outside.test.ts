/**
 * The image and the kit for testcontainers, with a real engine.
 *
 * The image is built from the Dockerfile by `docker build`; LOCKSTEP_BASE_IMAGE names another base,
 * for machines that cannot pull one (`.ci/container-base` makes one).
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getContainerRuntimeClient, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { certificateFor } from '../transport/certificate.ts';
import { startMock } from './mock.ts';
import { LockstepContainer } from './testcontainers.ts';

// The reaper needs another image, which not every machine can pull. So each test stops its own containers.
vi.stubEnv('TESTCONTAINERS_RYUK_DISABLED', 'true');

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const answers =
  process.env.LOCKSTEP_NO_CONTAINER === undefined &&
  spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 20_000 })
    .status === 0;
const image = `lockstep-test:${process.pid}`;
const LARGEST = 250_000_000;

test('there is a container engine to test with', () => {
  const message =
    'THE CONTAINER WAS NOT TESTED: no container engine answers `docker version`, or LOCKSTEP_NO_CONTAINER is set. Start one, or let .ci/run do it.';
  if (!answers) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  expect(answers || process.env.CI !== 'true', message).toBe(true);
});

describe.runIf(answers)('with an engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-container-'));

  beforeAll(async () => {
    const base = process.env.LOCKSTEP_BASE_IMAGE;
    const args = base === undefined ? [] : ['--build-arg', `BASE_IMAGE=${base}`];
    await run('docker', ['build', '--tag', image, ...args, root], { maxBuffer: 2 ** 26 });
  });
  afterAll(async () => {
    await run('docker', ['image', 'rm', '--force', image]);
    rmSync(folder, { recursive: true });
  });

  test('the image is small, does not run as root, and declares a health check', async () => {
    const { stdout } = await run('docker', ['image', 'inspect', image]);
    const [{ Size, Config }] = JSON.parse(stdout);
    process.stdout.write(`The image has ${(Size / 1e6).toFixed(0)} MB.\n`);
    expect(Size).toBeLessThan(LARGEST);
    expect(Config.User).toBe('1000:1000');
    expect(Config.ExposedPorts).toEqual({ '4010/tcp': {} });
    expect(Config.Healthcheck.Test).toContain('CMD');
  });

  test('worlds are isolated, and end with their scope', async () => {
    await using container = await new LockstepContainer(image).start();
    await using one = await container.world();
    await using other = await container.world({ fixture: 'empty', clock: '2026-01-31T09:30:00Z' });
    const rename = (folder: number) =>
      one.fetch(`/api/v1/deployments/1/folders/${folder}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Q1' }),
      });
    expect((await rename(13)).status).toBe(200);
    expect(await one.requests.count({ operation: 'updateFolder', status: 200 })).toBe(1);
    expect(await other.requests.count()).toBe(0);

    // The credential names the world: any client, in any language, needs no more than these two.
    const listed = await fetch(`${other.baseUrl}/api/v1/deployments`, {
      headers: { Authorization: `Bearer ${other.credentials.admin}` },
    });
    expect(await listed.json()).toMatchObject({ pagination: { total: 1 } });
    expect(listed.headers.get('Date')).toBe('Sat, 31 Jan 2026 09:30:00 GMT');
    const [found] = await other.requests.find({ operation: 'listDeployments' });
    expect(found).toMatchObject({ credential: 'admin', status: 200 });

    await other.delete();
    expect((await fetch(`${other.prefixedBaseUrl}/api/v1/deployments`)).status).toBe(404);
    await expect(container.world({ id: one.id })).rejects.toThrow(/answered 409: There is a world/);
    await container.reset();
    expect((await one.fetch('/api/v1/deployments')).status).toBe(404);
  });

  test('a world is moved as one in the same process is', async () => {
    await using container = await new LockstepContainer(image)
      .withClock('2026-01-31T09:30:00Z')
      .withSeed(7)
      .withCommand(['--strict'])
      .start();
    await using world = await container.world();
    const status = async (path: string) => (await world.fetch(path)).status;
    const start = Date.parse('2026-01-31T09:30:00Z');
    expect(await world.clock.now()).toBe(start);
    expect(await status('/api/v1/deployments?unknown=1')).toBe(400);
    await world.assumptions.set({ 'REQ-2': 'ignored' });
    expect(await status('/api/v1/deployments?unknown=1')).toBe(200);

    const saved = await world.snapshot();
    await world.emit({ type: 'expireCredential', credential: 'admin', in: { hours: 1 } });
    expect(await status('/api/v1/deployments')).toBe(200);
    await world.clock.advance({ hours: 2 });
    expect(await world.clock.now()).toBe(start + 7_200_000);
    expect(await status('/api/v1/deployments')).toBe(401);
    await world.restore(saved);
    expect(await status('/api/v1/deployments')).toBe(200);

    await world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
    await using copy = await world.fork('copy');
    expect((await copy.fetch('/api/v1/deployments')).status).toBe(503);
    expect(await status('/api/v1/deployments')).toBe(503);
    await world.faults.add({ phase: 'socket' });
    await expect(world.fetch('/api/v1/deployments')).rejects.toThrow(/fetch failed/);
    await world.faults.clear();
    expect(await status('/api/v1/deployments')).toBe(200);
    await world.reset();
    expect(await world.requests.count()).toBe(0);
    await expect(world.emit({ type: 'rain' as string })).rejects.toThrow(/no event type "rain"/);
  });

  test('the control API needs the token', async () => {
    await using container = await new LockstepContainer(image).withAdminToken('let-me-in').start();
    const ask = (headers: Record<string, string>) =>
      fetch(`${container.adminUrl}/worlds`, { headers });
    expect((await ask({})).status).toBe(403);
    expect((await ask({ 'Lockstep-Admin-Token': 'let-me-in' })).status).toBe(200);
    let text = '';
    for await (const piece of await container.logs()) {
      text += piece;
      if (text.includes('control API:')) break;
    }
    expect(text).toContain('serves the fixture acme');
    expect(text).not.toContain('let-me-in');
  });

  test('HTTPS is trusted by its authority, also after a restart', async () => {
    await using container = await new LockstepContainer(image).withTls('mock.internal').start();
    const status = (ca?: string, servername?: string) =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: 'Bearer acme-admin' };
        const options = { headers, agent: false, ca, servername } as const;
        get(`${container.baseUrl}/api/v1/deployments`, options, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    const { ca } = container;
    expect(container.baseUrl).toMatch(/^https:/);
    expect(await status(ca)).toBe(200);
    expect(await status(ca, 'mock.internal')).toBe(200);
    await expect(status()).rejects.toThrow(/unable to verify the first certificate/);
    await expect(status(ca, 'elsewhere.internal')).rejects.toThrow(/elsewhere\.internal/);

    await container.restart();
    expect(container.ca).not.toBe(ca);
    expect(await status(container.ca)).toBe(200);
    await using world = await container.world();
    expect((await world.fetch('/api/v1/deployments')).status).toBe(200);
  });

  const plan = { extends: 'acme', features: { auditLog: false } };
  const file = join(folder, 'mine.yaml');
  test.for([
    ['a name', 'basic-plan'],
    ['an object', plan],
    ['a file', file],
  ] as const)('a fixture is %s', async ([, fixture]) => {
    writeFileSync(file, JSON.stringify(plan));
    await using container = await new LockstepContainer(image).withFixture(fixture).start();
    await using world = await container.world();
    expect((await world.fetch('/api/v1/deployments')).status).toBe(200);
    expect((await world.fetch('/api/v1/audit-logs/export')).status).toBe(403);
  });

  test('an invalid fixture is refused at the start, with the reason', async () => {
    const started = new LockstepContainer(image).withFixture({ extends: 'nothing' }).start();
    await expect(started).rejects.toThrow(/fixture\.json.*nothing/s);
  });

  test('the container writes no file, does not run as root, gets healthy and ends at once', async () => {
    class ReadOnlyContainer extends LockstepContainer {
      override async beforeContainerCreated() {
        Object.assign(this.hostConfig, { ReadonlyRootfs: true, CapDrop: ['ALL'] });
      }
    }
    await using container = await new ReadOnlyContainer(image)
      .withTls()
      .withWaitStrategy(Wait.forHealthCheck())
      .start();
    await using world = await container.world();
    expect((await world.fetch('/api/v1/deployments')).status).toBe(200);
    const { output } = await container.exec(['node', '-p', 'process.getuid()']);
    expect(output.trim()).toBe('1000');
    const written = await container.exec(['node', '-e', 'fs.writeFileSync("/tmp/x", "")']);
    expect(written.output).toContain('EROFS');

    const { container: engine } = await getContainerRuntimeClient();
    const handle = engine.getById(container.getId());
    const began = performance.now();
    await container.stop({ remove: false, timeout: 20_000 });
    expect(performance.now() - began).toBeLessThan(10_000);
    const { State } = await handle.inspect();
    // 137 would be the engine's SIGKILL.
    expect(State.ExitCode).toBe(0);
    await handle.remove();
    await world.delete();
  });

  test('a proxy in it watches a mock over TLS, and writes its report when it is stopped', async () => {
    const tls = certificateFor('127.0.0.1');
    await using mock = await startMock({ tls });
    writeFileSync(join(folder, 'proxied.pem'), tls.ca);
    mkdirSync(join(folder, 'watched'));
    // The container's user is another one.
    chmodSync(join(folder, 'watched'), 0o777);
    chmodSync(folder, 0o755);
    const name = `lockstep-proxy-${process.pid}`;
    const options = ['--ca', '/work/proxied.pem', '--port', '0', '--out', '/work/watched/report'];
    await run('docker', [
      ...['run', '--detach', '--name', name, '--network', 'host', '--volume', `${folder}:/work`],
      ...[image, 'proxy', '--to', mock.baseUrl, ...options],
    ]);
    try {
      const logs = async () => (await run('docker', ['logs', name])).stderr;
      await expect.poll(logs).toContain('/__admin/report');
      const port = / at http:\/\/0\.0\.0\.0:(\d+)/.exec(await logs())?.[1];
      const headers = { Authorization: `Bearer ${mock.world.credentials.admin}` };
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/deployments`, { headers });
      const direct = await mock.world.fetch('/api/v1/deployments');
      expect(await answer.text()).toBe(await direct.text());
      await run('docker', ['stop', name]);
      const { stdout } = await run('docker', ['inspect', '--format', '{{.State.ExitCode}}', name]);
      expect(stdout.trim()).toBe('0');
      const report = readFileSync(join(folder, 'watched/report/report.json'), 'utf8');
      expect(JSON.parse(report).requests.total).toBe(1);
    } finally {
      await run('docker', ['rm', '--force', name]);
    }
  });
});
