/** The world's time: read, stop, let run, set, move on. */
import { attempt, button, choose, field, form, h, problemSlot, renderInto } from './dom.js';

export const clockView = {
  id: 'clock',
  label: 'Clock',
  mount(context) {
    const slot = problemSlot();
    const time = h('p', { class: 'time', 'data-clock': 'full' });
    const state = h('p', { class: 'muted' });
    const toggle = button('', () => change('PUT', '/clock', { frozen: !context.clock().frozen }));
    const set = h('input', {
      type: 'text',
      placeholder: '2026-01-31T09:30:00Z',
      spellcheck: 'false',
    });
    const amount = h('input', { type: 'number', min: '0', step: 'any', value: '1' });
    const unit = choose(
      ['seconds', 'minutes', 'hours', 'days'].map((name) => [name, name]),
      'hours',
    );

    async function move(method, path, body) {
      await context.call(method, path, body);
      // What is to come and what has happened are not in the answer to a move.
      context.setClock(await context.call('GET', '/clock'));
      context.announce(`It is ${context.clock().now}`);
      show();
    }
    const change = (...order) => attempt(slot, () => move(...order));

    const schedule = h('div', {});

    function showSchedule() {
      const { scheduled = [], past = [] } = context.clock();
      const list = (title, items) =>
        items.length === 0
          ? null
          : [
              h('h2', {}, title),
              h(
                'ul',
                { class: 'plain cards' },
                items.map(({ at, event, result, error }) =>
                  h(
                    'li',
                    {},
                    h('p', {}, h('b', {}, event.type), ` at ${at}`),
                    h('p', {}, h('code', {}, JSON.stringify(result ?? event))),
                    error === undefined ? null : h('p', { class: 'problem' }, error),
                  ),
                ),
              ),
            ];
      renderInto(schedule, list('To come', scheduled), list('Had their time', past.toReversed()));
    }

    function show() {
      showSchedule();
      const { frozen } = context.clock();
      state.textContent = frozen ? 'The clock stands still.' : 'The clock runs.';
      toggle.textContent = frozen ? 'Let it run' : 'Freeze it';
    }

    const steps = [
      ['+ 1 minute', { minutes: 1 }],
      ['+ 1 hour', { hours: 1 }],
      ['+ 1 day', { days: 1 }],
      ['+ 30 days', { days: 30 }],
    ];
    return {
      element: h(
        'div',
        {},
        h(
          'div',
          { class: 'card' },
          time,
          state,
          h('div', { class: 'actions' }, toggle),
          slot.element,
        ),
        h('h2', {}, 'Advance'),
        h(
          'div',
          { class: 'actions' },
          steps.map(([label, body]) => button(label, () => change('POST', '/clock/advance', body))),
        ),
        form(
          h('div', { class: 'filters' }, field('By', amount), field('Unit', unit)),
          'Advance',
          () => move('POST', '/clock/advance', { [unit.value]: amount.valueAsNumber }),
        ),
        h('h2', {}, 'Set'),
        form(
          h(
            'div',
            { class: 'filters' },
            field('To', set, 'ISO 8601, such as 2026-01-31T09:30:00Z'),
          ),
          'Set the time',
          () => move('PUT', '/clock', { now: set.value.trim() }),
        ),
        schedule,
      ),
      refresh: async () => show(),
      clock: show,
    };
  },
};
