/**
 * The end of the certificate: latencies, and data for verification, which is folded and not
 * printed.
 */

import { hash } from 'node:crypto';
import type { Report } from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { quantile } from '../../spec/base/quantile.ts';
import { count, duration, show, words } from '../text.ts';
import { json } from '../write.ts';
import { evidenceLink, table } from './certificate-parts.ts';

export function latencies({ latency = {}, target }: Report): Html | undefined {
  const found = Object.entries(latency).filter(([, samples]) => samples.length > 0);
  const all = found.flatMap(([, samples]) => samples);
  const most = quantile(all, 1);
  return when(
    found.length > 0,
    () => html`
<section aria-labelledby="latency"><h2 id="latency">Latency</h2>
<p class="small soft">Each tick is a successful answer. The long tick is the median. The scale is logarithmic, from 0 to ${duration(most)}.${target.kind === 'mock' ? ' These times say nothing about the speed of the service.' : ''}</p>
${table(
  ['Operation', '', { number: 'Median' }, { number: '95 % within' }, { number: 'Answers' }],
  found.map(([operation, samples]) => {
    const within = [0.5, 0.95].map((share) => duration(quantile(samples, share)));
    const figures = [...within, samples.length];
    return [html`<code>${operation}</code>`, ticks(samples, most), ...figures];
  }),
)}</section>`,
  );
}

const scale = { width: 240, height: 16 };

/**
 * Draws each answer as a tick on a logarithmic scale, so that one slow answer does not compress the
 * rest. The label and the columns next to it have the same facts in words.
 */
function ticks(samples: readonly number[], most: number): Html {
  const x = (milliseconds: number): string => {
    const share = Math.log1p(milliseconds) / Math.log1p(Math.max(1, most));
    return (2 + share * (scale.width - 4)).toFixed(1);
  };
  const [median, high] = [quantile(samples), quantile(samples, 0.95)];
  const places = [...new Set(samples.map(x))];
  return html`<svg class="ticks" viewBox="0 0 ${scale.width} ${scale.height}" role="img" aria-label="median ${duration(median)}, 95 % within ${duration(high)}"><path class="axis" d="M2 12H${scale.width - 2}"/><path class="each" d="${places.map((place) => `M${place} 5v7`).join('')}"/><path class="median" d="M${x(median)} 1v14"/></svg>`;
}

export function appendix(report: Report): Html {
  return html`
<section class="folded" aria-label="For a re-checker">
${beyond(report)}
${waits(report)}
${plan(report)}
${stays(report)}
${scenarios(report)}
${digests(report)}</section>`;
}

function folded(
  id: string,
  title: string,
  lead: string,
  ...[headings, rows]: Parameters<typeof table>
): Html {
  return html`
<details id="${id}"><summary><h2>${title}</h2></summary>
<p class="small soft">${lead}</p>${table(headings, rows)}</details>`;
}

function beyond({ observations }: Report): Html | undefined {
  const found = observations.filter(({ kind }) => kind !== 'silence');
  const rows = found.map(({ kind, operation = '–', value, count: times, evidence }) => [
    kind === 'contract' ? 'differs from the contract, breaks no promise' : words(kind),
    operation,
    html`<code>${show(value)}</code>`,
    times,
    evidence.slice(0, 1).map(evidenceLink),
  ]);
  const title = 'Answers beyond the contract';
  const headings = ['Kind', 'Operation', 'Seen', { number: 'Times' }, 'Example'];
  return when(rows.length > 0, () =>
    folded('beyond', title, 'None of this breaks a promise.', headings, rows),
  );
}

function waits({ eventually, options, target }: Report): Html | undefined {
  const rows = eventually
    .toSorted((a, b) => (b.tookMs ?? 1e12) - (a.tookMs ?? 1e12))
    .map(({ scenario, tookMs, polls, withinMs }) => {
      const took = tookMs === null ? 'never' : duration(tookMs);
      return [scenario, took, polls, duration(withinMs)];
    });
  const clock = target.kind === 'mock' ? " The times are those of the world's clock." : '';
  const lead = `The description gives no bound. This run waited ${duration(options.convergenceMs)}, and longer once it had seen a change show later.${clock}`;
  const headings = ['Scenario', { number: 'Took' }, { number: 'Readings' }, { number: 'Allowed' }];
  return when(rows.length > 0, () =>
    folded('eventually', 'Time until changes showed', lead, headings, rows),
  );
}

function plan({ plan: writes }: Report): Html {
  return folded(
    'plan',
    `Planned writes: ${writes.length}`,
    'The run printed this list before its first call. It wrote nothing else, except that it repeated calls after a failure. The effect says how bad the call is if the target accepts it.',
    ['Scenario', 'Operation', 'Object', 'Effect', 'As', 'Sends', 'Expected'],
    writes.map((one) => [
      ...[one.scenario, one.operation, one.object, one.effect, one.actor],
      one.kind === 'put-back' ? one.sends : html`<code>${one.sends ?? ''}</code>`,
      one.answer ?? '',
    ]),
  );
}

function stays({ stays: all = [] }: Report): Html | undefined {
  return when(all.length > 0, () =>
    folded(
      'stays',
      `Lasting changes: ${all.length}`,
      'Nothing takes these back.',
      ['Where', 'Name', { number: 'Times' }, 'Scenario'],
      all.map(({ object, name, times, scenario }) => [object, name, times, scenario]),
    ),
  );
}

function scenarios({ scenarios: all, requests }: Report): Html {
  const statuses = Object.entries(requests.byStatus)
    .map(([status, number]) => `${status}: ${number}`)
    .join(' · ');
  return folded(
    'scenarios',
    `Scenarios: ${all.length}`,
    `${count(requests.total, 'request')} (${statuses}); ${count(requests.retries, 'retry', 'retries')}; ${requests.throttled} throttled, ${duration(requests.throttledMs)} waited for; ${count(requests.networkErrors, 'network error')}.`,
    ['Scenario', 'Outcome', { number: 'Requests' }, { number: 'Took' }],
    all.map((item) => [
      html`${item.scenario}<br><code class="soft">${item.file}</code>`,
      item.outcome === 'ran' ? 'ran' : `${words(item.outcome)}: ${item.reason ?? ''}`,
      item.requests,
      duration(item.durationMs),
    ]),
  );
}

function digests(report: Report): Html {
  const { suite, evidence, options } = report;
  const derives =
    options.evidence === 'failures'
      ? 'derives the broken statements again: the run kept evidence of failures only'
      : 'derives every verdict again from the evidence';
  const rows = [
    ['report.json', suite.version, hash('sha256', json(report))],
    ['Contract', suite.contractVersion, suite.contractSha256],
    ['Statements', suite.contractVersion, suite.statementsSha256],
    ['Scenarios', suite.version, suite.scenariosSha256],
    ['Exam', suite.version, suite.exam?.sha256 ?? 'not known'],
    ['Leniency exam', suite.version, suite.exam?.honest?.sha256 ?? 'not known'],
    ...evidence.map(({ file, entries, sha256 }) => [
      ...[evidenceLink(file), count(entries, 'entry', 'entries'), sha256],
    ]),
  ].map(([what, version, sha256]) => [what, version, html`<code>${sha256}</code>`]);
  return folded(
    'digests',
    'Digests (SHA-256)',
    `npx --no-install lockstep verify, with the folder of these files, compares them all and ${derives}. Names, the host, times and counts follow from no evidence: only a signature covers them.`,
    ['What', 'Version', 'SHA-256'],
    rows,
  );
}
