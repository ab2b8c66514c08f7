/**
 * The contract as an API reference: operations with who may call them, parameters, bodies, answers
 * and examples, and every statement that they rest on. Made here and not by a ready-made viewer,
 * because none of those knows statements, and the page must not ask anything of any other host.
 */
import { readFileSync } from 'node:fs';
import { type Html, html, when } from '../../../spec/base/html.ts';
import { type HtmlPage, htmlPage } from '../../../spec/base/html-page.ts';
import type { JsonObject } from '../../../spec/base/json.ts';
import {
  choicesOf,
  contract,
  kindsInWords,
  type Operation,
  type Requires,
  type Statement,
} from '../../../spec/contract.ts';
import { asText, entriesOf, follow, listOf, operationNode } from './contract-document.ts';
import { joined, schemaList, statementLinks } from './schema-list.ts';

const operations = [...contract.operations.values()];
const statements = [...contract.statements.values()];

/** Statements that most operations share are linked, not repeated. */
const SHARED = 4;

const EFFECTS = {
  none: 'none, it reads',
  reversible: 'it can be taken back',
  disruptive: 'it disturbs a running deployment',
  permanent: 'it cannot be taken back',
} as const;

/** The page: the contract does not change while the mock runs. */
export const docsPage = makePage();

function makePage(): HtmlPage {
  const style = ['../console/theme.css', './docs.css']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('');
  const script = readFileSync(new URL('./search.js', import.meta.url), 'utf8');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The contract – Lockstep</title><link rel="icon" href="data:,"><style>${{ html: style }}</style></head><body>
<nav aria-label="Operations"><a href="/__admin/">Console</a>
<input type="search" id="find" aria-label="Find" placeholder="Find an operation or a statement">
${[...Map.groupBy(operations, ({ tag }) => tag)].map(
  ([tag, members]) =>
    html`<p>${tag}</p>${members.map(({ id }) => html`<a href="#${id}">${id}</a>`)}`,
)}
<p>All</p><a href="#statements">Statements</a></nav>
<main><h1>The contract</h1>${introduction()}${overview()}
${operations.map((operation) => operationSection(operation))}
${statementSection()}</main>${{ html: `<script>${script}</script>` }}</body></html>`;
  return htmlPage(page.html, style, script);
}

function introduction(): Html {
  const number = (level: Statement['level']): number =>
    statements.filter((statement) => statement.level === level).length;
  return html`<p>Version ${contract.version}, ${operations.length} operations. What they rest on is numbered:
${number('documented')} statements are ${badge('documented')}, a promise of the service's description;
${number('standard')} are ${badge('standard')}, a promise of a standard that it names or uses;
${number('silent')} are ${badge('silent')}: the description leaves them open, the mock answers as assumed and can be switched to another answer.</p>`;
}

function overview(): Html {
  const rows = operations.map((operation) => {
    const { promised, assumed } = countsOf(operation);
    return html`<tr><td><a href="#${operation.id}">${operation.id}</a><td><code class="path">${operation.method} ${breakable(operation.path)}</code><td>${promised}<td>${assumed}`;
  });
  return table('Operations', ['Operation', 'Path', 'Promised', 'Assumed'], rows);
}

function table(name: string, headings: readonly string[], rows: readonly Html[]): Html {
  const head = headings.map((heading) => html`<th>${heading}`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${head}</thead><tbody>${rows}</tbody></table></div>`;
}

