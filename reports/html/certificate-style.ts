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
  --good-fill: light-dark(#2f9a5d, #3f9e68);
  --bad-fill: light-dark(#cf3a31, #d9534a);
  --warn-fill: light-dark(#e0a030, #c98f2c);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
main, header, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.05rem; margin: 0; color: var(--soft); font-weight: 600; letter-spacing: .01em; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre, .mono { font-family: var(--mono); font-size: .86em; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; }
.soft { color: var(--soft); }
.small { font-size: .87rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }

.target { font-size: 1.55rem; font-weight: 650; margin: .1rem 0 .3rem; overflow-wrap: anywhere; line-height: 1.25; }
.outcome {
  margin: 1.1rem 0; padding: .9rem 1.2rem; border: 1px solid var(--line);
  border-left: .5rem solid var(--tone); border-radius: 6px; background: var(--panel);
}
.outcome .word { color: var(--tone); font-weight: 700; text-transform: uppercase; letter-spacing: .05em; font-size: .87rem; }
.outcome .says { font-size: 1.25rem; font-weight: 600; margin: .1rem 0 0; line-height: 1.35; }
.tone-passed { --tone: var(--good); }
.tone-gaps, .tone-not-judged { --tone: var(--warn); }
.tone-failed { --tone: var(--bad); }

.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.counts li { border: 1px solid var(--line); border-radius: 6px; padding: .7rem 1rem .8rem; }
.counts b { display: block; font-size: 1.5rem; line-height: 1.25; }
.counts b span { font-size: .95rem; font-weight: 400; color: var(--soft); }
.bar { display: flex; height: .45rem; border-radius: 3px; overflow: hidden; background: var(--line); margin: .45rem 0; }
.bar i { display: block; }
.fill-good { background: var(--good-fill); } .fill-bad { background: var(--bad-fill); }
.fill-warn { background: var(--warn-fill); } .fill-calm { background: var(--calm); }

.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 0 2.5rem; }
.across ul { columns: 24rem; column-gap: 2.5rem; }
.across li { break-inside: avoid; }
.pair h2, .across h2 { margin-top: 1.4rem; font-size: 1.1rem; }
ul.plain { list-style: none; padding: 0; margin: .3rem 0; }
ul.plain li { padding: .4rem 0; border-top: 1px solid var(--line); }
ul.plain li:first-child { border-top: 0; }
.warning { border-left: 4px solid var(--warn); padding: .3rem .8rem; margin: .5rem 0; background: var(--panel); }

table { border-collapse: collapse; width: 100%; font-size: .87rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; border-top: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
.wide { overflow-x: auto; }
td code { overflow-wrap: break-word; }
td.number, td.short { white-space: nowrap; }

nav ol { columns: 15rem; padding: 0; margin: .5rem 0; list-style: none; }
nav li { break-inside: avoid; padding: .1rem 0; }
fieldset { border: 0; padding: 0; margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
legend { float: left; margin-right: 1.2rem; color: var(--soft); }
#main:has(#show-findings:checked) .statement:not(.finding),
#main:has(#show-silences:checked) .statement:not(.silent),
#main:has(#show-promises:checked) .statement.silent { display: none; }
#main:has(#show-findings:checked) .area:not(:has(.finding)),
#main:has(#show-silences:checked) .area:not(:has(.silent)),
#main:has(#show-promises:checked) .area:not(:has(.statement:not(.silent))) { display: none; }

.statement { border: 1px solid var(--line); border-radius: 6px; margin: .45rem 0; }
.statement > summary {
  display: grid; grid-template-columns: 6rem 1fr auto; gap: .2rem .9rem; align-items: baseline;
  padding: .5rem .9rem; cursor: pointer; list-style: none;
}
.statement > summary::-webkit-details-marker { display: none; }
.statement > summary:hover { background: var(--panel); }
.statement summary .id::before { content: "▸"; color: var(--soft); display: inline-block; width: 1.1em; font-family: sans-serif; }
.statement[open] summary .id::before { content: "▾"; }
a.id { white-space: nowrap; }
.statement summary .id { font-weight: 650; white-space: nowrap; }
.statement .inside { scroll-margin-top: 4rem; padding: .2rem .9rem .9rem; border-top: 1px solid var(--line); }
.statement.finding { border-left: 4px solid var(--tone); }
.verdict { font-weight: 650; white-space: nowrap; font-size: .87rem; }
.verdict::before { display: inline-block; width: 1.2em; }
.v-verified-in-part { color: var(--warn); } .v-verified-in-part::before { content: "◐"; }
.v-unstable { color: var(--bad); } .v-unstable::before { content: "≈"; }
.v-verified { color: var(--good); } .v-verified::before { content: "✓"; }
.v-violated { color: var(--bad); } .v-violated::before { content: "✗"; }
.v-deviates { color: var(--warn); } .v-deviates::before { content: "≠"; }
.v-not-testable { color: var(--warn); } .v-not-testable::before { content: "?"; }
.v-observed { color: var(--calm); } .v-observed::before { content: "○"; }
.v-not-applicable, .v-unobservable, .v-not-selected { color: var(--soft); }
.v-not-applicable::before, .v-unobservable::before, .v-not-selected::before { content: "–"; }
.check { border-top: 1px solid var(--line); padding: .6rem 0 .3rem; }
dl { display: grid; grid-template-columns: 6.5rem 1fr; gap: .15rem .9rem; margin: .3rem 0; font-size: .87rem; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
tr.seen td { background: var(--panel); font-weight: 600; }
footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 3rem; border-top: 1px solid var(--line); }

@media (max-width: 40rem) {
  .statement > summary { grid-template-columns: 1fr auto; }
  .statement > summary .says { grid-column: 1 / -1; grid-row: 2; }
  .pair { grid-template-columns: 1fr; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 9.5pt; }
  main, header, footer { max-width: none; padding: 0; }
  fieldset, .skip, nav { display: none; }
  /* On paper: findings and silences in full, kept promises in a line each. */
  .finding::details-content, .silent::details-content { content-visibility: visible; display: block; height: auto; }
  .statement summary .id::before { content: none; }
  .quiet { display: none; }
  .statement { margin: .2rem 0; break-inside: avoid; }
  .statement > summary { padding: .25rem .6rem; }
  .counts, .outcome, .check, tr, .statement > summary { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .counts { grid-template-columns: repeat(3, 1fr); }
  a { color: inherit; }
  * { print-color-adjust: exact; }
}
`;
