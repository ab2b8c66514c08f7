/** Deliberate departures from the contract: searched, switched on, switched off. */
import { searchField } from './controls.js';
import { html, renderInto } from './html.js';
import { cards, count, mark } from './parts.js';

const SHOWN = 40;
const NONE = 'No deviation is switched on.';

export const deviationsView = {
  id: 'deviations',
  label: 'Deviations',
  mount(context) {
    let available = [];
    let on = [];
    let words = [];
    const active = html`<div></div>`;
    const list = html`<div></div>`;
    const summary = html`<p class="muted" role="status"></p>`;

    const switchTo = (ids, message) =>
      context.attempt(async () => {
        ({ deviations: on } = await context.call('PUT', '/deviations', { deviations: ids }));
        context.announce(message);
        render();
      });

    function toggle(id) {
      const others = on.map((deviation) => deviation.id).filter((other) => other !== id);
      return others.length < on.length
        ? switchTo(others, `${id} is off`)
        : switchTo([...others, id], `${id} is on`);
    }

    function render() {
      const off = () => switchTo([], NONE);
      const allOff = html`
        <div class="actions below">
          <button type="button" data-key="all-off" @click=${off}>Switch all off</button>
        </div>`;
      const items = on.map((deviation) => item(deviation, true, toggle));
      renderInto(active, cards(items, NONE), on.length > 0 && allOff);
      renderFound();
    }

    function renderFound() {
      const ids = new Set(on.map(({ id }) => id));
      const found = available.filter((deviation) => {
        const text = searchText(deviation);
        return words.every((word) => text.includes(word));
      });
      const shown = found.slice(0, SHOWN).map((one) => item(one, ids.has(one.id), toggle));
      const cut = found.length > SHOWN ? `, the first ${SHOWN} shown` : '';
      summary.textContent = `${found.length} of ${count(available.length, 'deviation')}${cut}`;
      renderInto(list, cards(shown, 'No deviation fits.'));
    }

    async function refresh() {
      // The catalogue does not change; how often the active ones took effect does.
      if (available.length > 0 && on.length === 0) return;
      ({ deviations: on, available } = await context.call('GET', '/deviations'));
      render();
    }

    const find = (text) => {
      words = text.split(/\s+/);
      renderFound();
    };
    return {
      element: html`
        <div>
          <h2>Switched on</h2>
          ${active}
          <h2>Catalogue</h2>
          <div class="filters">${searchField('Find', 'operation, words', find)}</div>
          ${summary}
          ${list}
        </div>`,
      refresh,
    };
  },
};

function searchText({ id, text, operations, breaks }) {
  return [id, text, ...operations, ...breaks.map((statement) => statement.id)]
    .join(' ')
    .toLowerCase();
}

function item({ id, text, breaks, effects }, checked, toggle) {
  const broken = breaks.map((statement) => statement.id ?? statement).join(', ');
  const effect = effects === 0 ? 'no effect yet' : `took effect ${count(effects, 'time')}`;
  const change = () => toggle(id);
  return html`
    <li>
      <label class="choice">
        <input type="checkbox" checked=${checked} data-key=${id} @change=${change} />
        <span>
          ${text}<br /><code>${id}</code><span class="muted"> breaks ${broken}</span>
          ${effects !== undefined && mark(effect)}
        </span>
      </label>
    </li>`;
}
