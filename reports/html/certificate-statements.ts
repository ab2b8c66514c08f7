/** The certificate's body: area by area, statement by statement. */

import type {
  CheckResult,
  Observation,
  Report,
  StatementResult,
} from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import type { Choice, Statement } from '../../spec/contract.ts';
import { type Area, areas } from '../areas.ts';
import { verdictWords } from '../outcome.ts';
import { count, cut, place, show } from '../text.ts';

/** The contract's statements by id; they tell what the mock assumes at a silence. */
export type Statements = ReadonlyMap<string, Statement>;

export function statementsByArea(report: Report, statements: Statements): Html {
  const found = areas(report.statements);
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
function isFinding({ level, verdict }: StatementResult): boolean {
  return (
    level !== 'silent' &&
    (verdict === 'violated' || verdict === 'deviates' || verdict === 'not-testable')
  );
}

function statement(
  item: StatementResult,
  known: Statement | undefined,
  observations: readonly Observation[],
): Html {
  const classes = [
    'statement',
    ...(item.level === 'silent' ? ['silent'] : []),
    ...(isFinding(item)
      ? ['finding', item.verdict === 'violated' ? 'tone-failed' : 'tone-gaps']
      : []),
  ].join(' ');
  const open = item.verdict === 'violated' || item.verdict === 'deviates';
  return html`
<details class="${classes}" ${open ? html` open` : undefined}>
<summary><span class="id">${item.id}</span><span class="says">${item.text}</span><span class="verdict v-${item.verdict}">${verdictWords[item.verdict]}</span></summary>
<div class="inside" id="${item.id}">
<p class="small soft">${item.level} · ${item.section}${known?.source === undefined ? '' : ` · source: ${known.source}`}</p>
${when(item.reason !== undefined, () => html`<p>${item.reason}</p>`)}
${when(item.level === 'silent', () => silence(item, known, observations))}
${told(item)}
${quiet(item)}
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
const toldShown = 20;

/** Checks that need words: all but the verified and the observed ones. */
function told({ checks }: StatementResult): Html {
  const found = checks.filter(({ verdict }) => verdict !== 'verified' && verdict !== 'observed');
  const left = found.length - toldShown;
  return html`${found.slice(0, toldShown).map(toldCheck)}${when(
    left > 0,
    () => html`<p class="soft">and ${count(left, 'more check')} like these in report.json</p>`,
  )}`;
}

function toldCheck(check: CheckResult): Html {
  return html`
<div class="check"><span class="verdict v-${check.verdict}">${verdictWords[check.verdict]}</span> ${check.scenario}, step <code>${check.step}</code>${check.kind === 'contract' ? ' (answer compared with the contract)' : ''}
<dl>
${pair('Reason', check.reason)}
${when('expected' in check, () => html`<dt>Expected</dt><dd>${value(check.expected)}</dd>`)}
${when('actual' in check, () => html`<dt>Actual</dt><dd>${value(check.actual)}</dd>`)}
${when(check.pointer !== undefined, () => html`<dt>At</dt><dd><code>${check.pointer}</code></dd>`)}
<dt>Check</dt><dd><code>${place(check.location)}</code></dd>
${when(check.evidence.length > 0, () => html`<dt>Evidence</dt><dd>${evidence(check)}</dd>`)}
${when((check.collateral?.length ?? 0) > 0, () => html`<dt>May break</dt><dd>${(check.collateral ?? []).map((id) => html`<a class="id" href="#${id}">${id}</a> `)}as well</dd>`)}
</dl></div>`;
}

function pair(name: string, text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<dt>${name}</dt><dd>${text}</dd>`;
}

/** A value as somebody can read it: indented where it has parts, and never endless. */
function value(item: unknown): Html {
  const text = item === undefined ? 'nothing' : (JSON.stringify(item, null, 2) ?? 'nothing');
  return html`<pre>${cut(text, 4000)}</pre>`;
}

interface Row {
  readonly check: CheckResult;
  readonly evidence: readonly string[];
  readonly number: number;
}

/** Checks that are as they should be: one row for each line of a scenario. */
function quiet({ checks }: StatementResult): Html | undefined {
  const calm = checks.filter(({ verdict }) => verdict === 'verified' || verdict === 'observed');
  const byLine = Map.groupBy(
    calm,
    ({ scenario, kind, verdict, location }) =>
      `${scenario}\n${kind}\n${verdict}\n${location.file}:${location.line}:${location.column}`,
  );
  const rows = [...byLine.values()].flatMap((members): readonly Row[] => {
    const [check] = members;
    if (check === undefined) return [];
    const evidence = [...new Set(members.flatMap((member) => member.evidence))];
    return [{ check, evidence, number: members.length }];
  });
  return when(
    rows.length > 0,
    () => html`
<div class="wide quiet"><table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Scenario and step</th><th scope="col">Check</th><th scope="col">Evidence</th></tr></thead>
<tbody>${rows.map(
      ({ check, evidence: found, number }) =>
        html`<tr><td><span class="verdict v-${check.verdict}">${verdictWords[check.verdict]}</span>${number > 1 ? ` ${number} ×` : ''}</td><td>${check.scenario}, <code>${check.step}</code>${check.kind === 'contract' ? html` <span class="soft">(contract)</span>` : undefined}</td><td><code>${place(check.location)}</code></td><td>${evidence({ evidence: found })}</td></tr>`,
    )}</tbody></table></div>`,
  );
}

const evidenceShown = 5;

function evidence({ evidence: entries }: Pick<CheckResult, 'evidence'>): Html {
  const left = entries.length - evidenceShown;
  return html`${entries.slice(0, evidenceShown).map((entry) => html`${evidenceLink(entry)} `)}${
    left > 0 ? html`<span class="soft">and ${left} more in report.json</span>` : undefined
  }`;
}

/** Links only to files beside the report; anything else stays text. */
export function evidenceLink(entry: string): Html {
  const parts = /^(evidence\/[\w-][\w.-]*\.har)(?:#(\d+))?$/.exec(entry);
  if (parts === null) return html`<code>${entry}</code>`;
  const [, file = '', index] = parts;
  const name = file.replace(/^evidence\//, '');
  return html`<a href="${entry}">${name}${index === undefined ? '' : ` entry ${index}`}</a>`;
}
