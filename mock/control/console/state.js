/** What a world holds, table by table, and what changed since its start or a snapshot. */
import { attempt, button, choose, count, empty, field, h, problemSlot, renderInto } from './dom.js';

const SHOWN = 200;

export const stateView = {
  id: 'state',
  label: 'State',
  mount(context) {
    let state = {};
    let changes = {};
    let table = context.params.get('table') ?? 'deployments';
    let since = 'start';
    let find = '';
    const slot = problemSlot();
    const names = h('div', { class: 'chips', role: 'group', 'aria-label': 'Tables' });
    const rows = h('div', {});
    const differences = h('div', {});
    const sinceSelect = choose([['start', 'the start']], since);
    sinceSelect.addEventListener('change', () => {
      since = sinceSelect.value;
      attempt(slot, refresh);
    });
    const search = h('input', { type: 'search', placeholder: 'any text', 'data-find': true });
    search.addEventListener('input', () => {
      find = search.value.trim().toLowerCase();
      renderRows();
    });
    const restore = button('Return to it', () =>
      attempt(slot, async () => {
        await context.call('POST', `/snapshots/${since}/restore`);
        context.announce(`The world is as it was at ${since}`);
        await refresh();
        context.touch();
      }),
    );

    let latest = 0;
    async function refresh() {
      // One that was overtaken knows less than what is shown: a snapshot taken since, for one.
      const mine = ++latest;
      const [held, { snapshots }] = await Promise.all([
        context.call('GET', '/state'),
        context.call('GET', '/snapshots'),
      ]);
      if (mine !== latest) return;
      state = held;
      if (!snapshots.some(({ id }) => id === since)) since = 'start';
      renderSince(snapshots);
      const diff = await context.call('GET', `/diff?since=${encodeURIComponent(since)}`);
      if (mine !== latest) return;
      ({ changes } = diff);
      if (!(table in state)) table = Object.keys(state)[0];
      renderNames();
      renderRows();
      renderDifferences();
    }

    function renderSince(snapshots) {
      const options = [
        ['start', 'the start'],
        ...snapshots.map(({ id, at }) => [id, `${id}, ${at.slice(0, 19).replace('T', ' ')}`]),
      ];
      sinceSelect.replaceChildren(
        ...options.map(([id, label]) => h('option', { value: id, selected: id === since }, label)),
      );
      restore.disabled = since === 'start';
    }

    function renderNames() {
      renderInto(
        names,
        Object.entries(state).map(([name, list]) => {
          const changed = Object.keys(changes[name] ?? {}).length;
          return button(
            [
              name,
              h('span', { class: 'number' }, list.length),
              changed > 0 ? h('span', { class: 'changed' }, `${changed} changed`) : null,
            ],
            () => {
              table = name;
              renderNames();
              renderRows();
            },
            { class: 'chip', 'data-key': name, 'aria-pressed': String(name === table) },
          );
        }),
      );
    }

    function renderRows() {
      const all = state[table] ?? [];
      const after = new Set(
        Object.values(changes[table] ?? {}).map((change) => JSON.stringify(change.after)),
      );
      const found = all.filter((row) => JSON.stringify(row).toLowerCase().includes(find));
      const columns = [...new Set(found.flatMap((row) => Object.keys(row)))];
      renderInto(
        rows,
        h('h2', {}, table, h('span', { class: 'muted' }, ` ${count(found.length, 'row')}`)),
        found.length === 0
          ? empty(all.length === 0 ? 'This table is empty.' : 'No row holds this text.')
          : h(
              'div',
              { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Table ${table}` },
              h(
                'table',
                {},
                h(
                  'thead',
                  {},
                  h(
                    'tr',
                    {},
                    columns.map((column) => h('th', { scope: 'col' }, column)),
                  ),
                ),
                h(
                  'tbody',
                  {},
                  found.slice(0, SHOWN).map((row) => {
                    const fresh = after.has(JSON.stringify(row));
                    return h(
                      'tr',
                      { class: fresh ? 'changed-row' : undefined },
                      columns.map((column, index) =>
                        h(
                          'td',
                          {},
                          index === 0 && fresh ? h('span', { class: 'changed' }, 'changed') : null,
                          cell(row[column]),
                        ),
                      ),
                    );
                  }),
                ),
              ),
            ),
        found.length > SHOWN
          ? h('p', { class: 'muted' }, `… and ${found.length - SHOWN} more`)
          : null,
      );
    }

    function renderDifferences() {
      const entries = Object.entries(changes).flatMap(([name, byKey]) =>
        Object.entries(byKey).map(([key, change]) => ({ name, key, ...change })),
      );
      renderInto(
        differences,
        entries.length === 0
          ? empty('Nothing has changed.')
          : h('ul', { class: 'plain changes' }, entries.map(difference)),
      );
    }

    return {
      element: h(
        'div',
        {},
        slot.element,
        h('h2', {}, 'What changed'),
        h(
          'div',
          { class: 'filters' },
          field('Since', sinceSelect),
          h(
            'div',
            { class: 'actions' },
            restore,
            button('Take a snapshot', () =>
              attempt(slot, async () => {
                const { id } = await context.call('POST', '/snapshots');
                since = id;
                await refresh();
                context.announce(`${id} is taken`);
              }),
            ),
          ),
        ),
        differences,
        h('h2', {}, 'Tables'),
        names,
        h('div', { class: 'filters' }, field('Find a row', search)),
        rows,
      ),
      refresh: () => attempt(slot, refresh),
    };
  },
};

function cell(value) {
  if (value === null || value === undefined) return h('span', { class: 'muted' }, '–');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function difference({ name, key, before, after }) {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
  );
  return h(
    'li',
    { class: 'change' },
    h(
      'p',
      {},
      h('b', {}, name),
      ' ',
      h('code', {}, key),
      ' ',
      h('span', { class: 'changed' }, kind),
    ),
    h(
      'dl',
      { class: 'pairs' },
      fields.map((field) => [
        h('dt', {}, field),
        h(
          'dd',
          {},
          before === null ? null : [h('del', {}, cell(before[field])), ' '],
          after === null ? null : h('ins', {}, cell(after[field])),
        ),
      ]),
    ),
  );
}
