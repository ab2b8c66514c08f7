/** One request of the journal: its answer, the grading, and why it was refused. */
import { html } from './html.js';
import { badge, bullets, count, json, operationLink, pairs, statementItem } from './parts.js';

/** An answer that was cut is no good one, whatever its status. */
export function statusChip({ status, fault }) {
  const cut = status === 0 || fault?.cut !== undefined;
  const kind = cut ? 'none' : `s${String(status)[0]}`;
  const text = status === 0 ? 'lost' : cut ? `${status} cut` : status;
  return html`<span class="status ${kind}">${text}</span>`;
}

export function entryDetail(entry, statements, world, close) {
  const { id, at, method, path, operation, credential, refusal, fault } = entry;
  const { passedOver, contractFailures } = entry;
  const item = (statement) => statementItem(statements.get(statement), statement, world);
  return html`
    <header>
      <h2 tabindex="-1">${method} ${path}</h2>
      <button
        type="button" class="quiet" aria-label="Close the request (Escape)" @click=${close}
      >Close</button>
    </header>
    <p class="line">
      ${statusChip(entry)}
      ${badge(entry.basis)}
      <span>request ${id}, <time datetime=${at}>${at}</time></span>
    </p>
    <p>
      ${operation === null ? 'Matched no operation' : operationLink(operation)}
      , as ${credential ?? 'nobody'}
    </p>
    ${refusal !== null && explanation(refusal, statements.has(refusal.statement) && item)}
    ${fault !== null && html`<div class="why"><h3>A fault struck it</h3><p>${fault.text}</p></div>`}
    ${passedOver.length > 0 && html`<h3>Ignored</h3>${bullets(passedOver)}`}
    ${contractFailures.length > 0 && failures(contractFailures)}
    <h3>Grading</h3>
    ${grading(entry, item)}
    ${exchange('Request', entry.query, entry.headers, entry.requestBody)}
    ${exchange(answerTitle(entry), '', entry.responseHeaders, entry.responseBody)}
    ${unknownParts(entry)}`;
}

/** What stands over an answer: what the service made is shown even where the client never saw it. */
function answerTitle({ status, fault }) {
  if (status === 0) return fault?.served == null ? 'No answer' : 'Answer, lost on the way';
  return fault?.cut === undefined ? 'Answer' : 'Answer, cut in the middle';
}

function failures(contractFailures) {
  const lines = contractFailures.map((failure) =>
    typeof failure === 'string' ? failure : JSON.stringify(failure),
  );
  return html`<div class="problem"><b>The answer breaks the contract</b>${bullets(lines)}</div>`;
}

function grading({ basis, assumed }, item) {
  if (assumed.length > 0) {
    return html`<p>The description leaves open:</p><ul class="plain">${assumed.map(item)}</ul>`;
  }
  return basis === null
    ? html`<p>This is no whole answer of the service, so it is not graded.</p>`
    : html`<p>This answer rests on no silence of the description.</p>`;
}

const KNOWN = new Set(
  `id at method path query headers operation credential requestBody status responseHeaders
  responseBody basis assumed refusal fault passedOver page contractFailures`.split(/\s+/),
);

/** What a later control API says beyond what this page knows, as it is. */
function unknownParts(entry) {
  return Object.entries(entry)
    .filter(([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => html`<h3>${name}</h3>${json(value, name)}`);
}

/** Why it was refused, where in the request and the contract, and what would have been accepted. */
function explanation(refusal, statementItemOf) {
  const { message, statement, contract, lack, nearest } = refusal;
  return html`
    <div class="why">
      <h3>Why it was refused</h3>
      <p>${message}</p>
      ${places(refusal)}
      ${lack && lacking(lack)}
      ${nearest && likely(nearest)}
      ${statementItemOf && html`<ul class="plain">${statementItemOf(statement)}</ul>`}
      ${contract !== null && html`<p class="muted">in <code>${contract}</code></p>`}
    </div>`;
}

function places({ at, problems = [] }) {
  const place = (pointer) => html`<code>${pointer === '' ? 'the whole body' : pointer}</code>`;
  if (problems.length > 1) {
    return bullets(problems.map((problem) => [place(problem.at), `: ${problem.message}`]));
  }
  return at !== undefined && html`<p>at ${place(at)}</p>`;
}

function lacking({ needs, has, credentials }) {
  const names = credentials.map((name, index) => [index > 0 && ', ', html`<code>${name}</code>`]);
  return html`
    <p>It needs ${needs}. It was sent ${has}.</p>
    <p>
      ${names.length > 0 ? ['Accepted: ', names] : 'This world has no credential that is accepted.'}
    </p>`;
}

/** The operation that a request which matched none most likely meant. */
function likely({ operation, method, path, misses }) {
  return html`
    <p>Nearest is ${operationLink(operation)}, <code>${method} ${path}</code>, but:</p>
    ${bullets(misses.map(({ what, message }) => `${what}: ${message}`))}`;
}

function exchange(title, query, headers, body) {
  const rows = Object.entries(headers);
  return html`
    <h3>${title}</h3>
    ${query !== '' && html`<p><code>?${query}</code></p>`}
    ${
      body === null || body === undefined
        ? html`<p class="muted">No body, or one that was streamed.</p>`
        : json(body, `Body of the ${title.toLowerCase()}`)
    }
    <details>
      <summary>${count(rows.length, 'header')}</summary>
      ${pairs(rows)}
    </details>`;
}
