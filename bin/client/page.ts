/** The report of `lockstep client` as a page. */
import {
  type ClientReport,
  failuresIn,
  missedIn,
  promisesIn,
} from '../../mock/client/client-report.ts';
import type { Judged } from '../../mock/client/outcome.ts';
import { textOfStatement } from '../../mock/client/variation.ts';
import { page } from '../../reports/page.ts';
import { type Html, html, when } from '../../spec/base/html.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
code { font-size: .875rem; }
.big { font-size: 1.5rem; }
`;

export function clientPage(report: ClientReport): string {
  const { relied, noticed } = promisesIn(report);
  const failures = failuresIn(report);
  const missed = missedIn(report);
  const { leftOut, command, runs, durationMs } = report;
  const body = html`<h1>Your tests against every service that this could be</h1>
<p><code>${command.join(' ')}</code>: ${runs} runs in ${Math.round(durationMs / 1000)} s.
${leftOut.length === 0 ? '' : `${leftOut.length} runs were left out, because the time was up.`}</p>
${when(relied.length > 0, () => html`<p class="big">Your tests rely on ${relied.length} promises, and notice a breach of ${noticed.length}.</p>`)}
${table('Runs that break them', 'None of those tried.', failures)}
${table('Broken promises that they do not notice', 'They notice all that were tried.', missed)}
`;
  return page('Lockstep: your tests', style, body);
}

function table(title: string, none: string, results: readonly Judged[]): Html {
  if (results.length === 0) return html`<h2>${title}</h2><p>${none}</p>`;
  const named = results.some(({ tests }) => tests.length > 0);
  const rows = results.map(({ id, kind, text, said, tests, statements }) => {
    const promises = kind === 'mutant' ? statements : [];
    const told = promises.map((one) => `${one}: ${textOfStatement(one)}`);
    return html`<tr><td><code>${id}</code></td><td>${said ?? text}<br>${told.join(' ')}</td>
${when(named, () => html`<td>${tests.join(', ')}</td>`)}</tr>`;
  });
  const columns = named ? ['run', 'the service', 'tests that failed'] : ['run', 'the service'];
  return html`<h2>${title}</h2>
<table><thead><tr>${columns.map((one) => html`<th>${one}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
}
