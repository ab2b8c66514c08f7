import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Transport } from '../../conformance/target/target.ts';
import { httpTransport } from '../../conformance/target/transport.ts';
import { contract } from '../../spec/contract.ts';
import { drawn, type Named, packs, ruleOf, shrunk, singles, tenantOf } from './draw.ts';
import { certified, examineTenant, type Tenant } from './honest.ts';
import { honestFigure } from './honest-figure.ts';
import { silencesWithout } from './honest-md.ts';
import { refusal, serves, type Variant } from './variant.ts';
import { variants } from './variants.ts';
import { scenariosMeeting } from './where.ts';

const suite = loadOwnSuite();

const usual: Tenant = { base: 'mock', variants: [], seed: 1 };

const titled = (tenants: readonly Named[]) =>
  tenants.map((tenant) => ({ ...tenant, title: tenant.ids.join(' + ') }));

describe('honest tenants are passed', () => {
  // As many as fit in a few seconds. `npm run exam -- --honest` and the nightly campaign play all.
  test.for(titled(drawn('mock', 4, 7)))('$title', async (named) => {
    expect((await examineTenant(tenantOf(named))).refused).toEqual([]);
  });

  test.for(titled(drawn('tenant', 1, 7)))('$title, elsewhere', async (named) => {
    expect((await examineTenant(tenantOf(named))).refused).toEqual([]);
  });
});

/** Tenants of the nightly campaign that the suite refused. Each variant alone had passed. */
const once: readonly Named[] = [
  {
    base: 'tenant',
    ids: ['right:memberOauth:listDeployments:403', 'right:memberOauth:listBranches:403'],
    seed: 73,
  },
  {
    base: 'mock',
    ids: ['largest page of users:7:always', 'others:people come and go'],
    seed: 3281122943,
  },
  { base: 'mock', ids: ['order:listDeployments:by name', 'status:PAGE-9:424'], seed: 40477734 },
  { base: 'mock', ids: ['choice:AUDIT-14:no-header', 'choice:AUDIT-15:dotted'], seed: 3766066492 },
  { base: 'mock', ids: ['choice:BRANCH-1:named', 'ids:branch:of 13 digits'], seed: 2831796410 },
];
test.for(titled(once))('$title, once refused', async (named) => {
  expect((await examineTenant(tenantOf(named))).refused).toEqual([]);
});

test('a deviation among the variants is refused, and shrinks to itself', async () => {
  const broken: Variant = {
    id: 'no name',
    ground: 'none',
    slot: 'x',
    does: serves('listDeployments', (reply) => ({
      ...reply,
      body: JSON.parse(JSON.stringify(reply.body).replaceAll('"name"', '"title"')),
    })),
  };
  const { refused } = await examineTenant({ ...usual, variants: [broken] });
  expect(refused.join()).toContain('DEPL-2 violated');
  const isRefused = async ({ ids }: { readonly ids: readonly string[] }) => ids.includes('b');
  const tenant = { base: 'mock', ids: ['a', 'b', 'c'], seed: 1 } as const;
  expect((await shrunk(tenant, isRefused)).ids).toEqual(['b']);
});

test('if putting back is always refused, the run ends with 5 and says so', async () => {
  let first: unknown;
  let last: unknown;
  const stuck: Variant = {
    id: 'put back is refused',
    ground: 'none',
    slot: 'x',
    does: () => async (asked, next) => {
      if (!('operation' in asked) || asked.operation.id !== 'updateFolder') return next(asked);
      const { name } = asked.body;
      // A run reads a folder immediately before its first write to it.
      if (name !== undefined) first ??= last;
      if (name !== undefined && name === first) return refusal(asked, 423);
      const reply = await next(asked);
      last = (reply.body as { readonly name?: unknown }).name;
      return reply;
    },
  };
  const report = await certified({ base: 'tenant', variants: [stuck], seed: 1 }, ['FOLDER-2']);
  expect(report.leftBehind).not.toEqual([]);
  expect(report.exitCode).toBe(5);
});

