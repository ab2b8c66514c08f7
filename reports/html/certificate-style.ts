/** The certificate's looks: light and dark, on paper, and usable by keyboard, without any script. */
export const certificateStyle = `
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
header { padding-top: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; line-height: 1.25; }
h1 span { display: block; font-size: 1rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1.3rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font-family: var(--mono); font-size: .87em; }
.soft { color: var(--soft); }
.small, .small .small { font-size: .87em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }

.mock, .warning { border-left: 4px solid var(--warn); padding: .3rem .8rem; margin: .5rem 0; background: var(--panel); }
.outcome {
  margin: 1rem 0; padding: .7rem 1.1rem; border: 1px solid var(--line);
  border-left: .5rem solid var(--tone); border-radius: 6px; background: var(--panel);
}
.outcome .word { color: var(--tone); font-weight: 700; text-transform: uppercase; letter-spacing: .05em; margin: 0; }
.outcome .says { font-size: 1.25rem; font-weight: 600; margin: 0; line-height: 1.35; }
.tone-passed { --tone: var(--good); }
.tone-gaps, .tone-not-judged { --tone: var(--warn); }
.tone-failed { --tone: var(--bad); }

dl { display: grid; grid-template-columns: minmax(6rem, 11rem) 1fr; gap: .3rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
ul.operations, nav ol, ul.gaps, ul.legend { list-style: none; padding: 0; margin: .5rem 0; }
ul.operations { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .1rem 1rem; }
.o-kept { color: var(--good); } .o-broken { color: var(--bad); } .o-partly { color: var(--warn); } .o-not { color: var(--soft); }
.operations code { color: var(--ink); }
nav ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr)); gap: .7rem 1.5rem; }
nav svg { display: block; margin: .1rem 0; max-width: 100%; height: auto; }
rect { fill: var(--soft); opacity: .55; }
.q-verified { fill: var(--good); opacity: .8; } .q-violated, .q-unstable { fill: var(--bad); opacity: 1; }
.q-deviates, .q-not-testable, .q-verified-in-part { fill: var(--warn); opacity: 1; }
.q-observed { fill: none; stroke: var(--calm); stroke-width: 1.5; opacity: 1; }
.ticks { display: block; width: 100%; min-width: 6rem; max-width: 20rem; height: 1.2rem; }
.ticks path { stroke: var(--line); fill: none; }
.ticks .each { stroke: var(--calm); opacity: .6; } .ticks .median { stroke: var(--ink); stroke-width: 2; }

.finding { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; padding: .2rem 1rem .6rem; margin: .8rem 0; }
[aria-labelledby="deviates"] .finding { border-left-color: var(--warn); }
.finding h3 { margin: .5rem 0; font-weight: 500; }
.finding .line { font-size: 1.1rem; font-weight: 600; }
figure { margin: .5rem 0; }
figcaption { color: var(--soft); font-size: .87em; }
pre { margin: .2rem 0 .6rem; padding: .5rem .7rem; background: var(--panel); border-radius: 4px; white-space: pre-wrap; }
mark { background: var(--wrong); color: inherit; font-weight: 700; }
.gaps > li { border-top: 1px solid var(--line); padding: .3rem 0; }
.gaps ul { margin: .2rem 0; padding-left: 1.2rem; }
.close::before { content: "→ "; color: var(--soft); }

table { border-collapse: collapse; width: 100%; font-size: .87em; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; border-top: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.wide { overflow-x: auto; }

summary { cursor: pointer; }
.statement { border-top: 1px solid var(--line); }
.statement > summary { display: grid; grid-template-columns: 6rem 1fr 9rem; gap: .1rem .8rem; align-items: baseline; padding: .3rem 0; list-style: none; }
.statement > summary::-webkit-details-marker { display: none; }
.statement > summary:hover { background: var(--panel); }
.statement .id::before { content: "▸ "; color: var(--soft); }
.statement[open] .id::before { content: "▾ "; }
.id { font-weight: 650; white-space: nowrap; }
.seen { color: var(--calm); }
.statement .inside { padding: 0 0 .6rem 6.8rem; }
.inside p, .inside ul { margin: .2rem 0; }
.attention { background: var(--panel); }
.folded summary h2 { display: inline-block; font-size: 1.05rem; margin: .6rem 0; }
.verdict { font-weight: 650; white-space: nowrap; font-size: .87em; }
.verdict::before { display: inline-block; width: 1.2em; }
.v-verified { color: var(--good); } .v-verified::before { content: "✓"; }
.v-verified-in-part { color: var(--warn); } .v-verified-in-part::before { content: "◐"; }
.v-violated { color: var(--bad); } .v-violated::before { content: "✗"; }
.v-unstable { color: var(--bad); } .v-unstable::before { content: "≈"; }
.v-deviates { color: var(--warn); } .v-deviates::before { content: "≠"; }
.v-not-testable { color: var(--warn); } .v-not-testable::before { content: "?"; }
.v-observed { color: var(--calm); } .v-observed::before { content: "○"; }
.v-not-applicable, .v-unobservable, .v-not-selected { color: var(--soft); }
.v-not-applicable::before, .v-unobservable::before, .v-not-selected::before { content: "–"; }
.legend b::before { content: none; }
footer { margin-top: 2.5rem; padding-top: 1rem; padding-bottom: 2.5rem; border-top: 1px solid var(--line); }

@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  .statement > summary { grid-template-columns: 1fr auto; }
  .statement > summary .says { grid-column: 1 / -1; grid-row: 2; }
  .statement .inside { padding-left: 0; }
}
@media print {
  @page { margin: 12mm; }
  :root { color-scheme: light; }
  body { font-size: 8.5pt; line-height: 1.3; }
  main, header, footer { max-width: none; padding: 0; }
  h2 { font-size: 12pt; margin: 10pt 0 3pt; } h3 { font-size: 9pt; margin: 6pt 0 2pt; }
  .skip, .folded, .screen { display: none; }
  /* On paper each statement is a line. */
  .area { columns: 2; column-gap: 8mm; } .area h3 { column-span: all; }
  .statement { break-inside: avoid; font-size: 7.5pt; }
  .statement > summary { grid-template-columns: 4.6em 1fr auto; padding: 1pt 0; gap: 0 4pt; }
  .statement .verdict { font-size: 0; } .statement .verdict::before { font-size: 8pt; }
  .statement .id::before, .statement[open] .id::before { content: none; }
  .inside { display: none; }
  .gaps ul { columns: 2; column-gap: 8mm; font-size: 7.5pt; margin: 0; } .gaps p { margin: 0; }
  nav ol, ul.operations { grid-template-columns: repeat(3, 1fr); gap: 3pt 8pt; }
  .finding, figure, tr, .gaps li li, nav li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
  * { print-color-adjust: exact; }
}
`;
