/** The certificate's end: what a re-checker needs. */

import type { Observation, Report } from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { count, duration, show, words } from '../text.ts';
import { evidenceLink, table } from './certificate-parts.ts';

export function appendix(report: Report): Html {
  return html`
${beyond(report)}
${waits(report)}
${plan(report)}
${scenarios(report)}
${traffic(report)}
${digests(report)}`;
}

/** The kind of an observation in words. */
function kindWords(kind: Observation['kind']): string {
  return kind === 'contract' ? 'differs from the contract, breaks no promise' : words(kind);
}

function beyond({ observations }: Report): Html | undefined {
  const found = observations.filter(({ kind }) => kind !== 'silence');
  return when(
    found.length > 0,
    () => html`
<h2 id="beyond">What the target shows beyond the contract</h2>
<p class="small soft">None of this breaks a promise.</p>
${table(
  ['Kind', 'Operation', 'Seen', { number: 'Times' }, 'Example'],
  found.map((item) => [
    kindWords(item.kind),
    item.operation ?? '–',
    html`<code>${show(item.value)}</code>`,
    item.count,
    html`${item.evidence.slice(0, 1).map(evidenceLink)}`,
  ]),
)}`,
  );
}

function waits({ eventually, options, target }: Report): Html | undefined {
  const sorted = [...eventually].sort(
    (a, b) => (b.tookMs ?? Number.POSITIVE_INFINITY) - (a.tookMs ?? Number.POSITIVE_INFINITY),
  );
  return when(
    sorted.length > 0,
    () => html`
<h2 id="eventually">How long changes took to show</h2>
<p class="small soft">The description gives no bound. This run waited at most ${duration(options.convergenceMs)}.${target.kind === 'mock' ? " The times are those of the world's clock." : ''}</p>
${table(
  ['Scenario', 'Step', { number: 'Took' }, { number: 'Readings' }, { number: 'Allowed' }],
  sorted.map((item) => [
    item.scenario,
    html`<code>${item.step}</code>`,
    item.tookMs === null
      ? html`<span class="verdict v-violated">never</span>`
      : duration(item.tookMs),
    item.polls,
    duration(item.withinMs),
  ]),
)}`,
  );
}

function plan({ plan: writes, options }: Report): Html {
  if (writes.length === 0) {
    return html`<h2 id="plan">Writes</h2><p>The run planned no write. Allowed: ${options.allow}.</p>`;
  }
  return html`
<h2 id="plan">Planned writes</h2>
<p class="small soft">The run printed this list before its first call, and could write nothing else. Allowed: ${options.allow}. The effect is what happens if the target accepts the call. Some calls must be refused.</p>
${table(
  ['Scenario', 'Step', 'Operation', 'Object', 'Effect', 'As'],
  writes.map((item) => [
    item.scenario,
    html`<code>${item.step}</code>`,
    item.operation,
    item.object,
    item.effect,
    item.actor,
  ]),
)}`;
}

function scenarios({ scenarios: all }: Report): Html | undefined {
  return when(
    all.length > 0,
    () => html`
<h2 id="scenarios">Scenarios</h2>
${table(
  ['Scenario', 'Outcome', { number: 'Requests' }, { number: 'Took' }],
  all.map((item) => [
    html`${item.scenario}<br><code class="soft">${item.file}</code>`,
    item.outcome === 'ran'
      ? 'ran'
      : html`<span class="verdict v-not-testable">${words(item.outcome)}</span> ${item.reason}`,
    item.requests,
    duration(item.durationMs),
  ]),
)}`,
  );
}

function traffic({ requests }: Report): Html {
  const statuses = Object.entries(requests.byStatus)
    .map(([status, number]) => `${status}: ${number}`)
    .join(' · ');
  return html`
<h2 id="requests">Requests</h2>
<p>${count(requests.total, 'request')} (${statuses}); ${count(requests.retries, 'retry', 'retries')}; ${requests.throttled} throttled, ${duration(requests.throttledMs)} waited for; ${count(requests.networkErrors, 'network error')}.</p>`;
}

function digests({ suite, evidence }: Report): Html {
  return html`
<h2 id="digests">Digests</h2>
<p class="small soft">These are SHA-256 digests. <code>lockstep verify report.json</code> derives every verdict again from these files.</p>
${table(
  ['What', 'Version', 'SHA-256'],
  [
    ['Contract', suite.contractVersion, html`<code>${suite.contractSha256}</code>`],
    ['Statements', suite.contractVersion, html`<code>${suite.statementsSha256}</code>`],
    ['Scenarios', suite.version, html`<code>${suite.scenariosSha256}</code>`],
    ...evidence.map((file) => [
      evidenceLink(file.file),
      count(file.entries, 'entry', 'entries'),
      html`<code>${file.sha256}</code>`,
    ]),
  ],
)}`;
}
