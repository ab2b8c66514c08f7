/** The certificate in a real browser: on a phone, in the dark, on paper, and read aloud. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { executablePath, launch, views, weakTexts } from '../testing/browser.ts';
import { hostileReport } from '../testing/hostile-report.ts';
import { passedReport, sampleReport } from '../testing/sample-report.ts';
import { certificateHtml } from './certificate-html.ts';

const browser = await launch();
afterAll(async () => browser?.close());

test('there is a browser to test with', () => {
  const message = `THE CERTIFICATE WAS NOT LOOKED AT: there is no chromium at ${executablePath}. Install it (apt-get install chromium) or name one in CHROMIUM.`;
  if (browser === undefined) process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  expect(browser !== undefined || process.env.CI !== 'true', message).toBe(true);
});

const latency = Object.fromEntries(
  [...contract.operations.keys()].map((id, index) => [id, [3, 5, 8, 40 + index]]),
);
const pages = {
  passed: certificateHtml(passedReport({ latency }), []),
  failed: certificateHtml(sampleReport({ latency }), []),
  hostile: certificateHtml(hostileReport(), []),
};

async function open(name: keyof typeof pages, options: BrowserContextOptions): Promise<Page> {
  if (browser === undefined) throw new Error('no browser');
  const page = await (await browser.newContext(options)).newPage();
  await page.setContent(pages[name]);
  return page;
}

describe.skipIf(browser === undefined)('the certificate', () => {
  test.each(['passed', 'failed', 'hostile'] as const)('%s fits a phone', async (name) => {
    const page = await open(name, views.phone);
    await page.evaluate(
      "document.querySelectorAll('details').forEach((item) => (item.open = true))",
    );
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(views.phone.viewport.width);
  });

  test('opens at the broken statements', async () => {
    const page = await open('failed', views.desktop);
    const { y = 9999 } = (await page.locator('#broken').boundingBox()) ?? {};
    expect(y).toBeLessThan(views.desktop.viewport.height / 2);
  });

  test('is read aloud from the verdict to the digests', async () => {
    const page = await open('failed', views.desktop);
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.map((text) => text.replaceAll(/\d+/g, 'N'))).toEqual([
      'Broken statements',
      'Deviations from standards, which do not fail the run',
      'Scope of the run',
      'All N statements of the description',
      'Not covered',
      'Latency',
      'Statement by statement',
      'Answers beyond the contract',
      'Time until changes showed',
      'Planned writes: N',
      'Scenarios: N',
      'Digests (SHA-N)',
    ]);
    await expect(page.getByRole('img').first().getAttribute('aria-label')).resolves.toContain(
      'median',
    );
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Go to what is broken');
  });

  test('of a passing run prints on ten pages, without folded parts', async () => {
    const page = await open('passed', views.desktop);
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(10);
    await page.emulateMedia({ media: 'print' });
    for (const id of ['plan', 'scenarios', 'digests']) {
      expect(await page.locator(`#${id}`).isVisible(), id).toBe(false);
    }
    expect(await page.locator('#gaps').isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)('has enough contrast in the %s', async (colorScheme) => {
    const page = await open('failed', { ...views.desktop, colorScheme });
    const weak = await page.evaluate(weakTexts);
    expect(weak).toEqual([]);
  });

  test('asks nothing of any network', async () => {
    const page = await (await browser?.newContext())?.newPage();
    const asked: string[] = [];
    page?.on('request', (request) => asked.push(request.url()));
    await page?.setContent(pages.hostile, { waitUntil: 'networkidle' });
    expect(asked).toEqual([]);
  });
});
