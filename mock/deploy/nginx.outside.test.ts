/** Several mocks at one address: Debian's nginx with the configuration that we ship. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { run, serve } from '../testing/program.ts';

const shipped = readFileSync(new URL('./nginx.conf', import.meta.url), 'utf8');
const deployments = '/api/v1/deployments';
const nginx = process.env.NGINX ?? '/usr/sbin/nginx';
const found = spawnSync(nginx, ['-v']).status === 0;
if (!found) {
  const message = `SEVERAL PROCESSES WERE NOT TESTED: there is no nginx at ${nginx}. Install it (apt-get install nginx) or name one in NGINX.`;
  process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  test('nginx is here, or CI has been told', () => {
    expect(process.env.CI, message).not.toBe('true');
  });
}

/** The configuration for so many processes at these ports. */
function configure(port: number, processes: readonly { readonly url: string }[]): string {
  return shipped
    .split('\n')
    .filter((line) => Number(/:402(\d)/.exec(line)?.[1] ?? 0) < processes.length)
    .join('\n')
    .replace('127.0.0.1:4010', `127.0.0.1:${port}`)
    .replaceAll(/127\.0\.0\.1:402(\d)/g, (_, digit: string) =>
      String(processes[Number(digit)]?.url.slice('http://'.length)),
    );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

interface Made {
  readonly id: string;
  readonly baseUrl: string;
  readonly prefixedBaseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** The address of nginx; undefined if it ended because its port was taken. */
async function startNginx(
  started: AsyncDisposableStack,
  folder: string,
  processes: readonly { readonly url: string }[],
): Promise<string | undefined> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'lockstep.conf'), configure(port, processes));
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  const main = join(folder, 'nginx.conf');
  writeFileSync(
    main,
    `pid ${folder}/pid; daemon off; events {} http { access_log off; ${scratch.join(' ')} include lockstep.conf; }`,
  );
  const { child, ended } = run(nginx, ['-p', folder, '-c', main, '-e', join(folder, 'error.log')]);
  started.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let running = true;
  void ended.then(() => {
    running = false;
  });
  while (running) {
    const answer = await fetch(`${url}/__admin/health`).catch(() => undefined);
    // The program that took the port may answer too.
    if (answer?.ok && answer.headers.get('Server')?.startsWith('nginx')) return url;
    await wait(50);
  }
  return undefined;
}

