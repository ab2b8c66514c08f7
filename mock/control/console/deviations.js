/** Deliberate departures from the contract: searched, switched on, switched off. */
import { searchField } from './controls.js';
import { html } from './html.js';
import { cards, count, mark } from './parts.js';

/** @import { Deviation, View } from './types.d.ts' */

const SHOWN = 40;
const NONE = 'No deviation is switched on.';
const HOW = 'Switch one on: the mock breaks that promise, and your tests should notice.';

/** @type {View<{ deviations: Deviation[], available: Deviation[] }, { words: string }>} */
export const deviationsView = {
  id: 'deviations',
  label: 'Deviations',
  ui: () => ({ words: '' }),
  // The catalogue does not change; how often the active ones took effect does.
  load: ({ call, data }) => (data?.deviations.length === 0 ? data : call('GET', '/deviations')),
  render(context) {
    const { data, ui, set, act, call } = context;
    const { deviations: on, available } = data;
    const ids = on.map(({ id }) => id);
    const switchTo = (deviations, message) =>
      act(async () => {
        context.data = { ...data, ...(await call('PUT', '/deviations', { deviations })) };
      }, message);
    const toggle = (id) => {
      const others = ids.filter((other) => other !== id);
      if (ids.includes(id)) switchTo(others, `${id} is off`);
      else switchTo([...ids, id], `${id} is on`);
    };
    const allOff = () => switchTo([], NONE);
    const words = ui.words.split(/\s+/);
    const found = available.filter((deviation) => {
      const text = JSON.stringify(Object.values(deviation)).toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const cut = found.length > SHOWN ? `, the first ${SHOWN} shown` : '';
    const toItem = (deviation) => item(deviation, ids.includes(deviation.id), toggle);
    return html`
      <h2>Switched on</h2>
      ${cards(on.map(toItem), NONE, HOW)}
      ${on.length > 0 && html`<div class="actions below"><button type="button" @click=${allOff}>Switch all off</button></div>`}
      <h2>Catalogue</h2>
      <div class="filters">
        ${searchField('Find', 'operation, words', ui.words, (text) => set({ words: text }))}
      </div>
      <p class="muted" role="status">
        ${found.length} of ${count(available.length, 'deviation')}${cut}
      </p>
      ${cards(found.slice(0, SHOWN).map(toItem), 'No deviation fits.')}`;
  },
};

function item({ id, text, breaks, effects }, checked, toggle) {
  const broken = breaks
    .map((statement) => (typeof statement === 'string' ? statement : statement.id))
    .join(', ');
  const effect = !effects ? 'no effect yet' : `took effect ${count(effects, 'time')}`;
  const change = () => toggle(id);
  return html`
    <li data-key=${id}>
      <label class="choice">
        <input type="checkbox" checked=${checked} @change=${change} />
        <span>
          ${text}<br /><code>${id}</code><span class="muted"> breaks ${broken}</span>
          ${effects !== undefined && mark(effect)}
        </span>
      </label>
    </li>`;
}
