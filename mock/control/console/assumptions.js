/** What the world does where the description is silent, each as a choice that can be switched. */
import { choose, field, problemPlace, searchField } from './controls.js';
import { html, renderInto } from './html.js';
import { count, empty, mark, muted } from './parts.js';

const usual = (silence) => silence.choices[0]?.id;
const switched = (silence) => silence.choice !== usual(silence);

const SHOWN = [
  ['', 'all'],
  ['met', 'those that answers rested on'],
  ['switched', 'those that are switched'],
];

export const assumptionsView = {
  id: 'assumptions',
  label: 'Assumptions',
  mount(context) {
    let silences = [];
    let met = {};
    let words = (context.params.get('find') ?? '').trim().toLowerCase();
    const list = html`<div class="cards"></div>`;
    const summary = html`<p class="muted" role="status"></p>`;
    const only = choose(SHOWN, '', render);
    const all = html`<button type="button" @click=${allToDefault}>All back to the default</button>`;

    async function refresh() {
      const [{ assumptions }, coverage] = await Promise.all([
        context.call('GET', '/assumptions'),
        context.call('GET', '/coverage'),
      ]);
      silences = assumptions;
      met = coverage.assumptions;
      render();
    }

    async function put(choices, message) {
      const { assumptions } = await context.call('PUT', '/assumptions', choices);
      const chosen = new Map(assumptions.map((silence) => [silence.statement, silence]));
      silences = silences.map((silence) => chosen.get(silence.statement) ?? silence);
      context.announce(message);
      render();
    }

    function allToDefault() {
      const others = silences.filter(switched);
      const choices = others.map((silence) => [silence.statement, usual(silence)]);
      const message = 'Every assumption is the default again';
      return context.attempt(() => put(Object.fromEntries(choices), message));
    }

    function render() {
      const found = silences.filter(
        (silence) =>
          `${silence.statement} ${silence.text}`.toLowerCase().includes(words) &&
          (only.value !== 'met' || met[silence.statement] !== undefined) &&
          (only.value !== 'switched' || switched(silence)),
      );
      const others = silences.filter(switched).length;
      summary.textContent = `${found.length} of ${count(silences.length, 'silence')}, ${others} switched`;
      all.disabled = others === 0;
      renderInto(list, found.length === 0 ? empty('No silence fits.') : found.map(card));
    }

    function card(silence) {
      const { statement, text, choices } = silence;
      const { element, attempt } = problemPlace();
      const choose = (id) => attempt(() => put({ [statement]: id }, `${statement} is now ${id}`));
      const reset = () => choose(usual(silence));
      const { answers } = met[statement] ?? {};
      return html`
        <fieldset class=${switched(silence) ? 'card switched' : 'card'}>
          <legend>
            ${statement}
            ${answers !== undefined && mark(`in ${count(answers, 'answer')}`)}
            ${switched(silence) && mark('switched')}
          </legend>
          <p>${text}</p>
          ${choices.map((choice) => radio(silence, choice, () => choose(choice.id)))}
          ${
            switched(silence) &&
            html`
              <div class="actions">
                <button type="button" data-key="${statement}-default" @click=${reset}>
                  Back to the default
                </button>
              </div>`
          }
          ${element}
        </fieldset>`;
    }

    const find = (text) => {
      words = text;
      render();
    };
    return {
      element: html`
        <div>
          <div class="filters">
            ${searchField('Find', 'id or text', find, context.params.get('find') ?? '')}
            ${field('Show', only)}
            <div class="actions">${all}</div>
          </div>
          ${summary}
          ${list}
        </div>`,
      refresh,
      quiet: true,
    };
  },
};

function radio(silence, { id, text, inert }, change) {
  const { statement, choice } = silence;
  return html`
    <label class="choice">
      <input
        type="radio" name="choice-${statement}" value=${id} checked=${id === choice}
        disabled=${inert !== undefined} data-key="${statement}-${id}" @change=${change}
      />
      <span>
        <code>${id}</code> ${text}
        ${id === usual(silence) && muted(' (default)')}
        ${inert !== undefined && muted(` The mock cannot act on it: ${inert}.`)}
      </span>
    </label>`;
}
