/** The looks of the certificate, beyond those of every page: on paper too, and usable by keyboard. */
export const certificateStyle = `
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
