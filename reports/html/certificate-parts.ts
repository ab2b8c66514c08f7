/** Parts that several sections of the certificate show. */

import type { StatementVerdict } from '../../conformance/judge/report.ts';
import { type Html, type HtmlValue, html, when } from '../../spec/base/html.ts';
import { words } from '../text.ts';

export function verdictBadge(verdict: StatementVerdict): Html {
  return html`<span class="verdict v-${verdict}">${words(verdict)}</span>`;
}

/** A link to a statement of the certificate. */
export function statementLink(id: string): Html {
  return html`<a class="id" href="#${id}">${id}</a>`;
}

/** Links only to files next to the report; anything else stays text. */
export function evidenceLink(entry: string): Html {
  const parts = /^(evidence\/[\w-][\w.-]*\.har)(?:#(\d+))?$/.exec(entry);
  if (parts === null) return html`<code>${entry}</code>`;
  const [, file = '', index] = parts;
  const name = file.replace(/^evidence\//, '');
  return html`<a href="${file}">${name}${index === undefined ? '' : `, entry ${Number(index) + 1}`}</a>`;
}

/** A sentence; text between backticks becomes code. */
export function prose(text: string): Html {
  const parts = text.split('`');
  // An odd number of backticks cannot be paired: no part becomes code.
  const pairs = parts.length % 2 === 1;
  return html`${parts.map((part, index) => (index % 2 === 1 && pairs ? html`<code>${part}</code>` : part))}`;
}

type Heading = string | { readonly number: string };

/** A table; a column whose heading is a `number` is set to the right. */
export function table(headings: readonly Heading[], rows: readonly (readonly HtmlValue[])[]): Html {
  const side = headings.map((heading) =>
    when(typeof heading !== 'string', () => html` class="number"`),
  );
  const head = headings.map((heading, index) => {
    const text = typeof heading === 'string' ? heading : heading.number;
    return html`<th scope="col"${side[index]}>${text}</th>`;
  });
  const row = (cells: readonly HtmlValue[]): Html =>
    html`<tr>${cells.map((cell, index) => html`<td${side[index]}>${cell}</td>`)}</tr>`;
  return html`
<div class="wide"><table>
<thead><tr>${head}</tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`;
}
