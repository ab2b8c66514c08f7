/** All statements: a picture by area, and a line for each statement, which can be opened. */

import type { Observation, Report, StatementResult } from '../../conformance/judge/report.ts';
import { isFailure, isGap } from '../../conformance/judge/verdict.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { type Choice, contract, type Statement } from '../../spec/contract.ts';
import { triesText, waysText } from '../findings.ts';
import { count, cut, present, show, words } from '../text.ts';
import { evidenceLink, verdictBadge } from './certificate-parts.ts';

/**
 * The statements by area, both in the order in which they come. `id` is the `STAGE` of `STAGE-5`, and
 * an anchor of the page.
 */
function areasOf({ statements }: Report) {
  const groups = Map.groupBy(statements, ({ id }) => id.replace(/(.)-[^-]*$/, '$1'));
  return [...groups].map(([id, members]) => ({
    id,
    name: contract.areas[id] ?? id,
    statements: members,
  }));
}

/** A strip of squares for each area, which leads to its statements. */
export function picture(report: Report): Html {
  const strips = areasOf(report).map(
    ({ id, name, statements }) =>
      html`<li><a href="#area-${id}">${name}</a>${squares(statements)}<span class="small soft">${tally(statements)}</span></li>`,
  );
  return html`
<nav class="picture" aria-label="Statements by area"><ol>${strips}</ol></nav>`;
}

const side = 12;
const perRow = 22;

/** A square for each statement, in order; the tally next to it says the same in words. */
function squares(statements: readonly StatementResult[]): Html {
  const rows = Math.ceil(statements.length / perRow);
  const [width, height] = [perRow * side, rows * side];
  const marks = statements.map(({ id, verdict }, index) => {
    const [x, y] = [(index % perRow) * side, Math.floor(index / perRow) * side];
    return html`<rect class="q-${verdict}" x="${x}" y="${y}" width="10" height="10" rx="2"><title>${id} ${words(verdict)}</title></rect>`;
  });
  return html`<svg class="squares" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true" focusable="false">${marks}</svg>`;
}

const order = ['violated', 'deviates', 'unstable', 'not-testable', 'verified-in-part', 'verified'];

/** `18 verified, 2 violated`: worst first. */
function tally(statements: readonly StatementResult[]): string {
  const groups = [...Map.groupBy(statements, ({ verdict }) => verdict)];
  return groups
    .toSorted(([a], [b]) => ((order.indexOf(a) + 99) % 100) - ((order.indexOf(b) + 99) % 100))
    .map(([verdict, all]) => `${all.length} ${words(verdict)}`)
    .join(', ');
}

export function statementsByArea(report: Report): Html {
  const silences = Map.groupBy(
    report.observations.filter(({ kind }) => kind === 'silence'),
    ({ statement }) => statement ?? '',
  );
  const sections = areasOf(report).map(
    ({ id, name, statements }) => html`
<section class="area" aria-labelledby="area-${id}">
<h3 id="area-${id}">${name}</h3>
${statements.map((item) => statement(item, silences.get(item.id)))}
</section>`,
  );
  return html`
<h2 id="statements">Statement by statement</h2>
<p class="small soft screen">Open a statement to see how it was judged.</p>
${sections}`;
}

function statement(item: StatementResult, observations: readonly Observation[] = []): Html {
  const known = contract.statements.get(item.id);
  const { id, level, verdict, text, section, reason, inferred, checks } = item;
  const finding = level !== 'silent' && (isFailure(verdict) || isGap(item));
  const scenarios = new Set(checks.map(({ scenario }) => scenario));
  const evidence = [...new Set(checks.flatMap((check) => check.evidence.slice(-1)))];
  const tried = present(
    checks.length > 0 &&
      `${count(checks.length, 'check')} in ${count(scenarios.size, 'scenario')}.`,
    triesText(item),
    waysText(item),
  );
  return html`
<details class="statement${finding ? ' attention' : ''}" id="${id}">
<summary><span class="id">${id}</span><span class="says">${text}${when(observations.length > 0, () => html` <span class="seen">${seenText(known, observations)}</span>`)}</span>${verdictBadge(verdict)}</summary>
<div class="inside small">
<p class="soft">${level} · ${section}${known === undefined ? '' : `, line ${known.line} of the description`}${known?.source === undefined ? '' : ` · source of the assumption: ${known.source}`}</p>
${when(inferred !== undefined, () => html`<p>Inferred: ${inferred}</p>`)}
${when(reason !== undefined && !isFailure(verdict), () => html`<p>${cut(reason ?? '', 400)}</p>`)}
${when((item.untried ?? []).length > 0, () => html`<ul>${(item.untried ?? []).slice(0, 5).map((one) => html`<li>${cut(one, 300)}</li>`)}</ul>`)}
${when(tried.length > 0, () => html`<p>${tried.join(' ')}</p>`)}
${when(observations.length > 0, () => html`<ul>${observations.map((one) => observed(one, known))}</ul>`)}
${when(evidence.length > 0, () => html`<p>Evidence: ${evidence.slice(0, 5).map((entry) => html`${evidenceLink(entry)} `)}</p>`)}
</div></details>`;
}

function choiceOf(known: Statement | undefined, id: string | undefined): Choice | undefined {
  return [known?.assumption, ...(known?.alternatives ?? [])].find((choice) => choice?.id === id);
}

/** The behaviour of the target at a silence, in the words of the mock's choices. */
function seenText(known: Statement | undefined, observations: readonly Observation[]): string {
  const seen = observations.map(
    ({ choice, value }) => choiceOf(known, choice)?.text ?? show(value, 80),
  );
  return `Here: ${[...new Set(seen)].slice(0, 3).join('; ')}`;
}

function observed(
  { choice, value, count: times, evidence }: Observation,
  known: Statement | undefined,
): Html {
  const found = choiceOf(known, choice);
  const role =
    found === undefined
      ? 'neither the assumption of the mock nor an alternative'
      : found === known?.assumption
        ? "the mock's assumption"
        : 'an alternative of the mock';
  return html`<li>${times} × ${found === undefined ? undefined : html`<code>${found.id}</code> ${found.text} `}(${role}): <code>${show(value)}</code> ${evidence.slice(0, 1).map(evidenceLink)}</li>`;
}
