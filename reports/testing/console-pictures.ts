/**
 * Takes the pictures of the console that are committed in `reports/pictures/`, of a mock that serves:
 *
 *     node reports/testing/console-pictures.ts BASE_URL [FOLDER]
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './browser.ts';

const pictures = fileURLToPath(new URL('../pictures', import.meta.url));
const [baseUrl = 'http://127.0.0.1:4010', folder = pictures] = process.argv.slice(2);
const views = ['journal', 'journal?request=3', 'faults', 'coverage', 'machines', 'try'];
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

const browser = await launch();
if (browser === undefined) throw new Error('there is no chromium: name one in CHROMIUM');
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
    for (const view of views) {
      await page.goto(`${baseUrl}/__admin/#/acme/${view}`);
      await page.locator('#live', { hasText: 'live' }).waitFor();
      if (view === 'try') await page.getByRole('button', { name: 'Send GET' }).click();
      await page.waitForTimeout(500);
      const name = `console-${view.replace('?request=3', '-entry')}-${size}-${colorScheme}.png`;
      await page.screenshot({ path: resolve(folder, name) });
    }
    await page.context().close();
  }
}
await browser.close();
