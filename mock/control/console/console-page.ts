/** The console's page, and the styles and modules that it loads: the files of this folder as they are. */
import { readdirSync, readFileSync } from 'node:fs';

const TYPES: Readonly<Record<string, string>> = { html: 'html', css: 'css', js: 'javascript' };
const files = readdirSync(new URL('.', import.meta.url));
/** The files that a browser may load. This file is left out, although the build turns it into a module. */
export const consoleFiles: readonly string[] = files.filter(
  (name) => /\.(html|css|js)$/.test(name) && name !== 'console-page.js',
);

/** A file of the console. The page may load nothing from elsewhere. */
export function consoleFile(name: string) {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  const headers = {
    'Content-Type': `text/${type}; charset=utf-8`,
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
  const html = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  return { html, headers };
}
