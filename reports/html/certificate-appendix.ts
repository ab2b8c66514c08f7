/** The certificate's end: latencies, and what a re-checker needs, folded away and not printed. */

import { hash } from 'node:crypto';
import type { Observation, Report } from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { count, duration, show, words } from '../text.ts';
import { json } from '../write.ts';
import { evidenceLink, table } from './certificate-parts.ts';
import { spreadOf, ticks } from './certificate-plots.ts';

export function latencies({ latency = {}, target }: Report): Html | undefined {
  const found = Object.entries(latency).filter(([, samples]) => samples.length > 0);
  const most = Math.max(...found.map(([, samples]) => spreadOf(samples).most));
  return when(
    found.length > 0,
    () => html`
<section aria-labelledby="latency"><h2 id="latency">How fast it answered</h2>
<p class="small soft">Each tick is a successful answer, the long one the median. The scale is logarithmic, from 0 to ${duration(most)}.${target.kind === 'mock' ? ' A mock says nothing of how fast the service is.' : ''}</p>
${table(
  ['Operation', '', { number: 'Median' }, { number: '95 % within' }, { number: 'Answers' }],
  found.map(([operation, samples]) => {
    const { median, high } = spreadOf(samples);
    const cells = [duration(median), duration(high), samples.length];
    return [html`<code>${operation}</code>`, ticks(samples, most), ...cells];
  }),
)}</section>`,
  );
}

export function appendix(report: Report): Html {
  return html`
<section class="folded" aria-label="For a re-checker">
${beyond(report)}
${waits(report)}
${plan(report)}
${scenarios(report)}
${digests(report)}</section>`;
}

function folded(id: string, title: string, lead: string, body: Html): Html {
  return html`
<details id="${id}"><summary><h2>${title}</h2></summary>
<p class="small soft">${lead}</p>${body}</details>`;
}

/** The kind of an observation in words. */
function kindWords(kind: Observation['kind']): string {
  return kind === 'contract' ? 'differs from the contract, breaks no promise' : words(kind);
}

function beyond({ observations }: Report): Html | undefined {
  const found = observations.filter(({ kind }) => kind !== 'silence');
  const rows = found.map((item) => [
    kindWords(item.kind),
    item.operation ?? '–',
    html`<code>${show(item.value)}</code>`,
    item.count,
    html`${item.evidence.slice(0, 1).map(evidenceLink)}`,
  ]);
  const headings = ['Kind', 'Operation', 'Seen', { number: 'Times' }, 'Example'];
  return when(found.length > 0, () =>
    folded(
      'beyond',
      'What the target shows beyond the contract',
      'None of this breaks a promise.',
      table(headings, rows),
    ),
  );
}

function waits({ eventually, options, target }: Report): Html | undefined {
  const rows = eventually
    .toSorted((a, b) => (b.tookMs ?? 1e12) - (a.tookMs ?? 1e12))
    .map((item) => [
      item.scenario,
      item.tookMs === null ? 'never' : duration(item.tookMs),
      item.polls,
      duration(item.withinMs),
    ]);
  const clock = target.kind === 'mock' ? " The times are those of the world's clock." : '';
  return when(rows.length > 0, () =>
    folded(
      'eventually',
      'How long changes took to show',
      `The description gives no bound. This run waited at most ${duration(options.convergenceMs)}.${clock}`,
      table(['Scenario', { number: 'Took' }, { number: 'Readings' }, { number: 'Allowed' }], rows),
    ),
  );
}

function plan({ plan: writes }: Report): Html {
  const rows = writes.map(({ scenario, operation, object, effect, actor }) => [
    ...[scenario, operation, object, effect, actor],
  ]);
  return folded(
    'plan',
    `Planned writes: ${writes.length}`,
    'The run printed this list before its first call, and could write nothing else. The effect is what happens if the target accepts the call. Some calls must be refused.',
    table(['Scenario', 'Operation', 'Object', 'Effect', 'As'], rows),
  );
}

function scenarios({ scenarios: all, requests }: Report): Html {
  const statuses = Object.entries(requests.byStatus)
    .map(([status, number]) => `${status}: ${number}`)
    .join(' · ');
  const rows = all.map((item) => [
    html`${item.scenario}<br><code class="soft">${item.file}</code>`,
    item.outcome === 'ran' ? 'ran' : html`${words(item.outcome)}: ${item.reason}`,
    item.requests,
    duration(item.durationMs),
  ]);
  return folded(
    'scenarios',
    `Scenarios: ${all.length}`,
    `${count(requests.total, 'request')} (${statuses}); ${count(requests.retries, 'retry', 'retries')}; ${requests.throttled} throttled, ${duration(requests.throttledMs)} waited for; ${count(requests.networkErrors, 'network error')}.`,
    table(['Scenario', 'Outcome', { number: 'Requests' }, { number: 'Took' }], rows),
  );
}

function digests(report: Report): Html {
  const { suite, evidence } = report;
  const rows = [
    ['report.json', suite.version, hash('sha256', json(report))],
    ['Contract', suite.contractVersion, suite.contractSha256],
    ['Statements', suite.contractVersion, suite.statementsSha256],
    ['Scenarios', suite.version, suite.scenariosSha256],
    ['Exam', suite.version, suite.exam?.sha256 ?? 'not known'],
    ...evidence.map((file) => [
      ...[evidenceLink(file.file), count(file.entries, 'entry', 'entries'), file.sha256],
    ]),
  ].map(([what, version, sha256]) => [what, version, html`<code>${sha256}</code>`]);
  return folded(
    'digests',
    'Digests (SHA-256)',
    'npx lockstep verify, with the folder of these files, compares them all and derives every verdict again from the evidence.',
    table(['What', 'Version', 'SHA-256'], rows),
  );
}
