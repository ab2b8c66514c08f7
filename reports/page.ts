/** One HTML file that needs no network and no script. Search engines are asked not to list it. */

import { type Html, html } from '../spec/base/html.ts';

/** The looks of every page: light and dark. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14181d);
  --panel: light-dark(#f5f7f9, #1c2229);
  --line: light-dark(#d9dfe5, #333c46);
  --ink: light-dark(#1b2430, #e4e9ee);
  --soft: light-dark(#56626f, #9aa7b4);
  --link: light-dark(#0b5cad, #7db8f5);
  --good: light-dark(#17703c, #5ec78a);
  --bad: light-dark(#b3261e, #ff8a80);
  --warn: light-dark(#8a5300, #f0b45b);
  --calm: light-dark(#4a5a9a, #a5b4f0);
  --wrong: light-dark(#ffd9d5, #5c211d);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 1.5rem 0 0; line-height: 1.25; }
h1 span { display: block; font-size: 1rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1.3rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font-family: var(--mono); font-size: .87em; }
.soft { color: var(--soft); }
.small, .small .small { font-size: .87em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
table { border-collapse: collapse; width: 100%; font-size: .87em; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; border-top: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.wide { overflow-x: auto; }
dl { display: grid; grid-template-columns: minmax(6rem, 11rem) 1fr; gap: .3rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
`;

/** Comes last, because it holds for each page. */
const narrow =
  '@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }';

/** `body` is the content of the element of that name; `style` has rules of this page alone. */
export function page(title: string, body: Html, style = ''): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: pageStyle + style + narrow }}</style>
</head>
<body>
${body}
</body>
</html>
`.html;
}
