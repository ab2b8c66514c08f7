/**
 * Takes the pictures of a certificate that are committed in `reports/pictures/`:
 *
 *     node reports/testing/pictures.ts FOLDER NAME VIEW...
 */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, views } from './browser.ts';

const [folder = '', name = '', ...wanted] = process.argv.slice(2);
const browser = await launch();
if (browser === undefined) throw new Error('there is no chromium: name one in CHROMIUM');
for (const [view, options] of Object.entries(views)) {
  if (!wanted.includes(view)) continue;
  const page = await (await browser.newContext(options)).newPage();
  if (view === 'paper') await page.emulateMedia({ media: 'print' });
  await page.goto(pathToFileURL(resolve(folder, 'certificate.html')).href);
  const path = fileURLToPath(new URL(`../pictures/${name}-${view}.png`, import.meta.url));
  await page.screenshot({ path });
}
await browser.close();
