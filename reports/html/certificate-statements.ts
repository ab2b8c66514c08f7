/** The certificate's body: area by area, statement by statement. */

import type {
  CheckResult,
  Observation,
  Report,
  StatementResult,
} from '../../conformance/judge/report.ts';
import { isFailure, isGap } from '../../conformance/judge/verdict.ts';
import { type Html, type HtmlValue, html, when } from '../../spec/base/html.ts';
import type { Choice, Contract, Statement } from '../../spec/contract.ts';
import { type Area, areas } from '../areas.ts';
import { groupChecks, triesText } from '../findings.ts';
import { count, cut, place, present, show } from '../text.ts';
import { evidenceLink, statementLink, table, verdictBadge } from './certificate-parts.ts';

export function statementsByArea(
  report: Report,
  { areas: names, statements }: Pick<Contract, 'areas' | 'statements'>,
): Html {
  const found = areas(report.statements, names);
  const silences = Map.groupBy(
    report.observations.filter(({ kind }) => kind === 'silence'),
    ({ statement }) => statement ?? '',
  );
  return html`
<h2 id="statements">Statement by statement</h2>
<nav aria-label="Areas"><ol>${found.map(contents)}</ol></nav>
<fieldset><legend>Show</legend>
  <label><input type="radio" name="show" id="show-all" checked> all</label>
  <label><input type="radio" name="show" id="show-findings"> only what is broken or untried</label>
  <label><input type="radio" name="show" id="show-promises"> promises and standards</label>
  <label><input type="radio" name="show" id="show-silences"> silences</label>
</fieldset>
${found.map(
  (area) => html`
<section class="area" aria-labelledby="area-${area.id}">
<h2 id="area-${area.id}">${area.name}</h2>
${area.statements.map((item) => statement(item, statements.get(item.id), silences.get(item.id) ?? []))}
</section>`,
)}`;
}

function contents({ id, name, statements }: Area<StatementResult>): Html {
  const findings = statements.filter(isFinding).length;
  const promises = statements.filter(
    ({ level, verdict }) =>
      level !== 'silent' && !['unobservable', 'not-applicable', 'not-selected'].includes(verdict),
  );
  const verified = promises.filter(({ verdict }) => verdict === 'verified').length;
  const figures =
    promises.length === 0
      ? statements.every(({ level }) => level === 'silent')
        ? 'silences only'
        : 'not tried'
      : `${verified} of ${promises.length}`;
  return html`<li><a href="#area-${id}">${name}</a> <span class="soft small">${figures}${
    findings > 0 ? `, ${count(findings, 'finding')}` : ''
  }</span></li>`;
}

/** A statement of a level that can fail, whose verdict needs somebody's attention. */
function isFinding(item: StatementResult): boolean {
  return item.level !== 'silent' && (isFailure(item.verdict) || isGap(item));
}

function statement(
  item: StatementResult,
  known: Statement | undefined,
  observations: readonly Observation[],
): Html {
  const { id, level, verdict, text, section, reason, inferred } = item;
  const classes = present(
    'statement',
    level === 'silent' && 'silent',
    isFinding(item) && `finding ${verdict === 'violated' ? 'tone-failed' : 'tone-gaps'}`,
  ).join(' ');
  const open = when(isFailure(verdict), () => html` open`);
  return html`
<details class="${classes}" ${open}>
<summary><span class="id">${id}</span><span class="says">${text}</span>${verdictBadge(verdict)}</summary>
<div class="inside" id="${id}">
<p class="small soft">${level} · ${section}${known?.source === undefined ? '' : ` · source: ${known.source}`}${inferred === undefined ? '' : ` · inferred: ${inferred}`}</p>
${when(reason !== undefined, () => html`<p>${reason}</p>`)}
${when(item.tries !== undefined, () => html`<p class="small soft">${triesText(item)}</p>`)}
${when(level === 'silent', () => silence(item, known, observations))}
${notable(item)}
${asExpected(item)}
</div></details>`;
}

