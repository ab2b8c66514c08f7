/**
 * The contract as an API reference: operations with who may call them, parameters, bodies, answers
 * and examples, and every statement that they rest on. Made here and not by a ready-made viewer,
 * because none of those knows statements, and the page must not ask anything of any other host.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contract, type Operation, type Requires, type Statement } from '../../spec/contract.ts';
import type { HtmlPage } from './console/console-page.ts';
import {
  type ContractDocument,
  contractDocument,
  isNode,
  listOf,
  type Node,
  textOf,
} from './console/contract-document.ts';
import { schemaList, statementLinks } from './console/schema-list.ts';
import { escapeHtml } from './escape-html.ts';

let made: Promise<HtmlPage> | undefined;

/** Made at the first call: the contract does not change while the mock runs. */
export function docsPage(): Promise<HtmlPage> {
  made ??= makePage();
  return made;
}

async function makePage(): Promise<HtmlPage> {
  const document = await contractDocument();
  const style = readFileSync(new URL('./console/docs.css', import.meta.url), 'utf8');
  const operations = [...contract.operations.values()];
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The contract – Lockstep</title><link rel="icon" href="data:,"><style>${style}</style></head><body>
<nav aria-label="Operations"><a href="/__admin/">Console</a>
${tags
  .map(
    (tag) =>
      `<p>${escapeHtml(tag)}</p>${operations
        .filter((operation) => operation.tag === tag)
        .map(({ id }) => `<a href="#${id}">${id}</a>`)
        .join('')}`,
  )
  .join('\n')}
<p>All</p><a href="#statements">Statements</a></nav>
<main><h1>The contract</h1>${introduction()}${overview(operations)}
${operations.map((operation) => operationSection(operation, document)).join('\n')}
${statementSection()}</main></body></html>`;
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  };
}

function introduction(): string {
  const counts = new Map<string, number>();
  for (const { level } of contract.statements.values()) {
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return `<p>Version ${escapeHtml(contract.version)}, ${contract.operations.size} operations. What they rest on is numbered:
${counts.get('documented')} statements are ${badge('documented')}, a promise of the service's description;
${counts.get('standard')} are ${badge('standard')}, a promise of a standard that it names or uses;
${counts.get('silent')} are ${badge('silent')}: the description leaves them open, the mock answers as assumed and can be switched to another answer.</p>`;
}

function overview(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { promised, assumed } = countsOf(operation);
    return `<tr><td><a href="#${operation.id}">${operation.id}</a><td><code class="path">${operation.method} ${breakable(operation.path)}</code><td>${promised}<td>${assumed}`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="Operations"><table><thead><tr><th>Operation<th>Path<th>Promised<th>Assumed</thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A path that breaks before its slashes, and not within a word. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll(/(?<=.)\//g, '<wbr>/');
}

/** How many statements of an operation are promises, and how many silences. */
export function countsOf(operation: Operation): {
  readonly promised: number;
  readonly assumed: number;
} {
  const own = [...contract.statements.values()].filter((statement) =>
    statement.operations.includes(operation.id),
  );
  const assumed = own.filter((statement) => statement.level === 'silent').length;
  return { promised: own.length - assumed, assumed };
}

function badge(level: string): string {
  return `<span class="badge ${level}">${level}</span>`;
}

/** Statements that most operations share are linked, not repeated. */
const SHARED = 4;

function operationSection(operation: Operation, document: ContractDocument): string {
  const { id, method, path, summary, requires, effect } = operation;
  const node = document.operation(id);
  const related = [...contract.statements.values()].filter(({ operations }) =>
    operations.includes(id),
  );
  const own = related.filter(({ operations }) => operations.length < SHARED);
  const shared = related.filter(({ operations }) => operations.length >= SHARED);
  const described = textOf(node.description);
  return `<article aria-labelledby="${id}"><h2 id="${id}">${id}</h2>
<p class="line"><span class="method">${method}</span> <code class="path">${breakable(path)}</code></p>
<p>${escapeHtml(summary)}. ${escapeHtml(described)}</p>
<p>${whoMayCall(requires)} <span class="muted">What an accepted call does to a tenant: ${EFFECTS[effect]}.</span></p>
${parameterTable(node, document)}${requestBody(node, document)}${answers(node, document)}
<h3>Statements</h3><ul class="statements">${own.map((statement) => statementItem(statement, false)).join('')}</ul>
<details><summary>${shared.length} more that it shares with other operations</summary><p>${statementLinks(shared.map((statement) => statement.id))}</p></details></article>`;
}

const EFFECTS = {
  none: 'none, it reads',
  reversible: 'it can be taken back',
  disruptive: 'it disturbs a running deployment',
  permanent: 'it cannot be taken back',
} as const;

const KINDS = {
  apiKey: 'an API key',
  oauth: 'an OAuth access token',
  embed: 'an embed JWT',
  scim: 'a SCIM token',
} as const;

/** `x-requires` in words. */
function whoMayCall({
  schemes,
  credentials,
  role,
  permission,
  feature,
  edit,
  deployment,
}: Requires): string {
  const conditions = [
    role === undefined ? '' : `the role ${role}`,
    permission === undefined ? '' : `the permission ${permission}`,
    edit === undefined ? '' : `edit access to the folder <code>${escapeHtml(edit)}</code>`,
    feature === undefined ? '' : `a plan with ${feature}`,
    deployment === undefined
      ? ''
      : `a key that is not scoped to a deployment other than <code>${escapeHtml(deployment)}</code>`,
  ].filter((text) => text !== '');
  const needs = conditions.length === 0 ? '' : ` It needs ${conditions.join(', ')}.`;
  return `Called with ${credentials.map((kind) => KINDS[kind]).join(' or ')}, as <code>Authorization: ${schemes.join(' | ')} …</code>.${needs}`;
}

function parameterTable(node: Node, { follow }: ContractDocument): string {
  const rows = listOf(node.parameters).map((item) => {
    const parameter = follow(item);
    const example =
      parameter.example === undefined
        ? ''
        : ` <span class="muted">such as <code>${escapeHtml(String(parameter.example))}</code></span>`;
    return `<tr><td><code>${escapeHtml(textOf(parameter.name))}</code><td>${escapeHtml(textOf(parameter.in))}${parameter.required === true ? ', <b>required</b>' : ''}<td>${schemaList(parameter.schema, follow)}<td>${escapeHtml(textOf(parameter.description))}${example}${statementLinks(parameter['x-statements'])}`;
  });
  return rows.length === 0
    ? ''
    : `<h3>Parameters</h3><div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th>Name<th>In<th>Value<th>Meaning</thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function requestBody(node: Node, document: ContractDocument): string {
  if (node.requestBody === undefined) return '';
  const body = document.follow(node.requestBody);
  const need = body.required === true ? 'required' : 'may be absent';
  return `<h3>Body <span class="muted">${need}</span></h3>${contents(body, document)}`;
}

function answers(node: Node, document: ContractDocument): string {
  const parts = Object.entries(isNode(node.responses) ? node.responses : {}).map(
    ([status, item]) => {
      const response = document.follow(item);
      const headers = Object.entries(isNode(response.headers) ? response.headers : {}).map(
        ([name, header]) => {
          const { description, ...rest } = document.follow(header);
          return `<li><code>${escapeHtml(name)}</code> ${escapeHtml(textOf(description))}${statementLinks(rest['x-statements'])}</li>`;
        },
      );
      const listed =
        headers.length === 0
          ? ''
          : `<p class="line">Headers</p><ul class="schema">${headers.join('')}</ul>`;
      return `<details${status.startsWith('2') ? ' open' : ''}><summary><b>${escapeHtml(status)}</b> ${escapeHtml(textOf(response.description))}${statementLinks(response['x-statements'])}</summary>${listed}${contents(response, document)}</details>`;
    },
  );
  return `<h3>Answers</h3>${parts.join('')}`;
}

/** The media types of a body: its schema, and examples. */
function contents(body: Node, { follow }: ContractDocument): string {
  return Object.entries(isNode(body.content) ? body.content : {})
    .map(([type, item]) => {
      const media = follow(item);
      const examples = Object.values(isNode(media.examples) ? media.examples : {}).map(
        (example) => {
          const { summary, value } = follow(example);
          const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
          return `<details><summary>Example: ${escapeHtml(textOf(summary))}</summary><pre tabindex="0">${escapeHtml(text)}</pre></details>`;
        },
      );
      return `<p class="line"><code>${escapeHtml(type)}</code></p>${schemaList(media.schema, follow)}${examples.join('')}`;
    })
    .join('');
}

/** All statements by the section of the description that they come from; links lead here. */
function statementSection(): string {
  const all = [...contract.statements.values()];
  const sections = [...new Set(all.map(({ section }) => section))];
  return `<h2 id="statements">Statements</h2>${sections
    .map(
      (section) =>
        `<article><h3>${escapeHtml(section)}</h3><ul class="statements">${all
          .filter((statement) => statement.section === section)
          .map((statement) => statementItem(statement, true))
          .join('')}</ul></article>`,
    )
    .join('\n')}`;
}

function statementItem(statement: Statement, anchored: boolean): string {
  const { id, level, text, assumption, alternatives = [], source, unobservable } = statement;
  const name = anchored ? `<b>${id}</b>` : `<a href="#${id}"><b>${id}</b></a>`;
  const assumed =
    assumption === undefined
      ? ''
      : `<br>Assumed: <code>${escapeHtml(assumption.id)}</code> ${escapeHtml(assumption.text)}.`;
  const others = alternatives
    .map(
      ({ id: choice, text: meaning }) =>
        `<br>Or: <code>${escapeHtml(choice)}</code> ${escapeHtml(meaning)}.`,
    )
    .join('');
  const from =
    source === undefined ? '' : `<br><span class="muted">Source: ${escapeHtml(source)}.</span>`;
  const hidden =
    unobservable === undefined
      ? ''
      : `<br><span class="muted">No call can show it: ${escapeHtml(unobservable)}.</span>`;
  return `<li${anchored ? ` id="${id}"` : ''}>${name} ${badge(level)} ${escapeHtml(text)}${assumed}${others}${from}${hidden}</li>`;
}
