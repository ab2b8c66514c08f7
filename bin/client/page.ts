/** The report of `lockstep client` as a page. */
import {
  type ClientReport,
  failuresIn,
  missedIn,
  promisesIn,
} from '../../mock/client/client-report.ts';
import type { Judged } from '../../mock/client/outcome.ts';
import { textOfStatement } from '../../mock/client/variation.ts';
import { table } from '../../reports/html/certificate-parts.ts';
import { page } from '../../reports/page.ts';
import { type Html, html, when } from '../../spec/base/html.ts';

export function clientPage(report: ClientReport): string {
  const { relied, noticed } = promisesIn(report);
  const failures = failuresIn(report);
  const missed = missedIn(report);
  const { leftOut, command, runs, durationMs, results } = report;
  const unmet = results.filter(({ outcome }) => outcome === 'not met').length;
  const body = html`<main><h1>Your tests against every service that this could be</h1>
<p><code>${command.join(' ')}</code>: ${runs} runs in ${Math.round(durationMs / 1000)} s.
${leftOut.length === 0 ? '' : `${leftOut.length} runs were left out, because the time was over.`}
${unmet === 0 ? '' : `${unmet} runs did not meet the variation.`}</p>
${when(relied.length > 0, () => html`<p><b>Your tests rely on ${relied.length} promises, and notice a breach of ${noticed.length}.</b></p>`)}
${section('Runs that break them', 'No run that was tried breaks them.', failures)}
${section('Broken promises that they do not notice', 'They notice every broken promise that was tried.', missed)}</main>`;
  return page('Lockstep: your tests', body);
}

function section(title: string, none: string, results: readonly Judged[]): Html {
  if (results.length === 0) return html`<h2>${title}</h2><p>${none}</p>`;
  const named = results.some(({ tests }) => tests.length > 0);
  const rows = results.map(({ id, kind, text, said, tests, statements }) => {
    const promises = kind === 'mutant' ? statements : [];
    const told = promises.map((one) => `${one}: ${textOfStatement(one)}`);
    const service = html`${said ?? text}<br>${told.join(' ')}`;
    return [html`<code>${id}</code>`, service, ...(named ? [tests.join(', ')] : [])];
  });
  const headings = ['run', 'the service', ...(named ? ['tests that failed'] : [])];
  return html`<h2>${title}</h2>${table(headings, rows)}`;
}