/** What the target does, beside what the mock does and what it can be switched to. */
function silence(
  { id }: StatementResult,
  known: Statement | undefined,
  observations: readonly Observation[],
): Html {
  const assumption = known?.assumption;
  const choices: readonly (readonly [string, Choice])[] = [
    ...(assumption === undefined ? [] : [["the mock's assumption", assumption] as const]),
    ...(known?.alternatives ?? []).map((choice) => ['alternative', choice] as const),
  ];
  const unknown = observations.filter(
    ({ choice }) => !choices.some(([, known]) => known.id === choice),
  );
  if (choices.length === 0 && unknown.length === 0) return html``;
  return html`
<div class="wide"><table><caption>What the target does at ${id}</caption>
<thead><tr><th scope="col">Seen</th><th scope="col">Answer</th><th scope="col">What it is</th><th scope="col">Recorded</th></tr></thead>
<tbody>
${choices.map(([role, choice]) => {
  const seen = observations.filter((item) => item.choice === choice.id);
  return html`<tr${seen.length > 0 ? html` class="seen"` : undefined}><td class="short">${times(seen)}</td><td>${choice.text}<br><code class="soft">${choice.id}</code></td><td>${role}</td><td>${recorded(seen)}</td></tr>`;
})}
${unknown.map((item) => html`<tr class="seen"><td class="short">${times([item])}</td><td>${item.choice ?? 'something else'}</td><td>neither the assumption nor an alternative</td><td>${recorded([item])}</td></tr>`)}
</tbody></table></div>`;
}

function times(observations: readonly Observation[]): string {
  const sum = observations.reduce((total, item) => total + item.count, 0);
  return sum === 0 ? '–' : `● ${sum} ×`;
}

function recorded(observations: readonly Observation[]): readonly Html[] {
  return observations.map(
    (item) =>
      html`<div><code>${show(item.value)}</code> ${item.evidence.slice(0, 1).map(evidenceLink)}</div>`,
  );
}

/** In a loop one fault can fail hundreds of checks; the first ones are enough to see it. */
const checksShown = 20;

/** Checks that need words: all but the verified and the observed ones. */
function notable({ checks }: StatementResult): Html {
  const found = checks.filter((check) => !isAsExpected(check));
  const left = found.length - checksShown;
  return html`${found.slice(0, checksShown).map(checkDetails)}${when(
    left > 0,
    () => html`<p class="soft">and ${count(left, 'more check')} like these in report.json</p>`,
  )}`;
}

function checkDetails(check: CheckResult): Html {
  const { collateral = [] } = check;
  const links = collateral.map((id) => html`${statementLink(id)} `);
  return html`
<div class="check">${verdictBadge(check.verdict)} ${check.scenario}, step <code>${check.step}</code>${check.kind === 'contract' ? ' (answer compared with the contract)' : ''}
<dl>
${entry('Reason', check.reason)}
${entry('Expected', 'expected' in check ? value(check.expected) : undefined)}
${entry('Actual', 'actual' in check ? value(check.actual) : undefined)}
${entry('At', check.pointer === undefined ? undefined : html`<code>${check.pointer}</code>`)}
${entry('Check', html`<code>${place(check.location)}</code>`)}
${entry('Evidence', check.evidence.length > 0 ? evidence(check.evidence) : undefined)}
${entry('Held in', check.held === undefined ? undefined : evidence(check.held))}
${entry('May break', collateral.length > 0 ? html`${links}as well` : undefined)}
</dl></div>`;
}

function entry(name: string, content: HtmlValue): Html | undefined {
  return content === undefined ? undefined : html`<dt>${name}</dt><dd>${content}</dd>`;
}

/** A value as somebody can read it: indented where it has parts, and never endless. */
function value(item: unknown): Html {
  const text = item === undefined ? 'nothing' : (JSON.stringify(item, null, 2) ?? 'nothing');
  return html`<pre>${cut(text, 4000)}</pre>`;
}

/** Checks that are as they should be: one row for each line of a scenario. */
function asExpected({ checks }: StatementResult): Html | undefined {
  const groups = groupChecks(checks.filter(isAsExpected), ({ scenario, kind, verdict, location }) =>
    [scenario, kind, verdict, place(location)].join('\n'),
  );
  const rows = groups.map(({ first, all }) => [
    html`${verdictBadge(first.verdict)}${all.length > 1 ? ` ${all.length} ×` : ''}`,
    html`${first.scenario}, <code>${first.step}</code>${first.kind === 'contract' ? html` <span class="soft">(contract)</span>` : undefined}`,
    html`<code>${place(first.location)}</code>`,
    evidence([...new Set(all.flatMap((check) => check.evidence))]),
  ]);
  const headings = ['Verdict', 'Scenario and step', 'Check', 'Evidence'];
  return when(rows.length > 0, () => html`<div class="quiet">${table(headings, rows)}</div>`);
}

function isAsExpected({ verdict }: CheckResult): boolean {
  return verdict === 'verified' || verdict === 'observed';
}

const evidenceShown = 5;

function evidence(entries: readonly string[]): Html {
  const left = entries.length - evidenceShown;
  return html`${entries.slice(0, evidenceShown).map((entry) => html`${evidenceLink(entry)} `)}${
    left > 0 ? html`<span class="soft">and ${left} more in report.json</span>` : undefined
  }`;
}
