/** The world's time: read it, stop it, let it run, set it, advance it. */
import { durationFields, field, form } from './controls.js';
import { html, renderInto } from './html.js';

const STEPS = [
  ['+ 1 minute', { minutes: 1 }],
  ['+ 1 hour', { hours: 1 }],
  ['+ 1 day', { days: 1 }],
  ['+ 30 days', { days: 30 }],
];

export const clockView = {
  id: 'clock',
  label: 'Clock',
  mount(context) {
    const state = html`<p class="muted"></p>`;
    const toggle = html`
      <button
        type="button"
        @click=${() => change('PUT', '/clock', { frozen: !context.clock().frozen })}
      ></button>`;
    const set = html`<input type="text" placeholder="2026-01-31T09:30:00Z" spellcheck="false" />`;
    const by = durationFields('By', { value: 1, unit: 'hours' });
    const schedule = html`<div></div>`;

    async function move(method, path, body) {
      await context.call(method, path, body);
      // The answer to a move holds neither what is scheduled nor what has happened.
      context.setClock(await context.call('GET', '/clock'));
      context.announce(`It is ${context.clock().now}`);
    }
    const change = (...order) => context.attempt(() => move(...order));

    function show() {
      const { frozen, scheduled = [], past = [] } = context.clock();
      renderInto(schedule, events('Scheduled', scheduled), events('Happened', past.toReversed()));
      state.textContent = frozen ? 'The clock stands still.' : 'The clock runs.';
      toggle.textContent = frozen ? 'Let it run' : 'Freeze it';
    }

    const advance = () => move('POST', '/clock/advance', by.get());
    const setTime = () => move('PUT', '/clock', { now: set.value.trim() });
    const to = field('To', set, 'ISO 8601, such as 2026-01-31T09:30:00Z');
    const step = ([label, body]) => html`
      <button type="button" @click=${() => change('POST', '/clock/advance', body)}>${label}</button>`;
    return {
      element: html`
        <div>
          <div class="card">
            <p class="time" data-clock="full"></p>
            ${state}
            <div class="actions">${toggle}</div>
          </div>
          <h2>Advance</h2>
          <div class="actions">${STEPS.map(step)}</div>
          ${form(html`<div class="filters">${by.fields}</div>`, 'Advance', advance)}
          <h2>Set</h2>
          ${form(html`<div class="filters">${to}</div>`, 'Set the time', setTime)}
          ${schedule}
        </div>`,
      refresh: async () => show(),
      clock: show,
    };
  },
};

function events(title, items) {
  if (items.length === 0) return null;
  const item = ({ at, event, result, error }) => html`
    <li>
      <p><b>${event.type}</b> at ${at}</p>
      <p><code>${JSON.stringify(result ?? event)}</code></p>
      ${error !== undefined && html`<p class="problem">${error}</p>`}
    </li>`;
  return html`<h2>${title}</h2><ul class="plain cards">${items.map(item)}</ul>`;
}