/** A path that breaks before its slashes, and not within a word. */
function breakable(path: string): Html {
  const [first, ...parts] = path.split(/(?<=.)\//);
  return html`${first}${parts.map((part) => html`<wbr>/${part}`)}`;
}

/** How many statements of an operation are promises, and how many silences. */
export function countsOf(operation: Operation) {
  const own = statements.filter((statement) => statement.operations.includes(operation.id));
  const assumed = own.filter((statement) => statement.level === 'silent').length;
  return { promised: own.length - assumed, assumed };
}

function badge(level: string): Html {
  return html`<span class="badge ${level}">${level}</span>`;
}

function operationSection(operation: Operation): Html {
  const { id, method, path, summary, requires, effect } = operation;
  const node = operationNode(id);
  const related = statements.filter((statement) => statement.operations.includes(id));
  const own = related.filter((statement) => statement.operations.length < SHARED);
  const shared = related.filter((statement) => statement.operations.length >= SHARED);
  return html`<article aria-labelledby="${id}"><h2 id="${id}">${id}</h2>
<p class="line"><span class="method">${method}</span> <code class="path">${breakable(path)}</code> <a href="/__admin/#//try?operation=${id}">Try it</a></p>
<p>${summary}. ${asText(node.description)}</p>
<p>${whoMayCall(requires)} <span class="muted">What an accepted call does to a tenant: ${EFFECTS[effect]}.</span></p>
${parameterTable(node)}${requestBody(node)}${answers(node)}
<h3>Statements</h3><ul class="statements">${own.map((statement) => statementItem(statement, false))}</ul>
<details><summary>${shared.length} more that it shares with other operations</summary><p>${statementLinks(shared.map((statement) => statement.id))}</p></details></article>`;
}

/** `x-requires` in words. */
function whoMayCall(requires: Requires): Html {
  const { schemes, credentials, role, permission, feature, edit, deployment } = requires;
  const conditions = [
    when(role !== undefined, () => html`the role ${role}`),
    when(permission !== undefined, () => html`the permission ${permission}`),
    when(edit !== undefined, () => html`edit access to the folder <code>${edit}</code>`),
    when(feature !== undefined, () => html`a plan with ${feature}`),
    when(
      deployment !== undefined,
      () => html`a key that is not scoped to a deployment other than <code>${deployment}</code>`,
    ),
  ].filter((condition) => condition !== undefined);
  const kinds = credentials.map((kind) => kindsInWords[kind]).join(' or ');
  return html`Called with ${kinds}, as <code>Authorization: ${schemes.join(' | ')} …</code>.${when(conditions.length > 0, () => html` It needs ${joined(conditions, ', ')}.`)}`;
}

function parameterTable(node: JsonObject): Html | undefined {
  const rows = listOf(node.parameters).map((item) => {
    const { name, required, schema, description, example, ...rest } = follow(item);
    const such = html` <span class="muted">such as <code>${String(example)}</code></span>`;
    return html`<tr><td><code>${asText(name)}</code><td>${asText(rest.in)}${when(required === true, () => html`, <b>required</b>`)}<td>${schemaList(schema)}<td>${asText(description)}${when(example !== undefined, () => such)}${statementLinks(rest['x-statements'])}`;
  });
  const headings = ['Name', 'In', 'Value', 'Meaning'];
  return when(
    rows.length > 0,
    () => html`<h3>Parameters</h3>${table('Parameters', headings, rows)}`,
  );
}

function requestBody(node: JsonObject): Html | undefined {
  if (node.requestBody === undefined) return undefined;
  const body = follow(node.requestBody);
  const need = body.required === true ? 'required' : 'may be absent';
  return html`<h3>Body <span class="muted">${need}</span></h3>${contents(body)}`;
}

function answers(node: JsonObject): Html {
  const parts = entriesOf(node.responses).map(([status, item]) => {
    const response = follow(item);
    const headers = entriesOf(response.headers).map(([name, item]) => {
      const header = follow(item);
      return html`<li><code>${name}</code> ${asText(header.description)}${statementLinks(header['x-statements'])}</li>`;
    });
    const listed = html`<p class="line">Headers</p><ul class="schema">${headers}</ul>`;
    return html`<details${when(status.startsWith('2'), () => html` open`)}><summary><b>${status}</b> ${asText(response.description)}${statementLinks(response['x-statements'])}</summary>${when(headers.length > 0, () => listed)}${contents(response)}</details>`;
  });
  return html`<h3>Answers</h3>${parts}`;
}

/** The media types of a body: its schema, and examples. */
function contents(body: JsonObject): readonly Html[] {
  return entriesOf(body.content).map(([type, item]) => {
    const media = follow(item);
    const examples = entriesOf(media.examples).map(([, example]) => {
      const { summary, value } = follow(example);
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return html`<details><summary>Example: ${asText(summary)}</summary><pre tabindex="0">${text}</pre></details>`;
    });
    return html`<p class="line"><code>${type}</code></p>${schemaList(media.schema)}${examples}`;
  });
}

/** All statements by the section of the description that they come from; links lead here. */
function statementSection(): Html {
  const sections = [...Map.groupBy(statements, ({ section }) => section)];
  return html`<h2 id="statements">Statements</h2>${sections.map(
    ([section, members]) =>
      html`<article><h3>${section}</h3><ul class="statements">${members.map((statement) => statementItem(statement, true))}</ul></article>`,
  )}`;
}

function statementItem(statement: Statement, anchored: boolean): Html {
  const { id, level, text, source, unobservable } = statement;
  const choices = choicesOf(statement).map(
    (choice, index) =>
      html`<br>${index === 0 ? 'Assumed' : 'Or'}: <code>${choice.id}</code> ${choice.text}.`,
  );
  const from = html`<br><span class="muted">Source: ${source}.</span>`;
  const hidden = html`<br><span class="muted">No call can show it: ${unobservable}.</span>`;
  const rest = html`${choices}${when(source !== undefined, () => from)}${when(unobservable !== undefined, () => hidden)}`;
  return anchored
    ? html`<li id="${id}"><b>${id}</b> ${badge(level)} ${text}${rest}</li>`
    : html`<li><a href="#${id}"><b>${id}</b></a> ${badge(level)} ${text}${rest}</li>`;
}
