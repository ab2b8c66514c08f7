/** The console in a real browser: Debian's chromium, driven by playwright-core. */
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock, startMock } from '../../kits/index.ts';
import { launch } from '../../testing/program.ts';
import { consoleFile, consoleFiles } from './console-page.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const found = existsSync(executablePath);
const launched: Promise<Browser> | undefined = found
  ? import('playwright-core').then(({ chromium }) =>
      chromium.launch({
        executablePath,
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--disable-background-networking',
        ],
      }),
    )
  : undefined;

afterAll(async () => {
  await (await launched)?.close();
});

test('there is a browser to test with', () => {
  const message = `THE CONSOLE WAS NOT TESTED: there is no chromium at ${executablePath}. Install it (apt-get install chromium) or name one in CHROMIUM.`;
  if (!found) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  expect(found || process.env.CI !== 'true', message).toBe(true);
});

/** A mock with a frozen clock, and the console open on its default world. */
async function openConsole(options: BrowserContextOptions = {}, hash = '') {
  if (launched === undefined) throw new Error('no browser');
  const mock = await startMock({ clock: '2026-03-01T12:00:00.000Z' });
  const context = await (await launched).newContext(options);
  const page = await context.newPage();
  // A limit against hanging, not a measurement: a busy machine takes long.
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('console', (message) => {
    // A refusal of the control API is shown in the page; the browser notes it as well.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== mock.baseUrl && protocol !== 'data:') foreign.push(request.url());
  });
  await page.goto(`${mock.baseUrl}/__admin/${hash}`);
  await page.locator('#live', { hasText: 'live' }).waitFor();
  return {
    mock,
    page,
    /** A call of a client, as one of the default world's credentials. */
    ask: (path: string, init: RequestInit = {}, credential = 'admin') =>
      fetch(`${mock.baseUrl}${path}`, {
        ...init,
        headers: { Authorization: `Bearer acme-${credential}` },
      }),
    /** An order of the menu. */
    async order(name: string) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name, exact: true }).click();
    },
    view: (name: string) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click(),
    async [Symbol.asyncDispose]() {
      await context.close();
      await mock.close();
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
    },
  };
}

const entries = (page: Page) => page.locator('.entry');
const deployments = '/api/v1/deployments';

