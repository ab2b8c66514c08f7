/** The journal: every request as it arrives, what was answered, how firm that is, and why not. */
import {
  attempt,
  badge,
  button,
  choose,
  count,
  empty,
  field,
  h,
  json,
  problemSlot,
  renderInto,
  statementItem,
} from './dom.js';

const SHOWN = 200;

/** The filter outlives the view, so that a look elsewhere does not lose it. */
const filter = { text: '', operation: '', status: '', basis: '' };

export const journalView = {
  id: 'journal',
  label: 'Journal',
  mount(context) {
    const { statements, operations, store } = context;
    let selected;
    const slot = problemSlot();
    const list = h('ol', { class: 'entries', 'aria-label': 'Requests, newest first' });
    const summary = h('p', { class: 'muted', role: 'status' });
    const detail = h('section', { class: 'detail', 'aria-label': 'Request', hidden: true });
    const split = h('div', { class: 'split' }, h('div', {}, summary, list), detail);

    const control = (element, name, event) => {
      element.addEventListener(event, () => {
        filter[name] = element.value;
        render();
      });
      return element;
    };
    const filters = h(
      'div',
      { class: 'filters', role: 'search', 'aria-label': 'Requests' },
      field(
        'Find',
        control(
          h('input', {
            type: 'search',
            value: filter.text,
            placeholder: 'path, who, statement',
            'data-find': true,
          }),
          'text',
          'input',
        ),
      ),
      field(
        'Operation',
        control(
          choose(
            [['', 'any'], ['-', 'none matched'], ...operations.map((id) => [id, id])],
            filter.operation,
          ),
          'operation',
          'change',
        ),
      ),
      field(
        'Status',
        control(
          choose(
            [
              ['', 'any'],
              ['2', '2xx'],
              ['3', '3xx'],
              ['4', '4xx'],
              ['5', '5xx'],
              ['0', 'no answer'],
            ],
            filter.status,
          ),
          'status',
          'change',
        ),
      ),
      field(
        'Grading',
        control(
          choose(
            [
              ['', 'any'],
              ['documented', 'documented'],
              ['assumed', 'assumed'],
              ['none', 'not graded'],
            ],
            filter.basis,
          ),
          'basis',
          'change',
        ),
      ),
      h(
        'div',
        { class: 'actions' },
        button('Clear the journal', () =>
          attempt(slot, async () => {
            await context.call('DELETE', '/requests');
            close();
            await store().load();
            context.announce('The journal is empty');
          }),
        ),
        button('Save as HAR', () => attempt(slot, () => saveHar(context))),
      ),
    );

    function matching() {
      return store()
        .entries.filter((entry) => fits(entry))
        .toReversed();
    }

    function row(entry) {
      const chosen = entry.id === selected;
      return h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'entry',
            'data-key': `entry-${entry.id}`,
            'data-id': entry.id,
            'aria-pressed': String(chosen),
            tabindex: -1,
            on: { click: () => open(entry.id) },
          },
          statusChip(entry),
          h('span', { class: 'method' }, entry.method),
          h('span', { class: 'path' }, entry.path, entry.query === '' ? '' : `?${entry.query}`),
          badge(entry.basis),
          h(
            'span',
            { class: 'facts' },
            `${entry.at.slice(11, 19)} · ${entry.operation ?? 'no operation'} · ${entry.credential ?? 'nobody'}`,
            entry.contractFailures.length > 0 ? ' · breaks the contract' : '',
            entry.fault === null ? '' : ` · struck by ${entry.fault.id}`,
          ),
        ),
      );
    }

    function render() {
      const entries = matching();
      const all = store().entries.length;
      summary.textContent =
        entries.length === all
          ? `${count(all, 'request')}${store().dropped > 0 ? `, ${store().dropped} older ones forgotten` : ''}`
          : `${entries.length} of ${count(all, 'request')}`;
      if (selected !== undefined && !store().entries.some(({ id }) => id === selected)) close();
      renderInto(list, entries.slice(0, SHOWN).map(row));
      if (entries.length > SHOWN) {
        list.append(h('li', { class: 'muted' }, `… and ${entries.length - SHOWN} older ones`));
      }
      if (entries.length === 0) {
        list.append(
          h(
            'li',
            {},
            all === 0
              ? empty(
                  'Nothing has been asked of this world yet. Its address and credentials are under “World”.',
                )
              : empty('No request fits the filter.'),
          ),
        );
      }
      makeReachable();
    }

    /** One stop for the Tab key; the arrow keys go from request to request. */
    function makeReachable() {
      const stop = list.querySelector('[aria-pressed="true"]') ?? list.querySelector('.entry');
      if (stop !== null) stop.tabIndex = 0;
    }

    function arrive(entry) {
      if (!fits(entry)) {
        render();
        return;
      }
      render();
      list.firstElementChild?.classList.add('fresh');
    }

    function open(id) {
      selected = id;
      const entry = store().entries.find((candidate) => candidate.id === id);
      for (const other of list.querySelectorAll('.entry')) {
        const chosen = other.dataset.id === String(id);
        other.setAttribute('aria-pressed', String(chosen));
        other.tabIndex = chosen ? 0 : -1;
      }
      renderInto(
        detail,
        entryDetail(entry, statements, context.world, () => close(true)),
      );
      detail.hidden = false;
      split.classList.add('open');
      detail.querySelector('h2').focus({ preventScroll: innerWidth >= 960 });
    }

    function close(refocus = false) {
      if (selected === undefined) return;
      const key = `entry-${selected}`;
      selected = undefined;
      detail.hidden = true;
      split.classList.remove('open');
      for (const other of list.querySelectorAll('.entry')) {
        other.setAttribute('aria-pressed', 'false');
      }
      if (refocus) list.querySelector(`[data-key="${key}"]`)?.focus();
    }

    list.addEventListener('keydown', (event) => {
      const items = [...list.querySelectorAll('.entry')];
      const at = items.indexOf(document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (to === undefined || items[to] === undefined) return;
      event.preventDefault();
      for (const item of items) item.tabIndex = -1;
      items[to].tabIndex = 0;
      items[to].focus();
    });

    render();
    const element = h('div', {}, filters, slot.element, split);
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close(true);
    });
    return {
      element,
      journal: (entry) => (entry === undefined ? render() : arrive(entry)),
    };
  },
};

