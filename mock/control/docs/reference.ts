/** Parts that the pages of two APIs share: tables, and the parts of a call. */
import { type Html, html, when } from '../../../spec/base/html.ts';
import type { JsonObject } from '../../../spec/base/json.ts';
import { asText, entriesOf, listOf, nodeOf } from './openapi-nodes.ts';
import { schemaList, statementLinks } from './schema-list.ts';

export function table(name: string, headings: readonly string[], rows: readonly Html[]): Html {
  const head = headings.map((heading) => html`<th>${heading}`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${head}</thead><tbody>${rows}</tbody></table></div>`;
}

/** A text with code between backticks. */
export function prose(text: unknown): Html {
  const parts = asText(text).split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A path that breaks before its slashes, and not within a word. */
export function breakable(path: string): Html {
  const [first, ...parts] = path.split(/(?<=.)\//);
  return html`${first}${parts.map((part) => html`<wbr>/${part}`)}`;
}

/** A call's parameters, its body and its answers; not the callers who may make it. */
export function callParts(node: JsonObject): Html {
  return html`${parameterTable(node)}${requestBody(node)}${answers(node)}`;
}

function parameterTable(node: JsonObject): Html | undefined {
  const rows = listOf(node.parameters).map((item) => {
    const { name, required, schema, description, example, ...rest } = nodeOf(item);
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
  const body = nodeOf(node.requestBody);
  const need = body.required === true ? 'required' : 'may be absent';
  return html`<h3>Body <span class="muted">${need}</span></h3>${contents(body)}`;
}

function answers(node: JsonObject): Html {
  const parts = entriesOf(node.responses).map(([status, item]) => {
    const response = nodeOf(item);
    const headers = entriesOf(response.headers).map(([name, item]) => {
      const header = nodeOf(item);
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
    const media = nodeOf(item);
    const examples = entriesOf(media.examples).map(([, example]) => {
      const { summary, value } = nodeOf(example);
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return html`<details><summary>Example: ${asText(summary)}</summary><pre tabindex="0">${text}</pre></details>`;
    });
    return html`<p class="line"><code>${type}</code></p>${schemaList(media.schema)}${examples}`;
  });
}
