/** The choices of a world for each silence of the description; each can be switched. */
import { attempt, choose, field, problemPlace, searchField } from './controls.js';
import { html } from './html.js';
import { count, empty, mark, muted } from './parts.js';

/** @import { Silence, View } from './types.d.ts' */

const usual = (silence) => silence.choices[0]?.id;
const switched = (silence) => silence.choice !== usual(silence);

const SHOWN = [
  ['', 'all'],
  ['met', 'those that answers rested on'],
  ['switched', 'those that are switched'],
];

/** @typedef {Readonly<Record<string, { answers: number }>>} Met */

/** @type {View<{ silences: Silence[], met: Met }, { words: string, only: string }>} */
export const assumptionsView = {
  id: 'assumptions',
  label: 'Assumptions',
  quiet: true,
  ui: ({ params }) => ({ words: (params.get('find') ?? '').trim().toLowerCase(), only: '' }),
  async load({ call }) {
    const [{ assumptions: silences }, { assumptions: met }] = await Promise.all([
      call('GET', '/assumptions'),
      call('GET', '/coverage'),
    ]);
    return { silences, met };
  },
  render({ data: { silences, met }, ui, set, act, change, call }) {
    const found = silences.filter(
      (silence) =>
        `${silence.statement} ${silence.text}`.toLowerCase().includes(ui.words) &&
        (ui.only !== 'met' || met[silence.statement] !== undefined) &&
        (ui.only !== 'switched' || switched(silence)),
    );
    const others = silences.filter(switched);
    const toDefault = () => {
      const choices = others.map((silence) => [silence.statement, usual(silence)]);
      act(
        () => call('PUT', '/assumptions', Object.fromEntries(choices)),
        'Every assumption is the default again',
      );
    };
    /** An error is shown in the card of the silence. */
    const put = ({ target }, statement, id) =>
      attempt(target.closest('fieldset').querySelector('.problem'), () =>
        change(() => call('PUT', '/assumptions', { [statement]: id }), `${statement} is now ${id}`),
      );
    const only = choose(SHOWN, ui.only, { changed: (chosen) => set({ only: chosen }) });
    return html`
      <div class="filters">
        ${searchField('Find', 'id or text', ui.words, (words) => set({ words }))}
        ${field('Show', only)}
        <div class="actions">
          <button type="button" disabled=${others.length === 0} @click=${toDefault}>
            All back to the default
          </button>
        </div>
      </div>
      <p class="muted" role="status">
        ${found.length} of ${count(silences.length, 'silence')}, ${others.length} switched
      </p>
      <div class="cards">
        ${found.length === 0 && empty('No silence fits.')}
        ${found.map((silence) => card(silence, met[silence.statement], put))}
      </div>`;
  },
};

function card(silence, met, put) {
  const { statement, text, choices } = silence;
  return html`
    <fieldset class=${switched(silence) ? 'card switched' : 'card'} data-key=${statement}>
      <legend>
        ${statement}
        ${met !== undefined && mark(`in ${count(met.answers, 'answer')}`)}
        ${switched(silence) && mark('switched')}
      </legend>
      <p>${text}</p>
      ${choices.map((choice) => radio(silence, choice, (/** @type {Event} */ event) => put(event, statement, choice.id)))}
      ${problemPlace()}
    </fieldset>`;
}

function radio(silence, { id, text, inert }, change) {
  const { statement, choice } = silence;
  return html`
    <label class="choice">
      <input
        type="radio" name="choice-${statement}" value=${id} checked=${id === choice}
        disabled=${inert !== undefined} @change=${change}
      />
      <span>
        <code>${id}</code> ${text}
        ${id === usual(silence) && muted(' (default)')}
        ${inert !== undefined && muted(` The mock cannot act on it: ${inert}.`)}
      </span>
    </label>`;
}
