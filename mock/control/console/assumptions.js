/** What the world does where the description is silent, each as a choice that can be switched. */
import { attempt, button, choose, count, empty, field, h, problemSlot, renderInto } from './dom.js';

export const assumptionsView = {
  id: 'assumptions',
  label: 'Assumptions',
  mount(context) {
    let silences = [];
    let met = {};
    const slot = problemSlot();
    const list = h('div', { class: 'cards' });
    const summary = h('p', { class: 'muted', role: 'status' });
    const search = h('input', {
      type: 'search',
      value: context.params.get('find') ?? '',
      placeholder: 'id or text',
      'data-find': true,
    });
    const only = choose(
      [
        ['', 'all'],
        ['met', 'those that answers rested on'],
        ['switched', 'those that are switched'],
      ],
      '',
    );
    search.addEventListener('input', render);
    only.addEventListener('change', render);

    const usual = (silence) => silence.choices[0]?.id;
    const switched = (silence) => silence.choice !== usual(silence);

    async function refresh() {
      const [{ assumptions }, coverage] = await Promise.all([
        context.call('GET', '/assumptions'),
        context.call('GET', '/coverage'),
      ]);
      silences = assumptions;
      met = coverage.assumptions;
      render();
    }

    async function choosing(choices, message) {
      const { assumptions } = await context.call('PUT', '/assumptions', choices);
      const chosen = new Map(assumptions.map((silence) => [silence.statement, silence]));
      silences = silences.map((silence) => chosen.get(silence.statement) ?? silence);
      context.announce(message);
      render();
    }

    function render() {
      const words = search.value.trim().toLowerCase();
      const found = silences.filter(
        (silence) =>
          `${silence.statement} ${silence.text}`.toLowerCase().includes(words) &&
          (only.value !== 'met' || met[silence.statement] !== undefined) &&
          (only.value !== 'switched' || switched(silence)),
      );
      const others = silences.filter(switched).length;
      summary.textContent = `${found.length} of ${count(silences.length, 'silence')}, ${others} switched`;
      all.disabled = others === 0;
      renderInto(
        list,
        found.length === 0 ? empty('No silence fits.') : found.map((silence) => card(silence)),
      );
    }

    function card(silence) {
      const { statement, text, choice, choices } = silence;
      const own = problemSlot();
      const switchTo = (id) =>
        attempt(own, () => choosing({ [statement]: id }, `${statement} is now ${id}`));
      return h(
        'fieldset',
        { class: switched(silence) ? 'card switched' : 'card' },
        h(
          'legend',
          {},
          statement,
          met[statement] === undefined
            ? null
            : h('span', { class: 'changed' }, `in ${count(met[statement].answers, 'answer')}`),
          switched(silence) ? h('span', { class: 'changed' }, 'switched') : null,
        ),
        h('p', {}, text),
        choices.map(({ id, text: meaning, inert }, index) =>
          h(
            'label',
            { class: 'choice' },
            h('input', {
              type: 'radio',
              name: `choice-${statement}`,
              value: id,
              checked: id === choice,
              disabled: inert !== undefined,
              'data-key': `${statement}-${id}`,
              on: { change: () => switchTo(id) },
            }),
            h(
              'span',
              {},
              h('code', {}, id),
              ` ${meaning}`,
              index === 0 ? h('span', { class: 'muted' }, ' (default)') : null,
              inert === undefined
                ? null
                : h('span', { class: 'muted' }, ` The mock cannot act on it: ${inert}.`),
            ),
          ),
        ),
        switched(silence)
          ? h(
              'div',
              { class: 'actions' },
              button('Back to the default', () => switchTo(usual(silence)), {
                'data-key': `${statement}-default`,
              }),
            )
          : null,
        own.element,
      );
    }

    const all = button('All back to the default', () =>
      attempt(slot, () =>
        choosing(
          Object.fromEntries(
            silences.filter(switched).map((silence) => [silence.statement, usual(silence)]),
          ),
          'Every assumption is the default again',
        ),
      ),
    );
    return {
      element: h(
        'div',
        {},
        h(
          'div',
          { class: 'filters' },
          field('Find', search),
          field('Show', only),
          h('div', { class: 'actions' }, all),
        ),
        slot.element,
        summary,
        list,
      ),
      refresh: () => attempt(slot, refresh),
      quiet: true,
    };
  },
};
