/** Deliberate departures from the contract: searched, switched on, switched off. */
import { attempt, button, count, empty, field, h, problemSlot, renderInto } from './dom.js';

const SHOWN = 40;

export const deviationsView = {
  id: 'deviations',
  label: 'Deviations',
  mount(context) {
    let available = [];
    let on = [];
    const slot = problemSlot();
    const active = h('div', {});
    const list = h('div', {});
    const summary = h('p', { class: 'muted', role: 'status' });
    const search = h('input', {
      type: 'search',
      placeholder: 'operation, words',
      'data-find': true,
    });
    search.addEventListener('input', renderFound);

    async function load() {
      ({ deviations: on, available } = await context.call('GET', '/deviations'));
      render();
    }

    const switchTo = (ids, message) =>
      attempt(slot, async () => {
        const answer = await context.call('PUT', '/deviations', { deviations: ids });
        on = answer.deviations;
        context.announce(message);
        render();
      });

    function toggle(id) {
      const ids = on.map((deviation) => deviation.id);
      return ids.includes(id)
        ? switchTo(
            ids.filter((other) => other !== id),
            `${id} is off`,
          )
        : switchTo([...ids, id], `${id} is on`);
    }

    function item({ id, text, breaks, effects }, checked) {
      return h(
        'li',
        {},
        h(
          'label',
          { class: 'choice' },
          h('input', {
            type: 'checkbox',
            checked,
            'data-key': id,
            on: { change: () => toggle(id) },
          }),
          h(
            'span',
            {},
            text,
            h('br'),
            h('code', {}, id),
            h(
              'span',
              { class: 'muted' },
              ` breaks ${breaks.map((statement) => statement.id ?? statement).join(', ')}`,
            ),
            effects === undefined
              ? null
              : h(
                  'span',
                  { class: 'changed' },
                  effects === 0 ? 'no effect yet' : `took effect ${count(effects, 'time')}`,
                ),
          ),
        ),
      );
    }

    function render() {
      renderInto(
        active,
        on.length === 0
          ? empty('The world deviates in nothing.')
          : [
              h(
                'ul',
                { class: 'plain cards' },
                on.map((deviation) => item(deviation, true)),
              ),
              h(
                'div',
                { class: 'actions below' },
                button('Switch all off', () => switchTo([], 'The world deviates in nothing'), {
                  'data-key': 'all-off',
                }),
              ),
            ],
      );
      renderFound();
    }

    function renderFound() {
      const words = search.value.trim().toLowerCase().split(/\s+/);
      const ids = new Set(on.map(({ id }) => id));
      const found = available.filter((deviation) => {
        const text = [
          deviation.id,
          deviation.text,
          ...deviation.operations,
          ...deviation.breaks.map(({ id }) => id),
        ]
          .join(' ')
          .toLowerCase();
        return words.every((word) => text.includes(word));
      });
      summary.textContent = `${found.length} of ${count(available.length, 'deviation')}${found.length > SHOWN ? `, the first ${SHOWN} shown` : ''}`;
      renderInto(
        list,
        found.length === 0
          ? empty('No deviation fits.')
          : h(
              'ul',
              { class: 'plain cards' },
              found.slice(0, SHOWN).map((deviation) => item(deviation, ids.has(deviation.id))),
            ),
      );
    }

    async function refresh() {
      if (available.length === 0) return load();
      // The catalogue does not change; how often the active ones took effect does.
      if (on.length > 0) return load();
    }

    return {
      element: h(
        'div',
        {},
        slot.element,
        h('h2', {}, 'Switched on'),
        active,
        h('h2', {}, 'Catalogue'),
        h('div', { class: 'filters' }, field('Find', search)),
        summary,
        list,
      ),
      refresh: () => attempt(slot, refresh),
    };
  },
};