// RFC 9110 section 12.5.3: without Accept-Encoding any encoding is acceptable. The runner does not
// send it, and cannot decode.
test('compressed, chunked, with an ETag, names in other letters, and a connection for each answer', async () => {
  let send: Transport | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const answer = await send?.({
      ...{ method, url: `https://localhost${url}`, headers: headers as Record<string, string> },
      body: Buffer.concat(chunks).toString() || undefined,
    });
    if (answer === undefined) throw new Error('there is no tenant yet');
    const { 'accept-encoding': accepted } = headers;
    const takesGzip = accepted === undefined || /gzip/.test(String(accepted));
    outgoing.setHeader('ETag', 'W/"1"').setHeader('Connection', 'close');
    for (const [name, value] of Object.entries(answer.headers))
      if (name !== 'content-length') outgoing.setHeader(name.toUpperCase(), value);
    if (takesGzip) outgoing.setHeader('CONTENT-ENCODING', 'gzip');
    outgoing.writeHead(answer.status);
    const bytes = takesGzip ? gzipSync(answer.text) : Buffer.from(answer.text);
    for (let at = 0; at < bytes.length; at += 1000) outgoing.write(bytes.subarray(at, at + 1000));
    outgoing.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const http = httpTransport({ connections: 8, env: {} });
  const some = ['DEPL-2', 'PAGE-6', 'AUDIT-4', 'SCIM-3', 'FOLDER-2', 'STAGE-3'];
  const report = await certified(usual, some, (inner) => (request, signal) => {
    send = inner;
    const { pathname, search, protocol } = new URL(request.url);
    if (protocol === 'http:') return inner(request, signal);
    return http.send({ ...request, url: `http://127.0.0.1:${port}${pathname}${search}` }, signal);
  });
  await http.close();
  await new Promise((done) => server.close(done));
  expect(report.exitCode).toBe(0);
});

test('a pause that the independent tenant requests passes on its own clock', async () => {
  const busy: Variant = {
    id: 'busy',
    ground: 'none',
    slot: 'x',
    does: () => {
      let left = 2;
      return async (asked, next) =>
        left-- > 0 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : next(asked);
    },
  };
  const report = await certified({ base: 'tenant', variants: [busy], seed: 1 }, ['DEPL-2']);
  expect(report.exitCode).toBe(0);
  expect(report.requests.throttledMs).toBeGreaterThanOrEqual(60_000);
  expect(report.durationMs).toBeLessThan(30_000);
});

test('a single variant is played only against scenarios that its operations or silences affect', async () => {
  const meeting = async (id: string) => {
    const { variants: own } = tenantOf({ base: 'mock', ids: [id], seed: 1 });
    const met = await Promise.all(own.map(scenariosMeeting));
    return met.flat().map(({ title }) => title);
  };
  const dbt = await meeting('order:getDbtSyncResult:generatedFiles:reversed');
  expect(dbt.join()).toMatch(/dbt/);
  expect(dbt.length).toBeLessThan(suite.scenarios.length / 4);
  expect((await meeting('choice:STAGE-20:conflict')).join()).toMatch(/staging environment/);
  expect(await meeting('gateway:302:HTML')).toHaveLength(suite.scenarios.length);
});

test('the table gives the number of honest services, and of refused ones', () => {
  const table = '# x\n\n1823 honest services: 2 refused.\n';
  expect(honestFigure(table)).toMatchObject({ services: 1823, refused: 2 });
  expect(() => honestFigure('# x')).toThrow(/honest\.md/);
});

test('each variant has a unique id and a ground', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
  for (const { ground } of variants) expect(ground).not.toBe('');
  const named = variants.flatMap(({ ground }) => ground.match(/\b[A-Z]{3,}-\d+\b/g) ?? []);
  const strange = named.filter((id) => !contract.statements.has(id) && !id.startsWith('RFC'));
  expect(strange).toEqual([]);
});

test('each silence is the ground of a variant', () => {
  expect(silencesWithout()).toEqual([]);
});

test('packs hold each variant once, and no two of a slot', () => {
  const packed = packs('mock').flatMap(({ ids }) => ids);
  expect(packed.toSorted()).toEqual(
    singles('mock')
      .flatMap(({ ids }) => ids)
      .toSorted(),
  );
  const slots = new Map(variants.map(({ id, slot }) => [id, slot]));
  for (const { ids } of [...packs('mock'), ...drawn('mock', 50, 3)])
    expect(new Set(ids.map((id) => slots.get(id))).size).toBe(ids.length);
  expect(ruleOf({ id: 'jwt:without exp' })).toBe('jwt');
});
