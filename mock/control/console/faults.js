/** Faults: a form injects one, a list shows and removes the active ones. */
import { choose, field, form, numberInput } from './controls.js';
import { html, renderInto } from './html.js';
import { cards } from './parts.js';

const PHASES = [
  ['before', 'before: the service does nothing'],
  ['after-commit', 'after-commit: it is done, the answer is another or lost'],
  ['mid-body', 'mid-body: the answer breaks off'],
  ['socket', 'socket: it is done, the connection breaks'],
];

const KINDS = [['', 'default (reset)'], 'reset', 'half-close', 'stall'];

const among = (names) => choose([['', 'any'], ...names], '');
/** What a fault is asked for with: the name of the field, its label, its control, a hint. */
const USUAL = [
  ['operation', 'Operation', ({ operations }) => among(operations)],
  ['credential', 'Credential', ({ credentials }) => among(credentials)],
  ['phase', 'Phase', () => choose(PHASES, 'before')],
  ['status', 'Status', () => numberInput({ min: 200, max: 599, value: 503 }), '200 to 599'],
  ['times', 'How often', () => calls({ value: 1 }), 'empty: until removed'],
  ['delayMs', 'Delay, ms', () => numberInput({ max: 600_000 })],
  ['retryAfter', 'Retry-After, s', () => numberInput({ max: 86_400 })],
];
/** Those that few faults need. */
const MORE = [
  ['after', 'Calls left alone', () => calls({ min: 0 })],
  ['every', 'Then every n-th', () => calls()],
  ['kind', 'Connection', () => choose(KINDS, '')],
  ['capacity', 'Bucket, calls', () => calls(), 'a limit for each credential'],
  [
    'refillPerSecond',
    'Refill, calls a second',
    () => numberInput({ step: 'any' }),
    'on the world’s clock',
  ],
];
const calls = (limits) => numberInput({ min: 1, max: 1_000_000, ...limits });

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
  mount(context) {
    const list = html`<div></div>`;
    const clear = html`
      <button type="button" @click=${() => remove('', 'All faults are')}>Remove all</button>`;
    const controls = {};
    const fieldOf = ([name, label, make, hint]) => {
      controls[name] = make(context);
      return field(label, controls[name], hint);
    };
    const usual = USUAL.map(fieldOf);
    const more = html`
      <details class="wide">
        <summary>Which calls, how the connection is lost, rate limit</summary>
        <div class="filters">${MORE.map(fieldOf)}</div>
      </details>`;

    async function refresh() {
      const { faults } = await context.call('GET', '/faults');
      const items = faults.map((fault) =>
        faultItem(fault, () => remove(`/${fault.id}`, `${fault.id} is`)),
      );
      renderInto(list, cards(items, 'No fault is active. The world answers normally.'));
      clear.disabled = faults.length === 0;
    }

    const remove = (path, what) =>
      context.attempt(async () => {
        await context.call('DELETE', `/faults${path}`);
        context.announce(`${what} removed`);
        await refresh();
      });

    function fillIn(example) {
      for (const [name, control] of Object.entries(controls)) {
        if (name === 'operation' || name === 'credential') continue;
        control.value = example[name] ?? (name === 'phase' ? 'before' : '');
      }
      more.open ||= MORE.some(([name]) => example[name] !== undefined);
      controls.status.focus();
    }

    async function inject() {
      const { capacity, refillPerSecond, ...fault } = valuesOf(controls);
      const limited = capacity !== undefined || refillPerSecond !== undefined;
      const rateLimit = limited ? { capacity, refillPerSecond } : undefined;
      const { id } = await context.call('POST', '/faults', { ...fault, rateLimit });
      context.announce(`${id} is active`);
      await refresh();
    }

    const chip = ([label, example]) => html`
      <button type="button" class="chip" @click=${() => fillIn(example)}>${label}</button>`;
    const fields = html`<div class="filters">${usual}${more}</div>`;
    return {
      element: html`
        <div>
          <h2>Active faults</h2>
          ${list}
          <div class="actions below">${clear}</div>
          <h2>Inject a fault</h2>
          <div class="chips" role="group" aria-label="Examples that fill the form">
            ${EXAMPLES.map(chip)}
          </div>
          ${form(fields, 'Inject the fault', inject)}
        </div>`,
      refresh,
    };
  },
};

/** The controls that are filled in. */
function valuesOf(controls) {
  const filled = Object.entries(controls).filter(([, { value }]) => value !== '');
  return Object.fromEntries(
    filled.map(([name, { type, value }]) => [name, type === 'number' ? Number(value) : value]),
  );
}

function faultItem({ id, operation, credential, phase, left, times, ...rest }, remove) {
  const what = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const still = left === null ? 'until removed' : `${left} of ${times} left`;
  return html`
    <li>
      <b>${id}</b>
      <p>${operation ?? 'any operation'}, ${credential ?? 'any credential'}, ${phase}</p>
      <p>${[...what, still].join(', ')}</p>
      <button type="button" class="quiet" aria-label="Remove ${id}" @click=${remove}>Remove</button>
    </li>`;
}
