/** The certificate's first screen: what somebody needs who reads nothing else. */

import type { Report } from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { brokenStatements, gaps, leftText } from '../findings.ts';
import { figures, outcome, type Tally } from '../outcome.ts';
import { count, cut, duration, present } from '../text.ts';
import { statementLink, verdictBadge } from './certificate-parts.ts';

export function front(report: Report): Html {
  const { tone, word, sentence, notes } = outcome(report);
  return html`
<header>
  ${report.leftBehind.map((item) => html`<p class="warning"><b>${leftText(item)}</b></p>`)}
  <h1>Lockstep conformance certificate</h1>
  <p class="target">${cut(report.target.baseUrl, 300)}</p>
  <p class="soft">${targetKind(report)} · ${date(report.startedAt)} · took ${duration(report.durationMs)} · run <code>${report.runId}</code></p>
  <div class="outcome tone-${tone}">
    <div class="word">${word}</div>
    <p class="says">${sentence}</p>
    ${notes.map((note) => html`<p>${note}</p>`)}
  </div>
  ${report.warnings.map((text) => html`<p class="warning"><b>Warning.</b> ${text}</p>`)}
</header>`;
}

function targetKind({ target }: Report): string {
  if (target.kind === 'tenant') return 'A tenant';
  const version = target.version === undefined ? '' : ` ${target.version}`;
  const world = target.world === undefined ? '' : `, world ${target.world}`;
  return `A Lockstep mock${version}${world}`;
}

function date(iso: string): Html {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return html`${iso}`;
  const words = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  return html`<time datetime="${iso}">${words} UTC</time>`;
}

export function overview(report: Report): Html {
  const { documented, standard, silences } = figures(report);
  return html`
<ul class="counts">
  ${tile('Documented promises', documented, 'broken')}
  ${tile('Statements of standards', standard, report.options.standards === 'enforce' ? 'broken' : 'deviating, reported only')}
  <li>Silences of the description
    <b>${silences.observed} <span>of ${silences.of} observed</span></b>
    ${bar([['calm', silences.observed, silences.of]])}
    <span class="small soft">what the target does where nothing is promised. A silence never fails a target.</span>
  </li>
</ul>
${broken(report)}
<div class="${gaps(report).length + report.notApplicable.length > 0 ? 'pair' : 'across'}">
  <section aria-labelledby="untested"><h2 id="untested">What was not tested, and why</h2>${untested(report)}</section>
  <section aria-labelledby="unobservable"><h2 id="unobservable">What no call can show</h2>${unobservable(report)}</section>
</div>
${preflight(report)}
<p class="small soft">${conditions(report)}</p>`;
}

function tile(name: string, tally: Tally, word: string): Html {
  const { of, verified, inPart, broken, unstable, gaps: untried } = tally;
  return html`<li>${name}
    <b>${verified} <span>of ${of} verified</span></b>
    ${bar([
      ['good', verified, of],
      [word === 'broken' ? 'bad' : 'warn', broken + unstable, of],
      ['warn', inPart, of],
      ['warn', untried, of],
    ])}
    <span class="small soft">${present(
      `${broken} ${word}`,
      unstable > 0 && `${unstable} unstable`,
      inPart > 0 && `${inPart} verified in part`,
      `${untried} could not be tried`,
    ).join(' · ')}</span>
  </li>`;
}

function bar(parts: readonly (readonly [fill: string, part: number, of: number])[]): Html {
  const pieces = parts
    .filter(([, part, of]) => part > 0 && of > 0)
    .map(
      ([fill, part, of]) =>
        html`<i class="fill-${fill}" style="width:${((100 * part) / of).toFixed(2)}%"></i>`,
    );
  return html`<div class="bar" aria-hidden="true">${pieces}</div>`;
}

function broken(report: Report): Html | undefined {
  const found = brokenStatements(report);
  return when(
    found.length > 0,
    () => html`
<section aria-labelledby="broken"><h2 id="broken">What is broken</h2>
<ul class="plain">${found.map(
      (item) => html`<li>${verdictBadge(item.verdict)} ${statementLink(item.id)} ${item.text}</li>`,
    )}</ul></section>`,
  );
}

function untested(report: Report): Html {
  const found = gaps(report);
  const absent = report.notApplicable.map(
    ({ feature, statements }) =>
      html`<li>The tenant file switches <b>${feature}</b> off: ${count(statements.length, 'statement')} not applicable. <span class="small">${statements.map((id) => html`${statementLink(id)} `)}</span></li>`,
  );
  if (found.length === 0 && absent.length === 0) {
    return html`<p>Nothing: the run tried every promise that was in it.</p>`;
  }
  return html`<ul class="plain">${found.map(
    ({ reason, statements }) =>
      html`<li>${reason}<br><span class="small">${statements.map((item) => html`${statementLink(item.id)} `)}</span></li>`,
  )}${absent}</ul>`;
}

function unobservable({ unobservable: found, statements }: Report): Html {
  if (found.length === 0) return html`<p>Nothing: a call exists for every promise.</p>`;
  const texts = new Map(statements.map(({ id, text }) => [id, text]));
  return html`<p class="small soft">These promises of the description are outside this API. They are not counted as verified.</p>
<ul class="plain small">${found.map(
    ({ id, reason }) =>
      html`<li>${statementLink(id)} ${texts.get(id)} <span class="soft">– ${reason}</span></li>`,
  )}</ul>`;
}

function preflight({ preflight: found }: Report): Html | undefined {
  return when(
    found.length > 0,
    () => html`
<section aria-labelledby="preflight"><h2 id="preflight">Where the tenant file and the target contradict each other</h2>
<ul class="plain">${found.map(({ kind, name, message }) => html`<li>${kind} <code>${name}</code>: ${message}</li>`)}</ul></section>`,
  );
}

function conditions({ options, requests, scenarios, suite }: Report): string {
  return present(
    `Writes allowed: ${options.allow}`,
    `longest wait for a change: ${duration(options.convergenceMs)} (the description gives no bound)`,
    `standards: ${options.standards}`,
    `${count(scenarios.length, 'scenario')}, ${count(requests.total, 'request')}, ${options.jobs} at a time`,
    options.only.length > 0 && `only: ${options.only.join(', ')}`,
    `Lockstep ${suite.version}`,
  ).join(' · ');
}
