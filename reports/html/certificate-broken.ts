/** The broken statements: one plain line each, with the exchange that shows it. */

import type { CheckResult, Report, StatementResult } from '../../conformance/judge/report.ts';
import { failsRun, isFailure } from '../../conformance/judge/verdict.ts';
import type { EvidenceEntry } from '../../conformance/target/evidence.ts';
import { harLog } from '../../spec/base/har.ts';
import { type Html, type HtmlValue, html, when } from '../../spec/base/html.ts';
import { curlLines } from '../curl.ts';
import { callWords, type Exchanges } from '../exchanges.ts';
import { failureLine } from '../failure-words.ts';
import {
  advice,
  brokenStatements,
  type CheckGroup,
  diagnosisLines,
  groupChecks,
  reachWords,
} from '../findings.ts';
import { exchangeHtml } from './certificate-exchange.ts';
import { evidenceLink, prose, statementLink, verdictBadge } from './certificate-parts.ts';

/** The first findings are shown in full; more would only make the page longer. */
const shownInFull = 20;

/** `reported`: the deviation does not fail the run, so it is not called broken. */
export function broken(report: Report, exchanges: Exchanges): readonly (Html | undefined)[] {
  const { failing = [], reported = [] } = Object.groupBy(brokenStatements(report), (item) =>
    failsRun(item, report.options) ? 'failing' : 'reported',
  );
  const section = (id: string, heading: string, found: readonly StatementResult[]) =>
    when(
      found.length > 0,
      () => html`
<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${when(id === 'broken', () => html`${diagnosisLines(report).map((line) => html`<p>${prose(line)}</p>`)}`)}
${found.map((item, index) => finding(item, report, exchanges, index < shownInFull))}
</section>`,
    );
  return [
    section('broken', 'Broken statements', failing),
    section('deviates', 'Deviations from standards, which do not fail the run', reported),
  ];
}

function finding(
  statement: StatementResult,
  report: Report,
  exchanges: Exchanges,
  inFull: boolean,
): Html {
  const reach = reachWords(report).get(statement.id);
  const title = html`<h3>${verdictBadge(statement.verdict)} ${statementLink(statement.id)} ${statement.text}</h3>${when(reach !== undefined, () => html`<p><b>Clients:</b> ${reach}</p>`)}`;
  // Several checks may give the same sentence.
  const failed = statement.checks.filter(({ verdict }) => isFailure(verdict));
  const [said, ...others] = groupChecks(failed, (check) => failureLine(check, exchanges));
  if (said === undefined) return html`<article class="finding">${title}</article>`;
  const { first } = said;
  const line = ({ first: check, all }: CheckGroup): Html =>
    html`${prose(failureLine(check, exchanges))}${all.length > 1 ? ` (${all.length} times)` : ''}`;
  return html`
<article class="finding">${title}
<p class="line">${line(said)}</p>
${when(statement.inferred !== undefined, () => html`<p>Inferred: ${statement.inferred}</p>`)}
${when(first.reason !== undefined, () => html`<p>${first.reason}</p>`)}
${inFull ? shown(first, exchanges) : undefined}
${inFull ? curl(first, report, exchanges) : undefined}
${when(others.length > 0, () => html`<p>Also:</p><ul>${others.slice(0, 5).map((other) => html`<li>${line(other)}</li>`)}</ul>`)}
${when(others.length > 5, () => html`<p class="soft">and ${others.length - 5} more in report.json</p>`)}
<p class="small soft">${further(statement, first, report, exchanges)}</p>
</article>`;
}

/**
 * The exchange that shows the failure. If a check compares several answers, the calls are listed.
 */
function shown(check: CheckResult, exchanges: Exchanges): Html | undefined {
  const exchange = exchanges.at(check.evidence.at(-1));
  if (exchange !== undefined) return exchangeHtml(exchange, check);
  const calls = exchanges.of(check.scenario).slice(0, 12);
  return when(
    calls.length > 0,
    () =>
      html`<p>This compares answers to:</p><ul>${calls.map((call) => html`<li><code>${callWords(call)}</code> answered ${call.response.status}</li>`)}</ul>`,
  );
}

/** The commands that reproduce the failure by hand. */
function curl(check: CheckResult, report: Report, exchanges: Exchanges): Html | undefined {
  const commands = curlLines(check, report, exchanges);
  const [variable = '$ADMIN'] = Object.values(report.target.variables ?? {}).map(
    (one) => `$${one}`,
  );
  return when(
    commands.length > 0,
    () =>
      html`<figure><figcaption>The same by hand, in this order; a variable such as <code>${variable}</code> is the secret of the credential of that name:</figcaption><pre>${commands.join('\n')}</pre></figure>`,
  );
}

function further(
  statement: StatementResult,
  check: CheckResult,
  report: Report,
  exchanges: Exchanges,
): readonly HtmlValue[] {
  const { held = [], evidence } = check;
  const [shows, holds] = [evidence.at(-1), held.at(-1)];
  const { look, command } = advice(statement, report);
  return [
    html`Seen in “${check.scenario}”. `,
    shows && html`Evidence: ${download(statement.id, check, exchanges)}${evidenceLink(shows)}. `,
    holds && html`It held in ${evidenceLink(holds)}. `,
    html`Next: ${look}: <code>${command}</code> `,
  ];
}

/** Larger downloads are only in the files next to the certificate. */
const largestDownload = 64 * 1024;

/**
 * The calls of the scenario up to the failure. They are inside the page, because it may be sent
 * without the other files.
 */
function download(id: string, check: CheckResult, exchanges: Exchanges): Html | undefined {
  const last = exchanges.at(check.evidence.at(-1));
  const calls = exchanges.of(check.scenario);
  const upTo = last === undefined ? calls : calls.slice(0, calls.indexOf(last) + 1);
  const text = (entries: readonly EvidenceEntry[]): string =>
    JSON.stringify(harLog(entries, ''), null, 1);
  const fitting = [upTo, upTo.slice(-1)].map(text).find((har) => har.length <= largestDownload);
  if (fitting === undefined) return undefined;
  const data = Buffer.from(fitting).toString('base64');
  return html`<a download="${id}.har" href="data:application/json;base64,${data}">${id}.har</a> (in this page), `;
}
