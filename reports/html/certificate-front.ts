/** The first screen of the certificate, which must be enough for most readers. */

import { isTraffic, type Report, type StatementResult } from '../../conformance/judge/report.ts';
import { isFailure, isGap } from '../../conformance/judge/verdict.ts';
import type { EvidenceEntry } from '../../conformance/target/evidence.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import { operationRoutes } from '../../spec/routes.ts';
import type { Exchanges } from '../exchanges.ts';
import { leftText } from '../findings.ts';
import { examWords, outcome, suiteWords } from '../outcome.ts';
import { count, cut, duration, present } from '../text.ts';

/** The target and the verdict. */
export function front(report: Report): Html {
  const { tone, word, sentence, notes } = outcome(report);
  const { target } = report;
  return html`
<header>
  <h1><span>Conformance certificate</span> ${nameOf(report)}</h1>
  ${when(target.kind === 'mock', () => html`<p class="mock"><b>A mock, not the service.</b> This certificate is about Lockstep's own mock. It says nothing about a tenant.</p>`)}
  <p class="soft">${cut(target.baseUrl, 300)} · ${date(report.startedAt)}</p>
  <div class="outcome tone-${tone}">
    <p class="word">${word}</p>
    <p class="says">${sentence}</p>
    ${notes.map((note) => html`<p>${note}</p>`)}
  </div>
  ${report.leftBehind.map((item) => html`<p class="warning"><b>${leftText(item)}</b></p>`)}
  ${report.warnings.map((text) => html`<p class="warning"><b>Warning.</b> ${text}</p>`)}
</header>`;
}

/** The target's name in the tenant file, else its host. */
export function nameOf({ target }: Report): string {
  const host = URL.canParse(target.baseUrl) ? new URL(target.baseUrl).host : target.baseUrl;
  return cut(target.name ?? host, 200);
}

const months =
  'January February March April May June July August September October November December';

/** Our own code, because the output of locale libraries changes between versions. */
function date(iso: string): Html {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  if (time === undefined) return html`${iso}`;
  const name = months.split(' ')[Number(month) - 1] ?? '';
  return html`<time datetime="${iso}">${Number(day)} ${name} ${year ?? ''}, ${time} UTC</time>`;
}

const operations = [...contract.operations.values()];

/** The contract, the options and the run, and the twelve operations. */
export function facts(report: Report, exchanges: Exchanges): Html {
  const { suite, options, requests, target, runId } = report;
  const { only, seed } = options;
  const rows = {
    Contract: html`version ${suite.contractVersion}, SHA-256 <code>${suite.contractSha256}</code>`,
    Scenarios: html`${suiteWords(report)}${(suite.custom ?? []).map(({ file, sha256 }) => html`; ${cut(file, 200)}, SHA-256 <code>${sha256}</code>`)}`,
    'Writes allowed': isTraffic(report) ? 'all: clients made the calls' : allowed[options.allow],
    'Exam of the suite':
      options.files === undefined && !isTraffic(report)
        ? (examWords(report) ?? 'not known: the run did not use the suite of Lockstep')
        : `says nothing of this run, which looked at ${suiteWords(report)} alone`,
    Derived: isTraffic(report)
      ? 'lockstep verify derives nothing from the traffic of clients. Only a run of certify can be checked so.'
      : 'lockstep verify derives each verdict from the evidence. Only a signature protects the following facts. They are names, the host, times, counts of requests, warnings, results of the preflight, and why a call was not made. They are also objects left changed, lasting changes, reliance of clients, the diagnosis, and the comparison of a gate (gate.json).',
    Valid:
      'for the time of the run only, because the service may change with any release. Certify again after each release, or every night.',
    'The run': present(
      `${runId}, ${duration(report.durationMs)}`,
      count(requests.total, 'request'),
      `waited ${duration(options.convergenceMs)} for a change to show, or longer if an earlier change took longer`,
      only.length > 0 && `only ${only.join(', ')}`,
      seed !== undefined && `seed ${seed}`,
      `Lockstep ${suite.version}`,
      target.kind === 'mock' && target.version !== undefined && `mock ${target.version}`,
    ).join(' · '),
  };
  return html`
<section aria-labelledby="what"><h2 id="what">Scope of the run</h2>
<dl>${Object.entries(rows).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<h3 id="operations">The ${operations.length} operations</h3>
<ul class="operations">${operations.map((item) => {
    const [mark, word] = marks[stateOf(item, report, exchanges)];
    return html`<li class="o-${word.split(' ')[0]}"><span aria-hidden="true">${mark}</span> <code>${item.id}</code> <span class="small soft">${word}</span></li>`;
  })}</ul></section>`;
}

const allowed: Readonly<Record<Report['options']['allow'], string>> = {
  none: 'none: the run only read',
  reversible: 'those that can be taken back (reversible)',
  disruptive: 'those that can be taken back, and restarts (disruptive)',
  permanent: 'all, those that cannot be taken back included (permanent)',
};

const marks = {
  kept: ['✓', 'kept'],
  broken: ['✗', 'broken'],
  gap: ['◐', 'partly tried'],
  untried: ['–', 'not tried'],
} as const;

/**
 * The state of an operation. A promise that many operations share counts for the operation of the
 * failing call.
 */
function stateOf(operation: Operation, report: Report, exchanges: Exchanges): keyof typeof marks {
  // True if few operations share the statement; statements about the whole service belong to all.
  const isOwn = ({ id }: StatementResult): boolean =>
    operations.filter(({ statements }) => statements.includes(id)).length <= 3;
  const promised = report.statements.filter(
    ({ id, level }) => level === 'documented' && operation.statements.includes(id),
  );
  const broken = promised.some((item) => {
    const failed = item.checks.filter(({ verdict }) => isFailure(verdict));
    const calls = failed.flatMap(({ evidence }) =>
      evidence.flatMap((one) => exchanges.at(one) ?? []),
    );
    if (isOwn(item) || calls.length === 0) return failed.length > 0;
    return calls.some((call) => operationOf(call, report) === operation);
  });
  if (broken) return 'broken';
  const own = promised.filter(isOwn);
  if (!isCalled(operation, report, exchanges)) return 'untried';
  if (!own.some(({ verdict }) => verdict.startsWith('verified'))) return 'untried';
  return own.some(isGap) ? 'gap' : 'kept';
}

/** Whether the operation was called. A promise that another operation shows is not enough. */
function isCalled({ id }: Operation, report: Report, { all }: Exchanges): boolean {
  const { latency = {} } = report;
  return id in latency || all.some((call) => operationOf(call, report)?.id === id);
}

/** The operation that a call was sent to, below the address of the target. */
function operationOf({ request: { method, url } }: EvidenceEntry, { target }: Report) {
  const base = new URL(target.baseUrl).pathname.replace(/\/$/, '');
  const { pathname } = new URL(url);
  return operationRoutes.find(method, pathname.startsWith(base) ? pathname.slice(base.length) : '')
    ?.value;
}

/** The meaning of the marks on the page. */
export const legend = html`
<ul class="legend small">
<li><b class="v-verified">✓ verified</b>: every check of the promise held. <b class="v-verified-in-part">◐ in part</b>, <b class="v-not-testable">? not testable</b>: some, or all, of its checks could not be tried. A gap is never a pass.</li>
<li><b class="v-violated">✗ violated</b>: a promise of the description is broken. <b class="v-unstable">≈ unstable</b>: it is broken at times. <b class="v-deviates">≠ deviates</b>: a standard that the description uses is broken.</li>
<li><b class="v-observed">○ observed</b>: the description is silent; the answer of the target is recorded, and is not a failure. <b class="v-unobservable">– grey</b>: no call can show it, or it was not in this run.</li>
</ul>`;
