/** Faults: a form injects one, a list shows and removes the active ones. */
import { choose, field, form, numberInput } from './controls.js';
import { html } from './html.js';
import { cards } from './parts.js';

const PHASES = [
  ['before', 'before: the service does nothing'],
  ['after-commit', 'after-commit: it is done, the answer is another or lost'],
  ['mid-body', 'mid-body: the answer breaks off'],
  ['socket', 'socket: it is done, the connection breaks'],
];

const KINDS = [['', 'default (reset)'], 'reset', 'half-close', 'stall'];

const among = (name, names) => choose([['', 'any'], ...names], '', { name });
const calls = (name, limits) => numberInput(name, { min: 1, max: 1_000_000, ...limits });
/** What a fault is asked for with: the name of the field, its label, its control, a hint. */
const USUAL = [
  ['operation', 'Operation', (name, { operations }) => among(name, operations)],
  ['credential', 'Credential', (name, { credentials }) => among(name, credentials)],
  ['phase', 'Phase', (name) => choose(PHASES, 'before', { name })],
  ['status', 'Status', (name) => numberInput(name, { min: 200, max: 599 }), '200 to 599'],
  ['times', 'How often', (name) => calls(name), 'empty: until removed'],
  ['delayMs', 'Delay, ms', (name) => numberInput(name, { max: 600_000 })],
  ['retryAfter', 'Retry-After, s', (name) => numberInput(name, { max: 86_400 })],
];
/** Those that few faults need. */
const MORE = [
  ['after', 'Calls left alone', (name) => calls(name, { min: 0 })],
  ['every', 'Then every n-th', (name) => calls(name)],
  ['kind', 'Connection', (name) => choose(KINDS, '', { name })],
  ['capacity', 'Bucket, calls', (name) => calls(name), 'a limit for each credential'],
  [
    'refillPerSecond',
    'Refill, calls a second',
    (name) => numberInput(name, { step: 'any' }),
    'on the world’s clock',
  ],
];

const EXAMPLES = [
  ['Unavailable, once', { status: 503, times: 1 }],
  ['Too many, wait 30 s', { status: 429, retryAfter: 30, times: 1 }],
  ['Done, answer lost', { phase: 'after-commit', times: 1 }],
  ['Breaks off', { phase: 'mid-body', times: 1 }],
  ['Connection cut', { phase: 'socket', times: 1 }],
  ['Two seconds late', { delayMs: 2000 }],
  ['Third call only', { status: 503, after: 2, times: 1 }],
  ['Stall', { phase: 'socket', kind: 'stall', times: 1 }],
  ['5 calls, then 1 a second', { capacity: 5, refillPerSecond: 1 }],
];

export const faultsView = {
  id: 'faults',
  label: 'Faults',
  ui: () => ({ example: { status: 503, times: 1 }, filled: 0 }),
  load: ({ call }) => call('GET', '/faults'),
  render(context) {
    const { data, ui, set, act, call, announce, refresh } = context;
    const remove = (path, what) => act(() => call('DELETE', `/faults${path}`), `${what} removed`);
    const items = data.faults.map((fault) =>
      faultItem(fault, () => remove(`/${fault.id}`, `${fault.id} is`)),
    );
    // An example makes the fields anew, with its values; which calls it is for stays.
    const fieldOf = ([name, label, make, hint]) => {
      const control = make(name, context);
      if (name !== 'operation' && name !== 'credential') {
        control.dataset.key = `${name}-${ui.filled}`;
        control.value = ui.example[name] ?? (name === 'phase' ? 'before' : '');
      }
      return field(label, control, hint);
    };
    const fillIn = (example) => {
      set({ example, filled: ui.filled + 1 });
      document.querySelector('[name=status]').focus();
    };
    async function inject({ capacity, refillPerSecond, ...fault }) {
      const limited = capacity !== undefined || refillPerSecond !== undefined;
      const rateLimit = limited ? { capacity, refillPerSecond } : undefined;
      const { id } = await call('POST', '/faults', { ...fault, rateLimit });
      announce(`${id} is active`);
      await refresh();
    }
    const chip = ([label, example]) => html`
      <button type="button" class="chip" @click=${() => fillIn(example)}>${label}</button>`;
    const open = MORE.some(([name]) => ui.example[name] !== undefined);
    const fields = html`
      <div class="filters">
        ${USUAL.map(fieldOf)}
        <details class="wide" open=${open}>
          <summary>Which calls, how the connection is lost, rate limit</summary>
          <div class="filters">${MORE.map(fieldOf)}</div>
        </details>
      </div>`;
    return html`
      <h2>Active faults</h2>
      ${cards(items, 'No fault is active. The world answers normally.')}
      <div class="actions below">
        <button
          type="button" disabled=${items.length === 0}
          @click=${() => remove('', 'All faults are')}
        >Remove all</button>
      </div>
      <h2>Inject a fault</h2>
      <div class="chips" role="group" aria-label="Examples that fill the form">
        ${EXAMPLES.map(chip)}
      </div>
      ${form(fields, 'Inject the fault', inject)}`;
  },
};

function faultItem({ id, operation, credential, phase, left, times, ...rest }, remove) {
  const what = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const still = left === null ? 'until removed' : `${left} of ${times} left`;
  return html`
    <li data-key=${id}>
      <b>${id}</b>
      <p>${operation ?? 'any operation'}, ${credential ?? 'any credential'}, ${phase}</p>
      <p>${[...what, still].join(', ')}</p>
      <button type="button" class="quiet" aria-label="Remove ${id}" @click=${remove}>Remove</button>
    </li>`;
}
