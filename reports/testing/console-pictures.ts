/**
 * Takes the pictures of the console that are committed in `reports/pictures/`, each view in two sizes and two
 * schemes. It fills the default world of a mock that serves, after a reset:
 *
 *     npx lockstep mock --clock 2026-03-01T12:00:00Z --seed 1
 *     node reports/testing/console-pictures.ts http://127.0.0.1:4010 [FOLDER]
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './browser.ts';

const pictures = fileURLToPath(new URL('../pictures', import.meta.url));
const [baseUrl = 'http://127.0.0.1:4010', folder = pictures] = process.argv.slice(2);
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
/** Views that are shown with something chosen, by the name of their picture. */
const chosen: Readonly<Record<string, string>> = {
  'journal-entry': 'journal?request=3',
  try: 'try?operation=setStagingEnvironment',
  events: 'events?type=createBranch',
};

async function ask(method: string, path: string, body?: object, credential = 'admin') {
  const headers = {
    Authorization: `Bearer acme-${credential}`,
    'Content-Type': 'application/json',
  };
  const sent = body === undefined ? null : JSON.stringify(body);
  // A fault may lose the answer.
  await fetch(`${baseUrl}${path}`, { method, headers, body: sent })
    .then((answer) => answer.text())
    .catch(() => undefined);
}
const control = (method: string, path: string, body: object = {}) =>
  ask(method, `/__admin/worlds/acme${path}`, body);

/** At least one of everything that a view shows differently. */
async function fill(): Promise<void> {
  const deployments = '/api/v1/deployments';
  await control('POST', '/reset');
  await ask('GET', deployments);
  await ask('GET', `${deployments}/?color=red`);
  await ask('PUT', `${deployments}/1/folders/12`, { name: 'x' }, 'member');
  await control('POST', '/snapshots');
  await control('POST', '/clock/advance', { hours: 2 });
  await control('POST', '/faults', { operation: 'listDeployments', status: 503, times: 1 });
  await ask('GET', deployments);
  await control('POST', '/faults', { operation: 'listVersions', delayMs: 300, times: 2 });
  await ask('GET', `${deployments}/1/versions`);
  const branch = { type: 'createBranch', deployment: '1', name: 'feature-x' };
  await control('POST', '/events', branch);
  await ask('PUT', `${deployments}/1/folders/11`, { name: 'Money' });
  await ask('GET', '/api/v1/deployment');
  const lost = { operation: 'updateFolder', phase: 'after-commit', status: 504, times: 1 };
  await control('POST', '/faults', lost);
  await ask('PUT', `${deployments}/1/folders/13`, { name: 'Q1' });
  await control('POST', '/faults', { operation: 'listDeployments', phase: 'mid-body', times: 1 });
  await ask('GET', `${deployments}?limit=5`);
  await control('PUT', '/assumptions', { 'REQ-1': 'not-found' });
  const expiry = { type: 'expireCredential', credential: 'oauth', in: { minutes: 5 } };
  await control('POST', '/events', expiry);
}

const browser = await launch();
if (browser === undefined) throw new Error('there is no chromium: name one in CHROMIUM');
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
    await fill();
    await page.goto(`${baseUrl}/__admin/#/acme/journal`);
    await page.locator('.entry').first().waitFor();
    const links = await page.locator('#views a').all();
    const hashes = await Promise.all(links.map((link) => link.getAttribute('href')));
    const views = hashes.map((hash) => hash?.split('/').at(-1) ?? '');
    for (const name of [...views, 'journal-entry']) {
      // The mock grades no answer while a deviation is on.
      const deviations = name === 'deviations' ? ['folders:children-renamed'] : [];
      await control('PUT', '/deviations', { deviations });
      await page.goto(`${baseUrl}/__admin/#/acme/${chosen[name] ?? name}`);
      await page.locator('#live', { hasText: 'live' }).waitFor();
      await page.getByText('Loading…').waitFor({ state: 'hidden' });
      if (name === 'try') await page.getByRole('button', { name: 'Send PUT' }).click();
      await page.waitForTimeout(500);
      const path = resolve(folder, `console-${name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path });
    }
    await page.context().close();
  }
}
await browser.close();
