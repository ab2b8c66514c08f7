/** One request of the journal: its answer, the grading, and why it was refused. */
import { html } from './html.js';
import {
  badge,
  breakable,
  bullets,
  count,
  json,
  operationLink,
  pairs,
  statementItem,
} from './parts.js';
import { difference } from './state.js';
/** @import { Context, Entry } from './types.d.ts' */

/** An answer that was cut is shown as bad, whatever its status. @param {Pick<Entry, 'status' | 'fault'>} entry */
export function statusChip({ status, fault }) {
  const cut = status === 0 || fault?.cut !== undefined;
  const kind = cut ? 'none' : `s${String(status)[0]}`;
  const text = status === 0 ? 'lost' : cut ? `${status} cut` : status;
  return html`<span class="status ${kind}">${text}</span>`;
}

/** @param {Entry} entry @param {Context<unknown, any>} context @param {() => void} close */
export function entryDetail(entry, context, close) {
  const { statements, world, credentials, act } = context;
  const { id, at, method, path, operation, credential, refusal, fault } = entry;
  const { passedOver, contractFailures, changes, basis, assumed } = entry;
  const curl = curlOf(entry, credentials[credential ?? ''], world);
  const copy = () => act(() => navigator.clipboard.writeText(curl), 'Copied');
  const { watched, watched: { notJudged = [] } = {} } = entry;
  const broken = contractFailures.map((text) => {
    const statement = statements.get(text.split(' ')[0] ?? '');
    return statement === undefined ? text : `${text}: ${statement.text}`;
  });
  const changed = changes.map(({ table, key, ...change }) => difference(table, key, change));
  return html`
    <header>
      <h2 tabindex="-1">${method} ${breakable(path)}</h2>
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
    <div class="actions">
      <button type="button" @click=${copy}>Copy as curl</button>
      ${operation !== null && !watched && html`<a class="button" href="#/${world}/faults?operation=${operation}">Inject a fault for this</a>`}
    </div>
    ${refusal !== null && explanation(entry, context)}
    ${fault !== null && html`<div class="why"><h3>A fault struck it</h3><p>${fault.text}</p></div>`}
    ${passedOver.length > 0 && html`<h3>Ignored</h3>${bullets(passedOver)}`}
    ${notJudged.length > 0 && html`<h3>Not judged</h3>${bullets(notJudged)}`}
    ${contractFailures.length > 0 && html`<div class="problem"><b>The answer breaks the contract</b>${bullets(broken)}</div>`}
    ${changed.length > 0 && html`<h3>Changes of this request</h3><ul class="plain changes">${changed}</ul>`}
    <h3>Grading</h3>
    ${grading(basis, assumed, { statements, world: watched ? undefined : world })}
    ${exchange('Request', entry.query, entry.headers, entry.requestBody)}
    ${exchange(answerTitle(entry), '', entry.responseHeaders, entry.responseBody)}`;
}

/** The same request for a terminal. @param {Entry} entry @param {string | undefined} key @param {string} world */
function curlOf({ method, path, query, headers, requestBody: body, watched }, key, world) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const sent = {
    Authorization: key && `Bearer ${key}`,
    'Content-Type': headers['content-type'],
  };
  const lines = Object.entries(sent).map(
    ([name, value]) => value && `-H ${quote(`${name}: ${value}`)}`,
  );
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  const origin = watched ? location.origin : `${location.origin}/w/${world}`;
  const url = `${origin}${path}${query && `?${query}`}`;
  const parts = [`curl -i -X ${method}`, ...lines, body !== null && `--data-binary ${quote(data)}`];
  return [...parts.filter(Boolean), quote(url)].join(' ');
}

/** The title of an answer. The service's answer is shown even if the client never saw it. */
function answerTitle({ status, fault }) {
  if (status === 0) return fault?.served == null ? 'No answer' : 'Answer, lost on the way';
  return fault?.cut === undefined ? 'Answer' : 'Answer, cut in the middle';
}

/**
 * How firm an answer is: promised, or assumed, and then by which statements.
 * @param {string | null} basis @param {readonly string[]} assumed
 * @param {{ statements: Context['statements'], world?: string | undefined }} context without a world nothing is switched
 */
export function grading(basis, assumed, { statements, world }) {
  if (assumed.length > 0) {
    const items = assumed.map((id) => {
      const statement = statements.get(id);
      return statement && statementItem(statement, world);
    });
    return html`<p>Assumed. The description leaves open:</p><ul class="plain">${items}</ul>`;
  }
  if (basis !== null)
    return html`<p>Promised. This answer rests on no silence of the description.</p>`;
  const watched = world === undefined;
  return watched
    ? html`<p>This is not a whole answer of the service, so it is not graded.</p>`
    : html`<p>Not graded: it is not a path of the service, or a fault, a deviation or a Prefer header made the answer.</p>`;
}

/** The reason of a refusal; after a click also the requests that a copy of the world accepted. */
function explanation({ id, refusal }, { ui, set, attempt, call, world }) {
  const { message, lines } = refusal;
  const find = () =>
    attempt(async () => set({ repairs: { id, ...(await call('GET', `/requests/${id}`)) } }));
  const found = ui.repairs?.id === id ? ui.repairs.repairs : undefined;
  const items = found?.map(({ text, status }) => `${text} (${status})`);
  return html`
    <div class="why">
      <h3>Why it was refused</h3>
      <p>${message}</p>
      ${lines.length > 0 && html`<pre tabindex="0">${lines.join('\n')}</pre>`}
      <h3>What would be accepted</h3>
      ${items === undefined && html`<button type="button" @click=${find}>Try repairs in a copy of the world</button>`}
      ${items?.length > 0 && bullets(items)}
      ${items?.length === 0 && html`<p>No repair was found that a copy of the world accepts.</p>`}
      <p><a href="/__admin/worlds/${world}/requests/${id}">This request as JSON</a></p>
    </div>`;
}

/** @param {string} title @param {string} query @param {Readonly<Record<string, string>>} headers @param {unknown} body */
export function exchange(title, query, headers, body) {
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
