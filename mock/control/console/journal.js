/** The journal: every request as it arrives, what was answered, and how firm that is. */
import { choose, field, searchField } from './controls.js';
import { html, renderInto } from './html.js';
import { entryDetail, statusChip } from './journal-entry.js';
import { badge, count, empty } from './parts.js';

const SHOWN = 200;

const STATUSES = [
  ['', 'any'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['0', 'no answer'],
];
const GRADINGS = [['', 'any'], 'documented', 'assumed', ['none', 'not graded']];
const NOTHING_YET =
  'Nothing has been asked of this world yet. Its address and credentials are under “World”.';

/** The filter outlives the view, so that a look elsewhere does not lose it. */
const filter = { text: '', operation: '', status: '', basis: '' };

export const journalView = {
  id: 'journal',
  label: 'Journal',
  mount(context) {
    const { statements, operations, store } = context;
    let selected;
    const list = html`<ol class="entries" aria-label="Requests, newest first"></ol>`;
    const summary = html`<p class="muted" role="status"></p>`;
    const detail = html`<section class="detail" aria-label="Request" hidden></section>`;
    const split = html`<div class="split"><div>${summary}${list}</div>${detail}</div>`;

    const search = (text) => {
      filter.text = text;
      render();
    };
    const filterField = (label, name, options) => {
      const change = (value) => {
        filter[name] = value;
        render();
      };
      return field(label, choose(options, filter[name], change));
    };
    const clear = () =>
      context.attempt(async () => {
        await context.call('DELETE', '/requests');
        close();
        await store().load();
        context.announce('The journal is empty');
      });
    const save = () => context.attempt(() => saveHar(context));
    const operationOptions = [['', 'any'], ['-', 'none matched'], ...operations];
    const filters = html`
      <div class="filters" role="search" aria-label="Requests">
        ${searchField('Find', 'path, who, statement', search, filter.text)}
        ${filterField('Operation', 'operation', operationOptions)}
        ${filterField('Status', 'status', STATUSES)}
        ${filterField('Grading', 'basis', GRADINGS)}
        <div class="actions">
          <button type="button" @click=${clear}>Clear the journal</button>
          <button type="button" @click=${save}>Save as HAR</button>
        </div>
      </div>`;

    function render() {
      const { entries: all, dropped } = store();
      const found = all.filter(fits).toReversed();
      const forgotten = dropped > 0 ? `, ${dropped} older ones forgotten` : '';
      const total = count(all.length, 'request');
      summary.textContent =
        found.length === all.length ? `${total}${forgotten}` : `${found.length} of ${total}`;
      if (!all.some(({ id }) => id === selected)) close();
      const none = all.length === 0 ? NOTHING_YET : 'No request fits the filter.';
      const older = found.length - SHOWN;
      renderInto(
        list,
        found.slice(0, SHOWN).map((entry) => row(entry, entry.id === selected, open)),
        older > 0 && html`<li class="muted">… and ${older} older ones</li>`,
        found.length === 0 && html`<li>${empty(none)}</li>`,
      );
      // One stop for the Tab key; the arrow keys go from request to request.
      const stop = list.querySelector('[aria-pressed="true"]') ?? list.querySelector('.entry');
      if (stop !== null) stop.tabIndex = 0;
    }

    function mark(id) {
      selected = id;
      for (const other of list.querySelectorAll('.entry')) {
        const chosen = other.dataset.id === String(id);
        other.setAttribute('aria-pressed', String(chosen));
        if (id !== undefined) other.tabIndex = chosen ? 0 : -1;
      }
      detail.hidden = id === undefined;
      split.classList.toggle('open', id !== undefined);
    }

    function open(id) {
      mark(id);
      const entry = store().entries.find((candidate) => candidate.id === id);
      renderInto(
        detail,
        entryDetail(entry, statements, context.world, () => close(true)),
      );
      detail.querySelector('h2').focus({ preventScroll: innerWidth >= 960 });
    }

    function close(refocus = false) {
      if (selected === undefined) return;
      const key = `entry-${selected}`;
      mark(undefined);
      if (refocus) list.querySelector(`[data-key="${key}"]`)?.focus();
    }

    list.addEventListener('keydown', moveFocus);
    render();
    const element = html`<div>${filters}${split}</div>`;
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close(true);
    });
    return {
      element,
      journal(entry) {
        render();
        if (entry !== undefined && fits(entry)) list.firstElementChild?.classList.add('fresh');
      },
    };
  },
};

function row(entry, chosen, open) {
  const facts = [
    entry.at.slice(11, 19),
    entry.operation ?? 'no operation',
    entry.credential ?? 'nobody',
    entry.contractFailures.length > 0 && 'breaks the contract',
    entry.fault !== null && `struck by ${entry.fault.id}`,
  ].filter(Boolean);
  return html`
    <li>
      <button
        type="button" class="entry" data-key="entry-${entry.id}" data-id=${entry.id}
        aria-pressed=${String(chosen)} tabindex="-1" @click=${() => open(entry.id)}
      >
        ${statusChip(entry)}
        <span class="method">${entry.method}</span>
        <span class="path">${entry.path}${entry.query !== '' && `?${entry.query}`}</span>
        ${badge(entry.basis)}
        <span class="facts">${facts.join(' · ')}</span>
      </button>
    </li>`;
}

function moveFocus(event) {
  const items = [...event.currentTarget.querySelectorAll('.entry')];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (items[to] === undefined) return;
  event.preventDefault();
  for (const item of items) item.tabIndex = -1;
  items[to].tabIndex = 0;
  items[to].focus();
}

function fits(entry) {
  const { text, operation, status, basis } = filter;
  if (operation !== '' && (entry.operation ?? '-') !== operation) return false;
  if (status !== '' && String(entry.status)[0] !== status) return false;
  if (basis !== '' && (entry.basis ?? 'none') !== basis) return false;
  const where = [
    entry.method,
    entry.path,
    entry.query,
    entry.operation,
    entry.credential,
    entry.status,
    entry.refusal?.statement,
    entry.fault?.id,
    ...entry.assumed,
  ];
  return where.join(' ').toLowerCase().includes(text);
}

async function saveHar(context) {
  const har = await context.call('GET', '/requests.har');
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(har, null, 2)], { type: 'application/json' }),
  );
  html`<a href=${address} download="lockstep-${context.world}.har"></a>`.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
