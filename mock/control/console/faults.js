/** Faults: a form injects one, a list shows and removes the active ones. */
import { choose, field, form, numberInput, textInput } from './controls.js';
import { html } from './html.js';
import { cards, count, nameAndValue, requestLinks } from './parts.js';

/** @import { Fault, View } from './types.d.ts' */

/** The fields that most faults need; the other fields are folded away. */
const USUAL = ['operation', 'credential', 'phase', 'status', 'times', 'delayMs'];

/** A control for each property of a fault in the control API, `[name, control, hint]`. */
function controlsOf(properties, choices) {
  return Object.entries(properties).flatMap(([name, { properties: inner, ...property }]) => {
    if (inner !== undefined) return controlsOf(inner, choices);
    const { type, minimum: min = 0, maximum: max, description } = property;
    // No form has a control for an object of any names.
    if (type === 'object') return [];
    const options = property.enum ?? choices[name];
    const input = () =>
      [type].flat().includes('string')
        ? textInput(name)
        : numberInput(name, { min, max, step: type === 'integer' ? 1 : 'any' });
    const control = options
      ? choose([['', choices[name] ? 'any' : 'default'], ...options], '', { name })
      : input();
    return [/** @type {const} */ ([name, control, description?.replaceAll('`', '')])];
  });
}

/** @type {[string, Readonly<Record<string, any>>][]} */
const EXAMPLES = [
  ['Unavailable, once', { status: 503, times: 1 }],
  ['Too many, wait 30 s', { status: 429, retryAfter: 30, times: 1 }],
  ['Done, answer lost', { phase: 'after-commit', times: 1 }],
  ['Breaks off', { phase: 'mid-body', times: 1 }],
  ['Connection cut', { phase: 'socket', times: 1 }],
  ['Two seconds late', { delayMs: 2000 }],
  ['Third call only', { status: 503, after: 2, times: 1 }],
  ['Stall', { phase: 'socket', kind: 'stall', times: 1 }],
  ['A page of a gateway', { status: 502, body: '<h1>502 Bad Gateway</h1>', times: 1 }],
  ['5 calls, then 1 a second', { capacity: 5, refillPerSecond: 1 }],
];

/** @type {View<{ faults: Fault[] }, { example: Readonly<Record<string, any>>, filled: number }>} */
export const faultsView = {
  id: 'faults',
  label: 'Faults',
  ui: () => ({ example: { status: 503, times: 1 }, filled: 0 }),
  load: ({ call }) => call('GET', '/faults'),
  render(context) {
    const { data, ui, set, act, change, call, params } = context;
    const { operations, credentials, faultSchema, store, world } = context;
    const remove = (path, what) => act(() => call('DELETE', `/faults${path}`), `${what} removed`);
    const struck = Map.groupBy(
      store().entries.filter(({ fault }) => fault !== null),
      ({ fault }) => fault.id,
    );
    const struckBy = (id) => where(world, struck.get(id) ?? []);
    const items = data.faults.map((fault) =>
      faultItem(fault, struckBy(fault.id), () => remove(`/${fault.id}`, `${fault.id} is`)),
    );
    const active = data.faults.map(({ id }) => id);
    const ended = [...struck].filter(([id]) => !active.includes(id)).toReversed();
    // An example renews the fields with its values, but keeps the choice of calls.
    const names = {
      operation: operations.map(({ id }) => id),
      credential: Object.keys(credentials),
    };
    const fieldOf = ([name, control, hint]) => {
      const stays = name in names;
      if (!stays) control.dataset.key = `${name}-${ui.filled}`;
      control.value = (stays ? params.get(name) : ui.example[name]) ?? '';
      return field(name, control, hint);
    };
    const controls = controlsOf(faultSchema?.properties ?? {}, names);
    const usual = controls.filter(([name]) => USUAL.includes(name));
    const more = controls.filter(([name]) => !USUAL.includes(name));
    const fillIn = (example) => {
      set({ example, filled: ui.filled + 1 });
      /** @type {HTMLElement | null} */ (document.querySelector('[name=status]'))?.focus();
    };
    function inject({ capacity, refillPerSecond, ...fault }) {
      const limited = capacity !== undefined || refillPerSecond !== undefined;
      const rateLimit = limited ? { capacity, refillPerSecond } : undefined;
      const order = { ...fault, rateLimit };
      return change(
        () => call('POST', '/faults', order),
        (/** @type {Fault} */ { id }) => `${id} is active`,
      );
    }
    const chip = ([label, example]) => html`
      <button type="button" class="chip" @click=${() => fillIn(example)}>${label}</button>`;
    const open = more.some(([name]) => ui.example[name] !== undefined);
    const fields = html`
      <div class="filters">
        ${usual.map(fieldOf)}
        <details class="wide" open=${open}>
          <summary>Which calls, how the connection is lost, rate limit</summary>
          <div class="filters">${more.map(fieldOf)}</div>
        </details>
      </div>`;
    return html`
      <h2>Active faults</h2>
      ${cards(items, 'No fault is active.', 'Inject “Unavailable, once”, send a request, and see how your client handles a 503.')}
      <div class="actions below">
        <button
          type="button" disabled=${items.length === 0}
          @click=${() => remove('', 'All faults are')}
        >Remove all</button>
      </div>
      ${ended.length > 0 && html`<h2>Spent or removed</h2>${cards(ended.map(([id, entries]) => endedItem(id, entries, struckBy(id))))}`}
      <h2>Inject a fault</h2>
      <div class="chips" role="group" aria-label="Examples that fill the form">
        ${EXAMPLES.map(chip)}
      </div>
      ${form(fields, 'Inject the fault', inject)}`;
  },
};

/** The requests that a fault struck, as far as the journal goes back. */
function where(world, entries) {
  return entries.length === 0
    ? html`<p class="muted">It has struck no request yet.</p>`
    : html`<p>It struck ${requestLinks(world, entries)}</p>`;
}

/** A fault that is over: the journal has its last requests. */
function endedItem(id, entries, struck) {
  return html`<li data-key=${id}><p>${entries.at(-1)?.fault.text}</p>${struck}</li>`;
}

function faultItem(
  { id, operation, credential, phase, left, times, seen, ...rest },
  struck,
  remove,
) {
  const what = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(nameAndValue);
  const still = left === null ? 'until removed' : `${left} of ${times} left`;
  return html`
    <li data-key=${id}>
      <b>${id}</b>
      <p>${operation ?? 'any operation'}, ${credential ?? 'any credential'}, ${phase}</p>
      <p>${[...what, `${count(seen, 'fitting call')} so far`, still].join(', ')}</p>
      ${struck}
      <button type="button" class="quiet" aria-label="Remove ${id}" @click=${remove}>Remove</button>
    </li>`;
}