function fits(entry) {
  const { text, operation, status, basis } = filter;
  if (operation !== '' && (entry.operation ?? '-') !== operation) return false;
  if (status !== '' && String(entry.status)[0] !== status) return false;
  if (basis !== '' && (entry.basis ?? 'none') !== basis) return false;
  if (text === '') return true;
  const where = [
    entry.method,
    entry.path,
    entry.query,
    entry.operation,
    entry.credential,
    entry.status,
    entry.refusal?.statement,
    entry.fault?.id,
    ...entry.assumed,
  ];
  return where.join(' ').toLowerCase().includes(text.trim().toLowerCase());
}

/** An answer that was cut is no good one, whatever its status. */
function statusChip({ status, fault }) {
  const cut = status === 0 || fault?.cut !== undefined;
  const kind = cut ? 'none' : `s${String(status)[0]}`;
  const text = status === 0 ? 'lost' : cut ? `${status} cut` : String(status);
  return h('span', { class: `status ${kind}` }, text);
}

/** What stands over an answer: what the service made is shown even where the client never saw it. */
function answerTitle({ status, fault }) {
  if (status === 0) return fault?.served == null ? 'No answer' : 'Answer, lost on the way';
  return fault?.cut === undefined ? 'Answer' : 'Answer, cut in the middle';
}

function entryDetail(entry, statements, world, close) {
  const { operation, refusal } = entry;
  return [
    h(
      'header',
      {},
      h('h2', { tabindex: -1 }, `${entry.method} ${entry.path}`),
      button('Close', close, { class: 'quiet', 'aria-label': 'Close the request (Escape)' }),
    ),
    h(
      'p',
      { class: 'line' },
      statusChip(entry),
      badge(entry.basis),
      h('span', {}, `request ${entry.id}, `, h('time', { datetime: entry.at }, entry.at)),
    ),
    h(
      'p',
      {},
      operation === null
        ? 'Matched no operation'
        : h('a', { href: `/__admin/docs#${operation}` }, operation),
      `, as ${entry.credential ?? 'nobody'}`,
    ),
    refusal === null ? null : explanation(refusal, statements, world),
    entry.fault === null ? null : struck(entry.fault),
    entry.passedOver.length === 0
      ? null
      : [
          h('h3', {}, 'Passed over'),
          h(
            'ul',
            {},
            entry.passedOver.map((unknown) => h('li', {}, unknown)),
          ),
        ],
    entry.contractFailures.length === 0
      ? null
      : h(
          'div',
          { class: 'problem' },
          h('b', {}, 'The answer does not keep the contract'),
          h(
            'ul',
            {},
            entry.contractFailures.map((failure) =>
              h('li', {}, typeof failure === 'string' ? failure : JSON.stringify(failure)),
            ),
          ),
        ),
    h('h3', {}, 'Grading'),
    entry.assumed.length === 0
      ? h(
          'p',
          {},
          entry.basis === null
            ? 'This is no whole answer of the service, so it is not graded.'
            : 'This answer rests on no silence of the description.',
        )
      : [
          h('p', {}, 'The description leaves open:'),
          h(
            'ul',
            { class: 'plain' },
            entry.assumed.map((id) => statementItem(statements.get(id), id, world)),
          ),
        ],
    exchange('Request', entry.query, entry.headers, entry.requestBody),
    exchange(answerTitle(entry), '', entry.responseHeaders, entry.responseBody),
    ...rest(entry),
  ];
}

