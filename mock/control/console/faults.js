/** Orders to answer wrongly: made by a form, listed while they strike, called off. */
import { attempt, button, choose, empty, field, form, h, problemSlot, renderInto } from './dom.js';

const PHASES = [
  ['before', 'before: the service does nothing'],
  ['after-commit', 'after-commit: it is done, the answer is another or lost'],
  ['mid-body', 'mid-body: the answer breaks off'],
  ['socket', 'socket: it is done, the connection breaks'],
];

const KINDS = [
  ['', 'as usual (reset)'],
  ['reset', 'reset'],
  ['half-close', 'half-close'],
  ['stall', 'stall'],
];

/** Fields that few faults need. */
const MORE = ['after', 'every', 'kind', 'capacity', 'refillPerSecond'];

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
    const slot = problemSlot();
    const list = h('div', {});
    const number = (least, most) =>
      h('input', { type: 'number', min: String(least), max: String(most), step: '1' });
    const controls = {
      operation: choose([['', 'any'], ...context.operations.map((id) => [id, id])], ''),
      credential: choose([['', 'any'], ...context.credentials.map((name) => [name, name])], ''),
      phase: choose(PHASES, 'before'),
      status: number(200, 599),
      times: number(1, 1_000_000),
      delayMs: number(0, 600_000),
      retryAfter: number(0, 86_400),
      after: number(0, 1_000_000),
      every: number(1, 1_000_000),
      kind: choose(KINDS, ''),
      capacity: number(1, 1_000_000),
      refillPerSecond: h('input', { type: 'number', min: '0', step: 'any' }),
    };
    controls.status.value = '503';
    controls.times.value = '1';

    const more = h(
      'details',
      { class: 'wide' },
      h('summary', {}, 'Which calls, how the connection is lost, rate limit'),
      h(
        'div',
        { class: 'filters' },
        field('Leaves alone, calls', controls.after),
        field('Then each so-many-th', controls.every),
        field('Connection', controls.kind),
        field('Bucket, calls', controls.capacity, 'a limit for each credential'),
        field('Refill, calls a second', controls.refillPerSecond, 'on the world’s clock'),
      ),
    );

    async function refresh() {
      const { faults } = await context.call('GET', '/faults');
      renderInto(
        list,
        faults.length === 0
          ? empty('Nothing is ordered: the world answers as it should.')
          : h(
              'ul',
              { class: 'plain cards' },
              faults.map((fault) => describeFault(fault, () => callOff(fault.id))),
            ),
      );
      clear.disabled = faults.length === 0;
    }

    const callOff = (id) =>
      attempt(slot, async () => {
        await context.call('DELETE', `/faults/${id}`);
        context.announce(`${id} is called off`);
        await refresh();
      });

    const clear = button('Call all off', () =>
      attempt(slot, async () => {
        await context.call('DELETE', '/faults');
        context.announce('All faults are called off');
        await refresh();
      }),
    );

    return {
      element: h(
        'div',
        {},
        h('h2', {}, 'Ordered'),
        slot.element,
        list,
        h('div', { class: 'actions below' }, clear),
        h('h2', {}, 'Order one'),
        h(
          'div',
          { class: 'chips', role: 'group', 'aria-label': 'Examples that fill the form' },
          EXAMPLES.map(([label, values]) =>
            button(
              label,
              () => {
                for (const name of Object.keys(controls)) {
                  if (name === 'operation' || name === 'credential') continue;
                  controls[name].value = values[name] ?? (name === 'phase' ? 'before' : '');
                }
                more.open ||= MORE.some((name) => values[name] !== undefined);
                controls.status.focus();
              },
              { class: 'chip' },
            ),
          ),
        ),
        form(
          h(
            'div',
            { class: 'filters' },
            field('Operation', controls.operation),
            field('Credential', controls.credential),
            field('Phase', controls.phase),
            field('Status', controls.status, '200 to 599'),
            field('How often', controls.times, 'empty: until called off'),
            field('Delay, ms', controls.delayMs),
            field('Retry-After, s', controls.retryAfter),
            more,
          ),
          'Order the fault',
          async () => {
            const fault = Object.fromEntries(
              Object.entries(controls)
                .filter(([, control]) => control.value !== '')
                .map(([name, control]) => [
                  name,
                  control.type === 'number' ? control.valueAsNumber : control.value,
                ]),
            );
            const { capacity, refillPerSecond, ...order } = fault;
            const limited = capacity !== undefined || refillPerSecond !== undefined;
            const { id } = await context.call('POST', '/faults', {
              ...order,
              ...(limited ? { rateLimit: { capacity, refillPerSecond } } : {}),
            });
            context.announce(`${id} is ordered`);
            await refresh();
          },
        ),
      ),
      refresh: () => attempt(slot, refresh),
    };
  },
};

function describeFault({ id, operation, credential, phase, left, times, ...rest }, callOff) {
  const what = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return h(
    'li',
    {},
    h('b', {}, id),
    h('p', {}, `${operation ?? 'any operation'}, ${credential ?? 'any credential'}, ${phase}`),
    h(
      'p',
      {},
      [...what, left === null ? 'until called off' : `${left} of ${times} left`].join(', '),
    ),
    button('Call off', callOff, { class: 'quiet', 'aria-label': `Call ${id} off` }),
  );
}
