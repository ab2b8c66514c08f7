/** Debian's chromium, driven by playwright-core. For tests and pictures. */
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export const executablePath: string = process.env.CHROMIUM ?? '/usr/bin/chromium';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Undefined if there is no browser. */
export async function launch(): Promise<Browser | undefined> {
  if (!existsSync(executablePath)) return undefined;
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: flags });
}

/** The views of the certificate. */
export const views = {
  desktop: { viewport: { width: 1000, height: 1000 } },
  phone: { viewport: { width: 390, height: 844 } },
  dark: { viewport: { width: 1000, height: 1000 }, colorScheme: 'dark' },
  /** A4 at 96 dots per inch. */
  paper: { viewport: { width: 794, height: 1123 } },
} as const;

/** A script for a page: the texts whose contrast with their background is below 4.5 (WCAG AA). */
export const weakTexts = `(() => {
  const parts = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parts(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backdrop = (item) => {
    const { backgroundColor } = getComputedStyle(item);
    if (parts(backgroundColor)[3] !== 0) return backgroundColor;
    return item.parentElement === null ? 'rgb(255, 255, 255)' : backdrop(item.parentElement);
  };
  const found = [...document.querySelectorAll('body *')].flatMap((item) => {
    const own = [...item.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || item.closest('svg') !== null) return [];
    const [a, b] = [luminance(getComputedStyle(item).color), luminance(backdrop(item))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return ratio < 4.5 ? [item.tagName + '.' + item.className + ': ' + ratio.toFixed(2)] : [];
  });
  return [...new Set(found)];
})()`;
