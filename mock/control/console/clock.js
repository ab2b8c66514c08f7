/** The world's time: read it, stop it, let it run, set it, advance it. */
import { durationFields, durationOf, field, form, textInput } from './controls.js';
import { html } from './html.js';
import { cards, nameAndValue, timeText } from './parts.js';

/** @import { Clock, Values, View } from './types.d.ts' */

/** @type {[string, Values][]} */
const STEPS = [
  ['+ 1 minute', { minutes: 1 }],
  ['+ 1 hour', { hours: 1 }],
  ['+ 1 day', { days: 1 }],
  ['+ 30 days', { days: 30 }],
];

/** @type {View} */
export const clockView = {
  id: 'clock',
  label: 'Clock',
  render({ call, change, attempt, clock }) {
    const { frozen, scheduled = [], past = [] } = clock();
    const move = (method, path, body) =>
      change(
        () => call(method, path, body),
        (/** @type {Clock} */ { now }) => `It is ${now}`,
      );
    const step = ([label, body]) => html`
      <button type="button" @click=${() => attempt(() => move('POST', '/clock/advance', body))}>
        ${label}
      </button>`;
    const toggle = () => attempt(() => move('PUT', '/clock', { frozen: !frozen }));
    const advance = (values) => move('POST', '/clock/advance', durationOf(values));
    const set = ({ now = '' }) => move('PUT', '/clock', { now });
    const by = durationFields('By', { value: 1, unit: 'hours' });
    const hint = 'ISO 8601, such as 2026-01-31T09:30:00Z';
    const to = field('To', textInput('now', '2026-01-31T09:30:00Z'), hint);
    return html`
      <div class="card">
        <p class="time">${timeText(clock())}</p>
        <p class="muted">${frozen ? 'The clock stands still.' : 'The clock runs.'}</p>
        <div class="actions">
          <button type="button" @click=${toggle}>${frozen ? 'Let it run' : 'Freeze it'}</button>
        </div>
      </div>
      <h2>Advance</h2>
      <div class="actions">${STEPS.map(step)}</div>
      ${form(by, 'Advance', advance)}
      <h2>Set</h2>
      ${form(html`<div class="filters">${to}</div>`, 'Set the time', set)}
      ${events('Scheduled', scheduled, 'Nothing is scheduled.', 'An event with “In 5 minutes” waits here until the clock has passed it.')}
      ${past.length > 0 && events('Happened', past.toReversed())}`;
  },
};

function events(title, items, ...otherwise) {
  const item = ({ at, event: { type, ...fields }, result, error }) => html`
    <li>
      <p><b>${type}</b> at ${at}</p>
      <p>${Object.entries(result ?? fields)
        .map(nameAndValue)
        .join(', ')}</p>
      ${error !== undefined && html`<p class="problem">${error}</p>`}
    </li>`;
  return html`<h2>${title}</h2>${cards(items.map(item), ...otherwise)}`;
}