const KNOWN = new Set(
  `id at method path query headers operation credential requestBody status responseHeaders
  responseBody basis assumed refusal fault passedOver page contractFailures`.split(/\s+/),
);

/** What a later control API says beyond what this page knows, as it is. */
function rest(entry) {
  const more = Object.entries(entry).filter(
    ([name, value]) => !KNOWN.has(name) && value !== null && value !== undefined,
  );
  return more.map(([name, value]) => [h('h3', {}, name), json(value, name)]);
}

/** Why it was refused, where in the request and the contract, and what would have been let through. */
function explanation(
  { message, statement, at, contract, problems, lack, nearest },
  statements,
  world,
) {
  return h(
    'div',
    { class: 'why' },
    h('h3', {}, 'Why it was refused'),
    h('p', {}, message),
    problems === undefined || problems.length < 2
      ? at === undefined
        ? null
        : h('p', {}, 'at ', h('code', {}, place(at)))
      : h(
          'ul',
          {},
          problems.map((problem) =>
            h('li', {}, h('code', {}, place(problem.at)), `: ${problem.message}`),
          ),
        ),
    lack === undefined ? null : lacking(lack),
    nearest === undefined ? null : likely(nearest),
    statements.has(statement)
      ? h('ul', { class: 'plain' }, statementItem(statements.get(statement), statement, world))
      : null,
    contract === null ? null : h('p', { class: 'muted' }, 'in ', h('code', {}, contract)),
  );
}

function place(pointer) {
  return pointer === '' ? 'the whole body' : pointer;
}

function lacking({ needs, has, credentials }) {
  const would = credentials.map((name, index) => [index === 0 ? '' : ', ', h('code', {}, name)]);
  return [
    h('p', {}, `It needs ${needs}. It was sent ${has}.`),
    credentials.length === 0
      ? h('p', {}, 'No credential of this world would do.')
      : h('p', {}, 'Would do: ', would),
  ];
}

/** The operation that a request which matched none most likely meant. */
function likely({ operation, method, path, misses }) {
  return [
    h(
      'p',
      {},
      'Nearest is ',
      h('a', { href: `/__admin/docs#${operation}` }, operation),
      ', ',
      h('code', {}, `${method} ${path}`),
      ', but:',
    ),
    h(
      'ul',
      {},
      misses.map(({ what, message }) => h('li', {}, `${what}: ${message}`)),
    ),
  ];
}

function struck({ text }) {
  return h('div', { class: 'why' }, h('h3', {}, 'A fault struck it'), h('p', {}, text));
}

function exchange(title, query, headers, body) {
  return [
    h('h3', {}, title),
    query === '' || query === undefined ? null : h('p', {}, h('code', {}, `?${query}`)),
    body === null || body === undefined
      ? h('p', { class: 'muted' }, 'No body, or one that was streamed.')
      : json(body, `Body of the ${title.toLowerCase()}`),
    h(
      'details',
      {},
      h('summary', {}, count(Object.keys(headers).length, 'header')),
      h(
        'dl',
        { class: 'pairs' },
        Object.entries(headers).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
      ),
    ),
  ];
}

async function saveHar(context) {
  const har = await context.call('GET', '/requests.har');
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(har, null, 2)], { type: 'application/json' }),
  );
  h('a', { href: address, download: `lockstep-${context.world}.har` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
