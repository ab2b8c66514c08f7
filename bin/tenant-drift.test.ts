import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { safetyFacts } from '../conformance/areas/safety.ts';
import { version } from '../spec/base/version.ts';
import { contractFile } from '../spec/contract.ts';
import { runTenantDrift } from './tenant-drift.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterAll(() => printed.mockRestore());

async function served<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the description is read at the path and with the key of the tenant file', async () => {
  const text = readFileSync(contractFile, 'utf8');
  const asked: unknown[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push([request.url, request.headers.authorization]);
    response.writeHead(request.url === '/api/v1/spec' ? 200 : 404).end(text);
  };
  const io = { env: { LOCKSTEP_KEY: 'the-key-of-ana' }, cwd: folder, safety: safetyFacts, version };
  await served(listener, async (baseUrl) => {
    const tenantFile = (more: object): string => {
      const path = join(folder, 'tenant.yaml');
      const credentials = { admin: { env: 'LOCKSTEP_KEY' } };
      writeFileSync(path, JSON.stringify({ baseUrl, credentials, ...more }));
      return path;
    };
    const tenant = tenantFile({ description: '/api/v1/spec' });
    expect(await runTenantDrift({ tenant }, io, [])).toBe(0);
    expect(asked).toEqual([['/api/v1/spec', 'Bearer the-key-of-ana']]);
    tenantFile({ description: '/elsewhere' });
    await expect(runTenantDrift({ tenant }, io, [])).rejects.toThrow(
      '/elsewhere of the tenant is answered 404',
    );
    tenantFile({});
    await expect(runTenantDrift({ tenant }, io, [])).rejects.toThrow(
      /add a line such as `description: \/api\/v1\/spec`/,
    );
  });
});
