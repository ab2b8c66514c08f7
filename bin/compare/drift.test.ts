/** The service's own description, from a file or a URL. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { contractFile } from '../../spec/contract.ts';
import { runDrift } from './drift.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterEach(() => void printed.mockClear());
afterAll(() => printed.mockRestore());

function file(text: string): string {
  const path = join(folder, 'their.yaml');
  writeFileSync(path, text);
  return path;
}

async function served<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the contract does not differ from itself, read from a file or a local URL', async () => {
  expect(await runDrift(contractFile, [])).toBe(0);
  const text = readFileSync(contractFile, 'utf8');
  expect(
    await served(
      (_request, response) => response.end(text),
      (url) => runDrift(url, []),
    ),
  ).toBe(0);
  expect(printed.mock.calls.join('')).toContain('no difference');
});

test('a removed part ends with 1, and is written in each form', async () => {
  const out = ['txt', 'md'].map((end) => join(folder, `drift.${end}`));
  const theirs = JSON.stringify({
    openapi: '3.0.3',
    paths: { '/api/v1/deployments': { get: {} } },
  });
  expect(await runDrift(file(theirs), out)).toBe(1);
  for (const path of out) expect(readFileSync(path, 'utf8')).toContain('is not there');
});

test.for([
  ['swagger: "2.0"\npaths: {}', /is not an OpenAPI document of version 3\.0 or 3\.1/],
  ['openapi: 3.1.0', /is not an OpenAPI document of version 3\.0 or 3\.1 with paths/],
  ['{"openapi": ', /is neither JSON nor YAML/],
  ['['.repeat(1000), /nests deeper than 500 levels/],
] as const)('%s is refused', async ([text, message]) => {
  await expect(runDrift(file(text), [])).rejects.toThrow(message);
});

test('a URL elsewhere is HTTPS; redirects, errors and documents that are too large are refused', async () => {
  await expect(runDrift('http://api.example.com/a.json', [])).rejects.toThrow(/only https/);
  await expect(runDrift('https://a:b@api.example.com/', [])).rejects.toThrow(/with a password/);
  const moved: RequestListener = (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  await expect(served(moved, (url) => runDrift(url, []))).rejects.toThrow(
    /answered 302; redirects/,
  );
  const chunk = Buffer.alloc(1024 * 1024, 32);
  const endless: RequestListener = (_request, response) => {
    const more = (): void =>
      void (response.write(chunk) ? setImmediate(more) : response.once('drain', more));
    more();
  };
  await expect(served(endless, (url) => runDrift(url, []))).rejects.toThrow(/larger than 32 MiB/);
});
