/**
 * The contract, and then the control API, as an API reference: operations with who may call them, parameters,
 * bodies, answers and examples, and every statement that they rest on. No ready-made viewer makes the page,
 * because none knows statements, and the page must not load anything from another host.
 */
import { readFileSync } from 'node:fs';
import { type Html, html, when } from '../../../spec/base/html.ts';
import { type HtmlPage, htmlPage } from '../../../spec/base/html-page.ts';
import {
  choicesOf,
  contract,
  contractFile,
  kindsInWords,
  type Operation,
  type Requires,
  type Statement,
} from '../../../spec/contract.ts';
import { controlSection, type EventFields } from './control-section.ts';
import { asText, readDocument } from './openapi-nodes.ts';
import { breakable, callParts, table } from './reference.ts';
import { joined, statementLinks } from './schema-list.ts';

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

const nodes = new Map(readDocument(contractFile).calls.map(({ node }) => [node.operationId, node]));

let made: HtmlPage | undefined;

/** The page: neither API changes while the mock runs. */
export function docsPage(events: EventFields): HtmlPage {
  made ??= makePage(events);
  return made;
}

function makePage(events: EventFields): HtmlPage {
  const style = ['../console/theme.css', './docs.css']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('');
  const script = readFileSync(new URL('./search.js', import.meta.url), 'utf8');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The contract and the control API – Lockstep</title><link rel="icon" href="data:,"><style>${{ html: style }}</style></head><body>
<nav aria-label="Operations"><a href="/__admin/">Console</a>
<input type="search" id="find" aria-label="Find" placeholder="Find a call or a statement">
${[...Map.groupBy(operations, ({ tag }) => tag)].map(
  ([tag, members]) =>
    html`<p>${tag}</p>${members.map(({ id }) => html`<a href="#${id}">${id}</a>`)}`,
)}
<p>All</p><a href="#statements">Statements</a>
<p>Of the mock itself</p><a href="#control-api">Control API</a><a href="#faults">Fields of a fault</a><a href="#events">Types of event</a></nav>
<main><h1>The contract</h1>${introduction()}${overview()}
${operations.map((operation) => operationSection(operation))}
${statementSection()}
${controlSection(events)}</main>${{ html: `<script>${script}</script>` }}</body></html>`;
  return htmlPage(page.html, style, script);
}

function introduction(): Html {
  const number = (level: Statement['level']): number =>
    statements.filter((statement) => statement.level === level).length;
  return html`<p>Version ${contract.version}, ${operations.length} operations. The statements that they rest on are numbered:
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
  const node = nodes.get(id) ?? {};
  const related = statements.filter((statement) => statement.operations.includes(id));
  const own = related.filter((statement) => statement.operations.length < SHARED);
  const shared = related.filter((statement) => statement.operations.length >= SHARED);
  return html`<article aria-labelledby="${id}"><h2 id="${id}">${id}</h2>
<p class="line"><span class="method">${method}</span> <code class="path">${breakable(path)}</code> <a href="/__admin/#//try?operation=${id}">Try it</a></p>
<p>${summary}. ${asText(node.description)}</p>
<p>${whoMayCall(requires)} <span class="muted">What an accepted call does to a tenant: ${EFFECTS[effect]}.</span></p>
${callParts(node)}
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
