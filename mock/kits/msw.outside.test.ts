/** The worker of a page, in a real browser: the page asks a host of its own, and a world answers it. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { startMock } from './index.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const found = existsSync(executablePath);

test('there is a browser to test with', () => {
  const message = `THE WORKER OF A PAGE WAS NOT TESTED: there is no chromium at ${executablePath}`;
  if (!found) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  expect(found || process.env.CI !== 'true', message).toBe(true);
});

/** The script of a page that starts the worker and tells when it has. */
async function script(baseUrl: string): Promise<string> {
  const kit = fileURLToPath(new URL('./msw.ts', import.meta.url));
  const code = `
    import { setupWorker } from 'msw/browser';
    import { handlersOf } from ${JSON.stringify(kit)};
    const handlers = handlersOf({ baseUrl: ${JSON.stringify(baseUrl)} }, { origins: ['https://acme.example.com'] });
    window.started = setupWorker(...handlers).start({ onUnhandledRequest: 'error' });`;
  const bundle = await rolldown({
    input: 'page',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) =>
          id === 'page' ? fileURLToPath(new URL('./page.js', import.meta.url)) : null,
        load: (id) => (id.endsWith('kits/page.js') ? code : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife' });
  return output[0].code;
}

test.runIf(found)('a page is answered by a world, and loses answers as on a network', async () => {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'Content-Type': type }).end(pages.get(url) ?? '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using mock = await startMock({ cors: [origin] });
  const world = await mock.createWorld();
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  pages.set('/mockServiceWorker.js', readFileSync(worker, 'utf8'));
  pages.set('/page.js', await script(world.baseUrl));
  pages.set('/', '<!doctype html><meta charset="utf-8"><script src="/page.js"></script>');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(origin);
    await page.evaluate('window.started');
    const ask = (authorization: string) =>
      page.evaluate(
        `fetch('https://acme.example.com/api/v1/deployments?limit=1', { headers: ${authorization} })
          .then(async (answer) => [answer.status, answer.headers.get('lockstep-basis'), (await answer.text()).length > 10])
          .catch((error) => error.name)`,
      );
    const signed = JSON.stringify({ Authorization: `Bearer ${world.credentials.admin}` });
    expect(await ask(signed)).toEqual([200, 'documented', true]);
    expect(await ask('{}')).toEqual([401, expect.any(String), true]);
    world.faults.add({ phase: 'socket', times: 1 });
    expect(await ask(signed)).toBe('TypeError');
    expect(world.requests.list().map(({ status }) => status)).toEqual([200, 401, 0]);
  } finally {
    await browser.close();
    server.close();
  }
});