describe.runIf(found)('in a browser', () => {
  test('a proxy shows a broken promise, and the service that it watches', async () => {
    const deviations = ['type:listVersions:data.*.version'];
    await using mock = await startMock({ deviations });
    const proxy = launch('proxy', '--to', mock.baseUrl, '--port', '0');
    await expect.poll(() => proxy.printed.stderr).toContain('/__admin/report');
    const { 1: url = '' } = / at (http:\S+)/.exec(proxy.printed.stderr) ?? [];
    const headers = { Authorization: `Bearer ${mock.world.credentials.admin}` };
    await fetch(`${url}/api/v1/deployments/1/versions`, { headers });
    const page = await (await launched)?.newPage({ viewport: { width: 390, height: 900 } });
    if (page === undefined) throw new Error('no browser');
    await page.goto(`${url}/__admin/`);
    await page.getByText('breaks the contract: VER-4 /body/data/0/version').waitFor();
    await page.getByText(`1 request to ${mock.baseUrl}`).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
    proxy.child.kill('SIGTERM');
    expect((await proxy.ended).code).toBe(1);
  });

  test('a request arrives, with its grading and the explanation of its refusal', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await page.getByText('Nothing has been asked of this world yet').waitFor();
    await ask(`${deployments}/1/folders/12/`, { method: 'PUT', body: '{"name":"x"}' }, 'member');
    const entry = entries(page).first();
    await entry.waitFor();
    expect(await entry.innerText()).toMatch(/403[\s\S]*PUT[\s\S]*folders\/12\/[\s\S]*assumed/);
    await entry.click();
    const detail = page.getByRole('region', { name: 'Request', exact: true });
    const text = await detail.innerText();
    expect(text).toContain('needs edit access to folder 12, which ben@example.com');
    expect(text).toMatch(/credentials that would do: admin, scoped, oauth/);
    expect(text).toMatch(/spec\/openapi\.yaml:\d+/);
    expect(text).toContain('FOLDER-8');
    expect(text).toContain('REQ-1');
    expect(text).toContain('"name": "x"');
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.dataset.id')).toBe('1');
  });

  test('an unmatched request shows the nearest operation, a struck one its fault', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    await ask('/api/v1/deployment');
    const detail = page.getByRole('region', { name: 'Request', exact: true });
    await entries(page).first().click();
    await detail.getByText('has deployments where "deployment" is').waitFor();
    expect(await detail.innerText()).toContain('nearest is listDeployments');
    mock.world.faults.add({ operation: 'listDeployments', status: 503 });
    await ask(deployments);
    await page.getByText('struck by fault-1').click();
    await detail.getByText('A fault struck it').waitFor();
    expect(await detail.innerText()).toContain('fault-1 (before): the service did nothing');
  });

  test('the journal is filtered by operation, status and grading', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await ask(deployments);
    await ask(`${deployments}/`);
    await ask(`${deployments}/1/versions`, {}, 'expired');
    await entries(page).nth(2).waitFor();
    await page.getByLabel('Operation').selectOption('listVersions');
    expect(await entries(page).count()).toBe(1);
    await page.getByLabel('Operation').selectOption('');
    await page.getByLabel('Grading').selectOption('assumed');
    expect(await entries(page).count()).toBe(1);
    await page.getByLabel('Grading').selectOption('');
    await page.getByLabel('Status').selectOption('4');
    expect(await entries(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear the journal' }).click();
    await page.getByText('Nothing has been asked of this world yet').waitFor();
  });

  test('an answer that a fault cut or lost is not shown as a success', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    mock.world.faults.add({ phase: 'socket', times: 1 });
    mock.world.faults.add({ phase: 'mid-body', times: 1 });
    await expect(ask(deployments)).rejects.toThrow('fetch failed');
    await (await ask(deployments)).text().catch(() => {});
    await entries(page).nth(1).waitFor();
    const chips = page.locator('.entry .status');
    expect(await chips.allInnerTexts()).toEqual(['200 cut', 'lost']);
    expect(await page.locator('.status.s2').count()).toBe(0);
    await page.getByLabel('Grading').selectOption('none');
    expect(await entries(page).count()).toBe(2);
    await page.getByLabel('Status').selectOption('0');
    expect(await entries(page).count()).toBe(1);
    await entries(page).first().click();
    await page.getByRole('heading', { name: 'Answer, lost on the way' }).waitFor();
  });

  test('a request is shown as text, never as markup', async () => {
    await using at = await openConsole();
    const { mock, page, ask } = at;
    const name = '"><img src=x onerror="document.title=1"><script>document.title=1</script>';
    await ask(`${deployments}/1/folders/11`, { method: 'PUT', body: JSON.stringify({ name }) });
    await entries(page).first().click();
    await page.getByText(JSON.stringify(name)).first().waitFor();
    await at.view('State');
    await page.getByText(name).first().waitFor();
    await at.view('Machines');
    await page.getByRole('group', { name: 'Tree by position' }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Machines of acme – Lockstep');
    expect(mock.world.state.tables.folders.get(11)?.name).toBe(name);
  });

  test('the clock is advanced and let run; a refusal is shown', async () => {
    await using at = await openConsole();
    const { mock, page } = at;
    await at.view('Clock');
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await page.getByRole('main').getByText('2026-03-02 12:00:00 UTC').waitFor();
    await page.getByLabel('By', { exact: true }).fill('-2');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByRole('alert').getByText('hours must be').waitFor();
    await page.getByLabel('By', { exact: true }).fill('36');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByRole('main').getByText('2026-03-04 00:00:00 UTC').waitFor();
    await page.getByRole('button', { name: 'Let it run' }).click();
    await page.getByText('The clock runs.').waitFor();
    expect(mock.world.clock.frozen).toBe(false);
  });

  test('a view that is chosen while the world opens stays', async () => {
    await using at = await openConsole();
    const { page } = at;
    await page.route('**/clock', async (asked) => {
      await new Promise((done) => setTimeout(done, 500));
      await asked.continue();
    });
    await page.reload();
    await at.view('Faults');
    await page.route('**/faults', async (asked) => {
      await page.getByText('Loading…', { exact: true }).waitFor();
      await asked.continue();
    });
    await page.getByText('Inject “Unavailable, once”').waitFor();
    // The world has opened by then.
    await page.waitForTimeout(1500);
    expect(await page.locator('main h1').innerText()).toBe('Faults');
  });

  test('ordering a fault keeps the focus, and an error hides the last success', async () => {
    await using at = await openConsole();
    const { page } = at;
    await at.view('Faults');
    await page.getByText('Inject “Unavailable, once”').waitFor();
    await page.getByRole('button', { name: 'Inject the fault' }).press('Enter');
    await page.getByText('1 of 1 left').waitFor();
    const said = page.locator('#announce');
    await expect.poll(() => said.innerText()).toBe('fault-1 is active');
    const focus = () => page.evaluate('document.activeElement.textContent');
    expect(await focus()).toBe('Inject the fault');
    await page.getByLabel('status', { exact: true }).fill('99');
    await page.getByRole('button', { name: 'Inject the fault' }).press('Enter');
    await page.getByRole('alert').getByText('from 200 to 599').waitFor();
    expect(await said.innerText()).toBe('');
    expect(await focus()).toBe('Inject the fault');
  });

  test('the page says that a world is altered, how much, and takes it back', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    const altered = page.getByText('altered', { exact: true });
    const badge = (name: string) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).innerText();
    expect(await altered.isVisible()).toBe(false);
    await ask(`${deployments}/1/folders/11`, { method: 'PUT', body: '{"name":"Money"}' });
    mock.world.faults.add({ status: 503, after: 99 });
    await altered.waitFor();
    await expect.poll(() => badge('Journal')).toMatch(/^Journal\s*1$/);
    expect(await badge('State')).toMatch(/^State\s*1$/);
    expect(await badge('Faults')).toMatch(/^Faults\s*1$/);
    await at.order('Reset…');
    await page.getByRole('button', { name: 'Reset it' }).click();
    await altered.waitFor({ state: 'hidden' });
    await expect.poll(() => badge('State')).toBe('State');
  });

  test('a time is a date, in a cell and within a row', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await ask('/build/api/v1/deployments/1/branches/staging-environment', {
      method: 'PUT',
      body: '{"branchName":"feature-orders","enabled":true}',
    });
    await at.view('State');
    await page.locator('ins', { hasText: '2026-03-01T12:00:00.000Z' }).waitFor();
    await page.getByRole('button', { name: /^branches/ }).click();
    await page.getByRole('cell', { name: '2026-03-01T12:00:00.000Z' }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/\b\d{13}\b/);
  });

  test('an entry shows its changes, and becomes a curl line and a fault', async () => {
    await using at = await openConsole({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, ask, mock } = at;
    await ask(`${deployments}/1/folders/11?a=b`, { method: 'PUT', body: `{"name":"It's"}` });
    await ask(`${deployments}/1/folders/12`, { method: 'PUT', body: '{"name":"x"}' }, 'member');
    await page.locator('.entry .refusal', { hasText: 'needs edit access to folder 12' }).waitFor();
    await entries(page).nth(1).click();
    const detail = page.getByRole('region', { name: 'Request', exact: true });
    await detail.getByRole('heading', { name: 'Changes of this request' }).waitFor();
    await detail.locator('ins', { hasText: "It's" }).waitFor();
    await detail.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(
      `curl -i -X PUT -H 'Authorization: Bearer acme-admin' -H 'Content-Type: text/plain;charset=UTF-8' --data-binary '{"name":"It'\\''s"}' '${mock.baseUrl}/w/acme${deployments}/1/folders/11?a=b'`,
    );
    await detail.getByRole('link', { name: 'Inject a fault for this' }).click();
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByText('updateFolder, any credential, before').waitFor();
    expect(mock.world.faults.list()).toMatchObject([{ operation: 'updateFolder', status: 503 }]);
  });

  test('on a phone a request is shown in the place of the list, at once', async () => {
    await using at = await openConsole({ viewport: { width: 390, height: 800 } });
    const { page, ask } = at;
    for (let sent = 0; sent < 30; sent += 1) await ask(deployments);
    await ask('/api/v1/deployments/1/notifications/31/recipients?a=long-parameter');
    await page.locator('.path', { hasText: '/recipients' }).waitFor();
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
    await entries(page).nth(29).click();
    const heading = page.getByRole('heading', { name: `GET ${deployments}`, exact: true });
    await heading.waitFor();
    const { top, bottom } = await heading.evaluate((element) => element.getBoundingClientRect());
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThan(800);
    expect(await entries(page).first().isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Close the request (Escape)' }).click();
    await entries(page).first().waitFor();
  });

  test('an empty world says how something comes to be there', async () => {
    await using at = await openConsole();
    const { page } = at;
    await page.getByRole('link', { name: 'Send a request' }).waitFor();
    for (const [view, hint] of [
      ['State', 'Nothing has changed. Try PUT'],
      ['Clock', 'Nothing is scheduled. An event with “In 5 minutes” waits here'],
      ['Faults', 'No fault is active. Inject “Unavailable, once”'],
      ['Deviations', 'No deviation is switched on. Switch one on'],
    ] as const) {
      await at.view(view);
      await page.getByText(hint).waitFor();
    }
  });

  test('a link leads to a refusal, and a click finds a repair', async () => {
    await using at = await openConsole({}, '#/acme/journal?request=1');
    const { mock, page } = at;
    const folder = '/api/v1/deployments/1/folders/12';
    await mock.world.fetchAs('member')(folder, { method: 'PUT', body: '{"name":"x"}' });
    await page.getByRole('button', { name: 'Try repairs in a copy of the world' }).click();
    await page.getByText('with the credential admin (Authorization: Bearer) (200)').waitFor();
    const json = page.getByRole('link', { name: 'This request as JSON' });
    expect(await json.getAttribute('href')).toBe('/__admin/worlds/acme/requests/1');
    expect(await entries(page).count()).toBe(1);
  });

  test('the contract is searched, and an operation tried', async () => {
    await using at = await openConsole();
    const { mock, page } = at;
    await page.goto(`${mock.baseUrl}/__admin/docs`);
    await page.getByRole('searchbox', { name: 'Find' }).fill('edit access folder');
    const shown = page.locator('article[aria-labelledby]:visible');
    expect(await shown.locator('h2').allInnerTexts()).toEqual(['updateFolder']);
    await page.locator('li#FOLDER-8').waitFor();
    expect(await page.locator('li#AUTH-1').isVisible()).toBe(false);
    await shown.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Send PUT' }).click();
    await page.getByRole('heading', { name: '200 assumed' }).waitFor();
    await page.getByText('Assumed. The description leaves open:').waitFor();
    await page
      .getByRole('link', { name: /^Switch FOLDER-\d+$/ })
      .first()
      .waitFor();
    const body = page.getByRole('region', { name: 'Body of the answer' });
    expect(await body.locator('.json-key').first().innerText()).toBe('"id"');
    await page.getByText(/^\d+ headers$/).click();
    await page.getByText('lockstep-basis', { exact: true }).waitFor();
    expect(mock.world.state.tables.folders.get(11)?.name).toBe('Finance 2026');
    await page.getByLabel('As').selectOption('none');
    await page.getByRole('button', { name: 'Send PUT' }).click();
    await page.getByRole('heading', { name: '401 documented' }).waitFor();
    await page.getByText('Promised. This answer rests on no silence').waitFor();
    await page.getByRole('link', { name: 'See it in the journal' }).click();
    await expect.poll(() => entries(page).count()).toBe(2);
  });

  test('a fault is injected, strikes, and is removed', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await at.view('Faults');
    await page.getByRole('button', { name: 'Too many, wait 30 s' }).click();
    await page.getByLabel('Operation').selectOption('listDeployments');
    await page.getByLabel('times', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByText('2 of 2 left').waitFor();
    const struck = await ask(deployments);
    expect([struck.status, struck.headers.get('Retry-After')]).toEqual([429, '30']);
    await page.getByText('1 of 2 left').waitFor();
    await page.getByRole('button', { name: 'Remove fault-1' }).click();
    await page.getByText('No fault is active').waitFor();
    expect((await ask(deployments)).status).toBe(200);
    await page.getByRole('button', { name: 'Stall' }).click();
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No fault is active').waitFor();
    await page.getByRole('button', { name: '5 calls, then 1 a second' }).click();
    await page.getByLabel('capacity').fill('1');
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByText('"capacity":1').waitFor();
    const statuses = [await ask(deployments), await ask(deployments)].map(({ status }) => status);
    expect(statuses).toEqual([200, 429]);
    await page.getByLabel('Status').fill('99');
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByRole('alert').getByText('from 200 to 599').waitFor();
  });

  test('a fault that is spent or removed still lists the requests that it struck', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    mock.world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
    mock.world.faults.add({ operation: 'listVersions', delayMs: 5 });
    await ask(deployments);
    await ask(`${deployments}/1/versions`);
    await at.view('Faults');
    const active = page.getByRole('listitem').filter({ hasText: 'fault-2' });
    await active.getByText('It struck #2 listVersions').waitFor();
    await page.getByRole('heading', { name: 'Spent or removed' }).waitFor();
    const spent = page.getByRole('listitem').filter({ hasText: 'fault-1' });
    expect(await spent.innerText()).toContain('fault-1 (before): the service did nothing');
    await spent.getByRole('link', { name: '#1 listDeployments' }).click();
    await page.getByRole('heading', { name: `GET ${deployments}`, exact: true }).waitFor();
  });

  test('coverage shows what was met, how often, and what not yet', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await at.view('Coverage');
    await page.getByText('No operation was called yet.').waitFor();
    await ask(`${deployments}/`);
    await ask(deployments, {}, 'expired');
    await ask('/api/v1/deployment');
    await page.getByText('1 of 12 operations called, 1 request matched none').waitFor();
    const item = page.getByRole('listitem').filter({ hasText: 'not yet:' });
    expect(await item.innerText()).toMatch(/listDeployments\s+200 1×\s+401 1×[\s\S]*not yet: 403/);
    await page.getByText('not tried: not-found, redirect').waitFor();
    await page
      .getByText(/^admin$/)
      .locator('+ dd')
      .waitFor();
    await page.getByRole('link', { name: 'Switch REQ-1', exact: true }).click();
    await page.getByRole('group', { name: /^REQ-1(?!\d)/ }).waitFor();
  });

  test('events and clock moves appear between rows; rows show the delay and ignored parts', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    mock.world.emit({ type: 'createBranch', deployment: '1', name: '<b>x</b>{' });
    await ask(`${deployments}?color=red`);
    mock.world.clock.advance({ hours: 2 });
    mock.world.faults.add({ delayMs: 20, times: 1 });
    await ask(deployments);
    const list = page.getByRole('list', { name: 'Requests, newest first' });
    await expect
      .poll(() => list.innerText())
      .toMatch(
        /20 ms late[\s\S]*clock moved from 2026-03-01T12[\s\S]*ignored: [^\n]*color[\s\S]*event createBranch, deployment 1, name <b>x<\/b>\{/,
      );
    await page.getByLabel('Status').selectOption('4');
    await page.getByText(/clock moved/).waitFor({ state: 'hidden' });
  });

  test('a pasted fixture makes a world; an error in it names the line', async () => {
    await using at = await openConsole();
    const { page, mock } = at;
    const choose = (text: string) =>
      page.getByLabel('Or a fixture of your own').setInputFiles({
        name: 'mine.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      });
    await at.order('New world…');
    await page.getByLabel('Id').fill('mine');
    await choose('name: <i>mine</i>\nextends: acme\ndeploymentz: []\n');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('dialog').getByText('fixture:3:1').waitFor();
    await choose('name: <i>mine</i>\nextends: acme\n');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('mine-admin').first().waitFor();
    expect(mock.service.worlds.get('mine')?.fixture.name).toBe('<i>mine</i>');
    expect(await page.getByLabel('World', { exact: true }).innerText()).toContain(
      'mine (<i>mine</i>)',
    );
  });

  test('on a phone the bar and the list of views take at most 100 pixels', async () => {
    await using at = await openConsole({ viewport: { width: 390, height: 844 } });
    const { mock, page, ask } = at;
    const id = 'w'.repeat(32);
    await mock.createWorld({ id, fixture: 'basic-plan' });
    mock.world.faults.add({ status: 503, after: 99 });
    await ask(deployments);
    for (const world of ['acme', id]) {
      await page.goto(`${mock.baseUrl}/__admin/#/${world}/world`);
      await page.getByText(`${world}-admin`).first().waitFor();
      const { bottom } = await page
        .getByRole('navigation', { name: 'Views' })
        .evaluate((element) => element.getBoundingClientRect());
      expect(bottom).toBeLessThanOrEqual(100);
      await page.getByRole('link', { name: 'World', exact: true }).waitFor();
    }
    await at.view('Journal');
    await page.getByRole('button', { name: 'Filter, save' }).click();
    await page.getByLabel('Status').selectOption('4');
    await page.getByRole('button', { name: 'Filter, save 1 set' }).press('Enter');
    expect(await page.getByLabel('Status').isVisible()).toBe(false);
  });

  test('an assumption is switched, and switched back', async () => {
    await using at = await openConsole({}, '#/acme/assumptions?find=REQ-1');
    const { page, ask } = at;
    const slash = () => ask(`${deployments}/`);
    expect((await slash()).status).toBe(200);
    const card = page.getByRole('group', { name: /^REQ-1(?!\d)/ });
    await card.getByRole('radio', { name: 'not-found' }).check();
    await page.getByText('1 switched').waitFor();
    expect((await slash()).status).toBe(404);
    await card.getByRole('radio', { name: '(default)' }).check();
    await page.getByText('0 switched').waitFor();
    expect((await slash()).status).toBe(200);
  });

  test('a deviation is found, switched on, counted and switched off', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await at.view('Deviations');
    await page.getByLabel('Find').fill('listVersions left out');
    await page.getByRole('checkbox').first().check();
    await page.getByText('no effect yet').waitFor();
    await ask(`${deployments}/1/versions`);
    await page.getByText('took effect 1 time').waitFor();
    await page.goto(`${at.mock.baseUrl}/__admin/#/acme/journal?request=1`);
    await page.getByText('a fault, a deviation or a Prefer header made the answer').waitFor();
    await at.view('Deviations');
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.getByText('No deviation is switched on').first().waitFor();
  });

  test('a request that was made while the stream was lost is shown when it comes back', async () => {
    await using at = await openConsole();
    const { page, ask, mock } = at;
    await fetch(`${mock.baseUrl}/__admin/worlds/acme/deviations`, {
      method: 'PUT',
      body: JSON.stringify({ deviations: ['type:listVersions:data.*.version'] }),
    });
    // The stream of the new page ends at once, so the page asks for it again 1.5 s later.
    const once = { times: 1 };
    await page.route('**/events?*', (route) => route.fulfill({ body: 'data: []\n\n' }), once);
    await page.reload();
    await page.locator('#live.lost').waitFor();
    await at.view('Deviations');
    await page.getByText('no effect yet').waitFor();
    await ask(`${deployments}/1/versions`);
    await page.getByText('took effect 1 time').waitFor();
  });

  test('an event happens, and its machine shows it', async () => {
    await using at = await openConsole();
    const { page } = at;
    const jobs = page.getByRole('group', { name: 'A job ends once' });
    await at.view('Machines');
    await expect.poll(() => jobs.innerText()).toMatch(/● running\s+sync-running\s+complete →/);
    await at.view('Events');
    await page.getByLabel('Event').selectOption('completeDbtSync');
    await page.getByRole('button', { name: 'Emit the event' }).click();
    await page.getByRole('heading', { name: 'Happened' }).waitFor();
    await at.view('Machines');
    await jobs.waitFor();
    await expect
      .poll(() => jobs.innerText())
      .toMatch(/^running[\s\S]*● completed[^●]*sync-running/);
    await at.view('Events');
    await page.getByRole('button', { name: 'Emit the event' }).click();
    await page.getByRole('alert').getByText('publishVersion needs version').waitFor();
  });

  test('a scheduled event happens when the clock reaches it', async () => {
    await using at = await openConsole();
    const { page } = at;
    await at.view('Events');
    await page.getByLabel('Event').selectOption('createBranch');
    await page.getByLabel('name').fill('feature-x');
    await page.getByLabel('In', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Emit the event' }).click();
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    await at.view('Clock');
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    await page.getByText('deployment 1, name feature-x, kind shared').waitFor();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.getByText('Nothing is scheduled.').waitFor();
    expect(await page.getByRole('heading', { name: 'Happened' }).count()).toBe(1);
    await at.view('Machines');
    const shared = page.getByRole('group', { name: 'shared branches' });
    await expect.poll(() => shared.innerText()).toContain('feature-x');
  });

  test('a credential that has expired says so, from the start or since an event', async () => {
    await using at = await openConsole();
    const { mock, page } = at;
    await at.view('World');
    await page
      .getByText('admin, reads the audit log, only deployment 1', { exact: true })
      .waitFor();
    const told = (name: string) =>
      page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd');
    await expect.poll(() => told('expired').innerText()).toMatch(/expired$/);
    expect(await told('oauth').innerText()).not.toContain('expired');
    mock.world.emit({ type: 'expireCredential', credential: 'oauth' });
    await at.view('Events');
    await at.view('World');
    await expect.poll(() => told('oauth').innerText()).toMatch(/expired$/);
  });

  test('the selector of worlds shows the whole of a long name', async () => {
    await using at = await openConsole({ viewport: { width: 1280, height: 800 } });
    const { mock, page } = at;
    const id = 'w'.repeat(32);
    await mock.createWorld({ id, fixture: 'basic-plan' });
    await page.goto(`${mock.baseUrl}/__admin/#/${id}/world`);
    await page.getByText(`${id}-admin`).first().waitFor();
    await expect.poll(() => page.evaluate(SPARE_IN_SELECTOR)).toBeGreaterThan(0);
  });

  test('state: a change is shown since the start and since a snapshot, and taken back', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await at.view('State');
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    await ask(`${deployments}/1/folders/11`, { method: 'PUT', body: '{"name":"Money"}' });
    await page.locator('ins', { hasText: 'Money' }).waitFor();
    await page.locator('del', { hasText: 'Finance' }).waitFor();
    await page.getByRole('button', { name: 'Return to it' }).click();
    await page.getByText('Nothing has changed.').waitFor();
  });

  test('a world is made, forked, reset and deleted', async () => {
    await using at = await openConsole();
    const { mock, page, ask } = at;
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await page.getByRole('button', { name: 'Delete…' }).isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await at.order('New world…');
    await page.getByLabel('Id').fill('Not An Id');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('dialog').getByText('1 to 32 small letters').waitFor();
    await page.getByLabel('Id').fill('mine');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('mine-admin').first().waitFor();
    await at.order('Fork…');
    await page.getByLabel('Id').fill('copy');
    await page.getByRole('button', { name: 'Fork it' }).click();
    await page.getByText('copy-admin').first().waitFor();
    await at.order('Delete…');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('acme-admin').first().waitFor();
    expect([...mock.service.worlds.keys()]).toEqual(['acme', 'mine']);

    await ask(`${deployments}/1/folders/11`, { method: 'PUT', body: '{"name":"Money"}' });
    await at.view('Journal');
    await entries(page).first().waitFor();
    await at.order('Reset…');
    await page.keyboard.press('Escape');
    expect(mock.world.state.tables.folders.get(11)?.name).toBe('Money');
    await at.order('Reset…');
    await page.getByRole('button', { name: 'Reset it' }).click();
    await page.getByText('Nothing has been asked of this world yet').waitFor();
    expect(mock.world.state.tables.folders.get(11)?.name).toBe('Finance');
    await ask(deployments);
    await entries(page).first().waitFor();
  });

  test('the keyboard is enough', async () => {
    await using at = await openConsole();
    const { page, ask } = at;
    await ask(deployments);
    await ask(`${deployments}/1/versions`);
    await entries(page).nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('deployments');
    for (const _ of ['operation', 'status', 'grading', 'clear', 'save', 'list']) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `GET ${deployments}`, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const focus = await page.evaluate('document.activeElement.className');
    expect(focus).toBe('entry');
    const unseen = await page.evaluate(
      'getComputedStyle(document.activeElement).outlineStyle === "none"',
    );
    expect(unseen).toBe(false);
  });

  test.for([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    '%s, %i px: no view is wider than the window, every control has a name',
    async ([colorScheme, width]) => {
      await using at = await openConsole({ colorScheme, viewport: { width, height: 800 } });
      const { page, ask } = at;
      await ask(deployments);
      for (const view of await page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('link')
        .all()) {
        await view.click();
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForTimeout(150);
        const spare = await page.evaluate('innerWidth - document.documentElement.scrollWidth');
        expect(spare, `${await page.title()} is too wide`).toBeGreaterThanOrEqual(0);
        expect(await page.evaluate(NAMELESS), await page.title()).toEqual([]);
      }
    },
  );

  test('the admin token is asked for once, and kept in the session only', async () => {
    if (launched === undefined) throw new Error('no browser');
    await using mock = await startMock({ adminToken: 'open sesame' });
    const context = await (await launched).newContext();
    const page = await context.newPage();
    await page.goto(`${mock.baseUrl}/__admin/`);
    await page.getByLabel('Token', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('The mock refuses this token').waitFor();
    await page.getByLabel('Token', { exact: true }).fill('open sesame');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('#live', { hasText: 'live' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual(['open sesame']);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    await context.close();
  });

  test('the reference of the contract: nothing from elsewhere, every link leads somewhere', async () => {
    await using at = await openConsole({ viewport: { width: 400, height: 800 } });
    const { mock, page } = at;
    await page.goto(`${mock.baseUrl}/__admin/docs`);
    await page.getByRole('heading', { name: 'setStagingEnvironment' }).waitFor();
    expect(await page.evaluate(DEAD_LINKS)).toEqual([]);
    const spare = await page.evaluate('innerWidth - document.documentElement.scrollWidth');
    expect(spare).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
    await page.setViewportSize({ width: 1000, height: 800 });
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
  });
});

/** Pixels that the name of the world leaves free. */
const SPARE_IN_SELECTOR = `(() => {
  const select = document.getElementById('world');
  const text = select.selectedOptions[0]?.text ?? '';
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = font;
  const inner = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return text.startsWith('w'.repeat(32)) ? inner - canvas.measureText(text).width : -1;
})()`;
/** Parts of paths, such as /{environment_id}, that are broken over two lines; a break at a hyphen is fine. */
const BROKEN_WORDS = `[...document.querySelectorAll('.path')]
  .flatMap((code) => [...code.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE && /^\\/[^-]+$/.test(node.data))
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getClientRects().length > 1;
  })
  .map((node) => node.data)`;
/** Controls without a name for screen readers. */
const NAMELESS = `[...document.querySelectorAll('button, input, select, textarea, a')]
  .filter((element) => !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length))
  .map((element) => element.outerHTML)`;
const DEAD_LINKS = `[...document.querySelectorAll('a[href^="#"]')]
  .map((link) => link.getAttribute('href').slice(1))
  .filter((id) => document.getElementById(id) === null)`;

describe('the page as it is served', () => {
  const { html, headers } = consoleFile('console.html');
  const scripts = consoleFiles.filter((name) => name.endsWith('.js'));

  test('every file of the folder is used, and every file that is used is there', () => {
    const texts = consoleFiles.map((name) => consoleFile(name).html).join('\n');
    const used = [
      ...texts.matchAll(
        /(?:^(?!\/\*\*).* from '\.\/|(?:src|href)="\/__admin\/console\/)([^'"]+)['"]/gm,
      ),
    ];
    expect(new Set(used.map(([, name]) => name))).toEqual(
      new Set(consoleFiles.filter((name) => name !== 'console.html')),
    );
    expect(scripts.length).toBeGreaterThan(10);
  });

  test('each view has its pictures, of a phone and of a desk, light and dark', () => {
    const views = scripts.flatMap(
      (name) => /^ {2}id: '(\w+)',$/m.exec(consoleFile(name).html)?.[1] ?? [],
    );
    expect(views).toHaveLength(11);
    const pictures = new URL('../../../reports/pictures/', import.meta.url);
    for (const view of [...views, 'journal-entry']) {
      for (const [size, width] of Object.entries({ phone: 390, desktop: 1280 })) {
        for (const scheme of ['light', 'dark']) {
          const file = `console-${view}-${size}-${scheme}.png`;
          const hint = `${file} is missing: node reports/testing/console-pictures.ts`;
          expect(existsSync(new URL(file, pictures)), hint).toBe(true);
          expect(readFileSync(new URL(file, pictures)).readUInt32BE(16), file).toBe(width);
        }
      }
    }
  });

  test('loads files of its own, and nothing else', () => {
    const policy = headers['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).not.toMatch(/<[^>]+\son[a-z]+=/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('only the data need the admin token; a name that leads elsewhere is refused', async () => {
    await using mock = await createMock({ adminToken: 'open sesame' });
    const asked = (path: string) => mock.fetch(`${mock.baseUrl}/__admin/${path}`);
    const script = await asked('console/html.js');
    expect([script.status, script.headers.get('Content-Type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(script.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await asked('console/console-page.ts')).status).toBe(404);
    expect((await asked('console/..%2fadmin.ts')).status).toBe(404);
    expect((await asked('worlds')).status).toBe(403);
  });
});