/** Starts so many mocks, with nginx before them. They end with their scope. */
async function pool(count: number) {
  // If nginx does not start, the mocks end as well.
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-nginx-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const start = (index: number, ...more: string[]) => serve('--process', `${index}`, ...more);
  const processes = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  for (const mock of processes) started.use(mock);
  // Another process may take a free port before nginx does; nginx then ends, and tries the next one.
  let url = await startNginx(started, folder, processes);
  url ??= await startNginx(started, folder, processes);
  url ??= await startNginx(started, folder, processes);
  if (url === undefined) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
  const all = started.move();
  const send = (method: string, path: string, credential: string | undefined, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: credential === undefined ? {} : { Authorization: credential },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return {
    url,
    processes,
    start,
    send,
    world: async (request: object = {}) =>
      (await send('POST', '/__admin/worlds', undefined, request).then((made) =>
        made.json(),
      )) as Made,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A world of process 0, and one of process 1. */
async function oneOfEach({ world }: Awaited<ReturnType<typeof pool>>): Promise<[Made, Made]> {
  const [one, other] = [await world(), await world()];
  expect(processOf(one) + processOf(other)).toBe(1);
  return processOf(one) === 0 ? [one, other] : [other, one];
}

const processOf = ({ id }: Pick<Made, 'id'>) => Number(/^p(\d)r/.exec(id)?.[1]);
const bearer = ({ credentials }: Made, name = 'admin') => `Bearer ${credentials[name]}`;
const worldOf = (answer: Response) => answer.headers.get('Lockstep-World');

describe.runIf(found)('through nginx', () => {
  test.for([1, 2, 4])('%i processes share the worlds and split none', async (count) => {
    await using at = await pool(count);
    const worlds = await Promise.all(Array.from({ length: 8 }, () => at.world()));
    expect(new Set(worlds.map(processOf)).size).toBe(count);
    await Promise.all(
      worlds.map(async (world) => {
        const folder = `${deployments}/1/folders/11`;
        const name = `Of ${world.id}`;
        await at.send('PUT', folder, bearer(world), { name });
        for (const [path, credential] of [
          [deployments, bearer(world, 'member')],
          [`${deployments}/`, `bearer  ${world.credentials.oauth}`],
          ['/api/scim/v2/Users', `Api-Key ${world.credentials.scim}`],
          [`/w/${world.id}${deployments}`, bearer(world)],
        ] as const) {
          const answer = await at.send('GET', path, credential);
          expect([answer.status, worldOf(answer)]).toEqual([200, world.id]);
        }
        expect(world.prefixedBaseUrl).toBe(`${at.url}/w/${world.id}`);
        const control = `/__admin/worlds/${world.id}`;
        const state = await at.send('GET', `${control}/state`, undefined);
        expect(await state.json()).toMatchObject({
          folders: expect.arrayContaining([expect.objectContaining({ id: 11, name })]),
        });
        const fork = (await at
          .send('POST', `${control}/fork`, undefined, {})
          .then((answer) => answer.json())) as Made;
        expect(processOf(fork)).toBe(processOf(world));
        // One journal has all requests of the world.
        const journal = await at.send('GET', `${control}/requests`, undefined);
        expect(((await journal.json()) as { requests: unknown[] }).requests).toHaveLength(5);
      }),
    );
  });

  test('a path that names a world has the last word, as in the mock', async () => {
    await using at = await pool(2);
    const [one, other] = await oneOfEach(at);
    const answer = await at.send('GET', `/w/${one.id}${deployments}`, bearer(other));
    expect([answer.status, worldOf(answer)]).toEqual([401, one.id]);
    const ofDefault = await at.send('GET', `/w/acme${deployments}`, bearer(other));
    expect([ofDefault.status, worldOf(ofDefault)]).toEqual([401, 'acme']);
    expect(worldOf(await at.send('GET', deployments, undefined))).toBe('acme');
    const named = await at.send('POST', '/__admin/worlds', undefined, { id: 'mine' });
    expect([named.status, await named.text()]).toEqual([
      400,
      expect.stringContaining('send no id, and use the id in the answer'),
    ]);
  });

  test('a process that dies loses its worlds only, and clients are told so', async () => {
    await using at = await pool(2);
    const [kept, lost] = await oneOfEach(at);
    const dead = at.processes[1];
    dead?.child.kill('SIGKILL');
    await dead?.ended;
    const why = 'process 1, which kept it, has ended';
    const expectLost = async () => {
      for (const [status, path, method] of [
        [401, deployments, 'GET'],
        [401, `${deployments}/1/folders/11`, 'PUT'],
        [404, `/w/${lost.id}${deployments}`, 'GET'],
        [404, `/__admin/worlds/${lost.id}`, 'GET'],
      ] as const) {
        const body = method === 'PUT' ? { name: 'x' } : undefined;
        const answer = await at.send(method, path, bearer(lost), body);
        expect([answer.status, await answer.text()]).toEqual([
          status,
          expect.stringContaining(why),
        ]);
        if (!path.startsWith('/__admin')) expect(worldOf(answer)).toBe('unknown');
      }
    };
    await expectLost();
    expect((await at.send('GET', deployments, bearer(kept))).status).toBe(200);
    const made = await Promise.all(Array.from({ length: 6 }, () => at.world()));
    expect(new Set(made.map(processOf))).toEqual(new Set([0]));

    // Back again, it has other worlds: an id never comes back.
    const { port } = new URL(dead?.url ?? '');
    await using _restarted = await at.start(1, '--port', port);
    await expectLost();
    const later = await Promise.all(Array.from({ length: 6 }, () => at.world()));
    expect(new Set(later.map(processOf))).toEqual(new Set([0, 1]));
    for (const world of later) {
      expect((await at.send('GET', deployments, bearer(world))).status).toBe(200);
    }
  });

  test('no other process answers for the default world', async () => {
    await using at = await pool(2);
    const worlds = await oneOfEach(at);
    const dead = at.processes[0];
    dead?.child.kill('SIGKILL');
    await dead?.ended;
    const credentials = ['Bearer acme-admin', ...worlds.map((world) => bearer(world))];
    const answers = await Promise.all(
      credentials.map((credential) => at.send('GET', deployments, credential)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([503, 401, 200]);
    const console = await at.send('GET', '/__admin/', undefined);
    expect(await console.text()).toContain(
      'Process 0, which keeps the default world, is not there',
    );
  });

  test('faults and a frozen clock reach the client; nginx does not repeat a lost request', async () => {
    await using at = await pool(1);
    const world = await at.world({ clock: '2026-01-31T09:30:00Z' });
    const control = `/__admin/worlds/${world.id}`;
    const listed = await at.send('GET', deployments, bearer(world));
    expect(listed.headers.get('Date')).toBe('Sat, 31 Jan 2026 09:30:00 GMT');
    for (const fault of [
      { operation: 'updateFolder', phase: 'after-commit', times: 1 },
      { operation: 'updateFolder', phase: 'socket', kind: 'reset', times: 1 },
    ]) {
      await at.send('POST', `${control}/faults`, undefined, fault);
      const put = at.send('PUT', `${deployments}/1/folders/11`, bearer(world), { name: 'Money' });
      await expect(put).rejects.toThrow();
    }
    await at.send('POST', `${control}/faults`, undefined, { status: 503, times: 1 });
    expect((await at.send('GET', deployments, bearer(world))).status).toBe(503);
    const found = await at.send('POST', `${control}/requests/count`, undefined, {
      operation: 'updateFolder',
    });
    expect(await found.json()).toEqual({ count: 2 });
  });
});
