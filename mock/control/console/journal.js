/** The journal: every request as it arrives, its answer, and the grading of the answer. */
import { choose, field, saveJson, searchField } from './controls.js';
import { html } from './html.js';
import { entryDetail, statusChip } from './journal-entry.js';
import { badge, breakable, count, empty, muted, nameAndValue } from './parts.js';

/** @import { Option, View } from './types.d.ts' */

const SHOWN = 200;

/** @type {Option[]} */
const classes = ['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`]);
const STATUSES = [['', 'any'], ...classes, ['0', 'no answer']];
const GRADINGS = [['', 'any'], 'documented', 'assumed', ['none', 'not graded']];

/** The filter outlives the view, so that a visit to another view does not lose it. */
const filter = { text: '', operation: '', status: '', basis: '' };

/** Notes between two requests; `dropped` counts the requests that the mock has forgotten. */
/** @typedef {{ notes: string[], dropped: number }} Between */

/** @type {View<Between, { fresh?: number | undefined, selected?: number | undefined, filtering?: boolean }>} */
export const journalView = {
  id: 'journal',
  label: 'Journal',
  /** A link may name a request. */
  ui: ({ params }) => ({ selected: Number(params.get('request')) || undefined }),
  load: ({ call }) => call('GET', '/requests?limit=1'),
  journal({ ui, draw }, entry) {
    ui.fresh = entry?.id;
    draw();
  },
  render(context) {
    const { ui, set, draw, act, attempt, call, store, operations, world, data } = context;
    const { entries: all } = store();
    // A request may be drawn before the notes between requests are loaded.
    const { notes = [], dropped = 0 } = data ?? {};
    const found = all.filter(fits).toReversed();
    const shown = found.slice(0, SHOWN);
    const entry = all.find(({ id }) => id === ui.selected);
    const open = (id) => {
      set({ selected: id });
      /** @type {HTMLElement | null} */
      const title = document.querySelector('.detail h2');
      title?.focus({ preventScroll: innerWidth >= 960 });
    };
    const close = () => {
      if (entry === undefined) return;
      set({ selected: undefined });
      /** @type {HTMLElement | null} */
      const button = document.querySelector(`[data-id="${entry.id}"]`);
      button?.focus();
    };
    const filterBy = (name) => (value) => {
      filter[name] = value;
      draw();
    };
    const filterField = (label, name, options) =>
      field(label, choose(options, filter[name], { changed: filterBy(name) }));
    const clear = () =>
      act(async () => {
        const last = all.at(-1)?.id ?? 0;
        await call('DELETE', '/requests');
        store().entries = store().entries.filter(({ id }) => id > last);
      }, 'The journal is empty');
    const save = () =>
      attempt(async () => saveJson(`lockstep-${world}.har`, await call('GET', '/requests.har')));
    const forgotten = dropped > 0 ? `, ${dropped} older ones forgotten` : '';
    const { origin } = all.at(-1)?.watched ?? {};
    const total = count(all.length, 'request') + (origin === undefined ? '' : ` to ${origin}`);
    const example = context.isProxy
      ? html`Give your client the address ${location.origin}.`
      : html`<a href="#/${world}/try">Send a request</a>, or give your client the address under “World”.`;
    /** @type {[string, HTMLElement?]} */
    const none =
      all.length === 0
        ? [`Nothing has been asked of this ${context.isProxy ? 'service' : 'world'} yet.`, example]
        : ['No request fits the filter.'];
    // One stop for the Tab key; the arrow keys go from request to request.
    const stop = entry !== undefined && shown.includes(entry) ? entry : shown[0];
    const rows = shown.map((one) =>
      row(one, { chosen: one === entry, stop: one === stop, fresh: one.id === ui.fresh, open }),
    );
    const between = found.length === all.length ? notes.map(noteOf) : [];
    /** The rows, newest first; after each row the notes from before it. */
    const withNotes = [Number.POSITIVE_INFINITY, ...shown.map(({ id }) => id)].flatMap(
      (id, index, ids) => {
        const since = ids[index + 1] ?? dropped;
        const happened = between.filter(({ after }) => after < id && after >= since);
        return [index === 0 ? [] : rows[index - 1], happened.toReversed().map(noteRow)].flat();
      },
    );
    const filters = Object.values(filter).filter((value) => value !== '').length;
    return html`
      <div @keydown=${(/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && close()}>
        <div class="filters" role="search" aria-label="Requests">
          ${searchField('Find', 'path, who, statement', filter.text, filterBy('text'))}
          <button
            type="button" class="phone-only" aria-expanded=${String(ui.filtering === true)}
            @click=${() => set({ filtering: !ui.filtering })}
          >Filter, save${filters > 0 && muted(` ${filters} set`)}</button>
          <div class="filters${!ui.filtering && ' not-on-phone'}">
            ${filterField('Operation', 'operation', [['', 'any'], ['-', 'none matched'], ...operations.map(({ id }) => id)])}
            ${filterField('Status', 'status', STATUSES)}
            ${filterField('Grading', 'basis', GRADINGS)}
            <div class="actions">
              <button type="button" @click=${clear}>Clear the journal</button>
              <button type="button" @click=${save}>Save as HAR</button>
            </div>
          </div>
        </div>
        <div class="split${entry && ' open'}">
          <div>
            <p class="muted" role="status">
              ${found.length === all.length ? `${total}${forgotten}` : `${found.length} of ${total}`}
            </p>
            <ol class="entries" aria-label="Requests, newest first" @keydown=${moveFocus}>
              ${withNotes}
              ${found.length > SHOWN && html`<li class="muted">… and ${found.length - SHOWN} older ones</li>`}
              ${found.length === 0 && html`<li>${empty(...none)}</li>`}
            </ol>
          </div>
          <section
            class="detail" aria-label="Request" data-key="detail-${entry?.id}" hidden=${!entry}
          >${entry && entryDetail(entry, context, close)}</section>
        </div>
      </div>`;
  },
};

function row(entry, { chosen, stop, fresh, open }) {
  const facts = [
    entry.at.slice(11, 19),
    entry.operation ?? 'no operation',
    entry.credential ?? 'nobody',
    entry.fault !== null && `struck by ${entry.fault.id}`,
    ...latencyOf(entry),
  ].filter(Boolean);
  return html`
    <li data-key=${entry.id} class=${fresh && 'fresh'}>
      <button
        type="button" class="entry" data-id=${entry.id}
        aria-pressed=${String(chosen)} tabindex=${stop ? 0 : -1} @click=${() => open(entry.id)}
      >
        ${statusChip(entry)}
        <span class="method">${entry.method}</span>
        <span class="path">${breakable(entry.path)}${entry.query !== '' && `?${entry.query}`}</span>
        ${badge(entry.basis)}
        <span class="facts">${facts.join(' · ')}</span>
        ${entry.contractFailures.map((text) => html`<span class="facts broken">breaks the contract: ${text}</span>`)}
        ${entry.passedOver.map((text) => html`<span class="facts ignored">ignored: ${text}</span>`)}
        ${entry.watched?.notJudged.map((why) => html`<span class="facts ignored">not judged: ${why}</span>`)}
        ${entry.refusal && html`<span class="facts refusal">${entry.refusal.message}</span>`}
      </button>
    </li>`;
}

/** The delay that a fault added to an answer; the mock itself takes none of the world's time. */
function latencyOf({ fault, watched }) {
  const { delayMs = 0, dripMs = 0 } = fault ?? {};
  return [
    watched && `${watched.durationMs.toLocaleString('en', { maximumFractionDigits: 1 })} ms`,
    delayMs > 0 && `${delayMs.toLocaleString('en')} ms late`,
    dripMs > 0 && `its body took ${dripMs.toLocaleString('en')} ms`,
  ];
}

/** A note of the mock reads `after #3: TEXT`, or `before the first request: TEXT`. */
function noteOf(note) {
  const [, number = '0', text = note] =
    /^(?:after #(\d+)|before the first request): (.*)$/s.exec(note) ?? [];
  return { after: Number(number), text };
}

function noteRow({ after, text }, index) {
  return html`<li class="between" data-key="note-${after}-${index}">${wordsOf(text)}</li>`;
}

/** An event, which is JSON, in words; another note as it is. */
function wordsOf(text) {
  try {
    const { type, ...fields } = JSON.parse(text);
    return [`event ${type}`, ...Object.entries(fields).map(nameAndValue)].join(', ');
  } catch {
    return text;
  }
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
  return JSON.stringify(Object.values(entry)).toLowerCase().includes(text);
}
