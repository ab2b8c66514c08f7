/** What a world holds, table by table, and what changed since its start or a snapshot. */
import { choose, field, searchField, setOptions } from './controls.js';
import { html, renderInto } from './html.js';
import { count, empty, mark, muted, pairs } from './parts.js';

const SHOWN = 200;
const START = ['start', 'the start'];

export const stateView = {
  id: 'state',
  label: 'State',
  mount(context) {
    let state = {};
    let changes = {};
    let table = context.params.get('table') ?? 'deployments';
    let since = 'start';
    let words = '';
    const names = html`<div class="chips" role="group" aria-label="Tables"></div>`;
    const rows = html`<div></div>`;
    const differences = html`<div></div>`;
    const sinceSelect = choose([START], since, (chosen) => {
      since = chosen;
      context.attempt(refresh);
    });
    const restore = html`<button type="button" @click=${returnTo}>Return to it</button>`;

    let latest = 0;
    async function refresh() {
      // One that was overtaken knows less than what is shown: a snapshot taken since, for one.
      latest += 1;
      const mine = latest;
      const [held, { snapshots }] = await Promise.all([
        context.call('GET', '/state'),
        context.call('GET', '/snapshots'),
      ]);
      if (mine !== latest) return;
      state = held;
      if (!snapshots.some(({ id }) => id === since)) since = 'start';
      const times = snapshots.map(({ id, at }) => [
        id,
        `${id}, ${at.slice(0, 19).replace('T', ' ')}`,
      ]);
      setOptions(sinceSelect, [START, ...times], since);
      restore.disabled = since === 'start';
      const diff = await context.call('GET', `/diff?since=${encodeURIComponent(since)}`);
      if (mine !== latest) return;
      ({ changes } = diff);
      if (!(table in state)) [table] = Object.keys(state);
      renderTable();
      const items = Object.entries(changes).flatMap(([name, byKey]) =>
        Object.entries(byKey).map(([key, change]) => difference(name, key, change)),
      );
      const list = html`<ul class="plain changes">${items}</ul>`;
      renderInto(differences, items.length === 0 ? empty('Nothing has changed.') : list);
    }

    function returnTo() {
      return context.attempt(async () => {
        await context.call('POST', `/snapshots/${since}/restore`);
        context.announce(`The world is as it was at ${since}`);
        await refresh();
        context.touch();
      });
    }

    function takeSnapshot() {
      return context.attempt(async () => {
        const { id } = await context.call('POST', '/snapshots');
        since = id;
        await refresh();
        context.announce(`${id} is taken`);
      });
    }

    function renderTable() {
      renderInto(names, Object.entries(state).map(chip));
      renderRows();
    }

    function chip([name, list]) {
      const changed = Object.keys(changes[name] ?? {}).length;
      const open = () => {
        table = name;
        renderTable();
      };
      const pressed = String(name === table);
      return html`
        <button type="button" class="chip" data-key=${name} aria-pressed=${pressed} @click=${open}>
          ${name}
          <span class="number">${list.length}</span>
          ${changed > 0 && mark(`${changed} changed`)}
        </button>`;
    }

    function renderRows() {
      const all = state[table] ?? [];
      const found = all.filter((row) => JSON.stringify(row).toLowerCase().includes(words));
      const none = all.length === 0 ? 'This table is empty.' : 'No row holds this text.';
      renderInto(
        rows,
        html`<h2>${table}${muted(` ${count(found.length, 'row')}`)}</h2>`,
        found.length === 0 ? empty(none) : tableOf(table, found, changes[table] ?? {}),
        found.length > SHOWN && html`<p class="muted">… and ${found.length - SHOWN} more</p>`,
      );
    }

    const find = (text) => {
      words = text;
      renderRows();
    };
    return {
      element: html`
        <div>
          <h2>What changed</h2>
          <div class="filters">
            ${field('Since', sinceSelect)}
            <div class="actions">
              ${restore}
              <button type="button" @click=${takeSnapshot}>Take a snapshot</button>
            </div>
          </div>
          ${differences}
          <h2>Tables</h2>
          ${names}
          <div class="filters">${searchField('Find a row', 'any text', find)}</div>
          ${rows}
        </div>`,
      refresh,
    };
  },
};

/** The rows as a table, those that changed marked. */
function tableOf(name, rows, changes) {
  const after = new Set(Object.values(changes).map((change) => JSON.stringify(change.after)));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (row) => {
    const changed = after.has(JSON.stringify(row));
    const cells = columns.map(
      (column, index) =>
        html`<td>${index === 0 && changed && mark('changed')}${cell(row[column])}</td>`,
    );
    return html`<tr class=${changed && 'changed-row'}>${cells}</tr>`;
  };
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Table ${name}">
      <table>
        <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>${rows.slice(0, SHOWN).map(line)}</tbody>
      </table>
    </div>`;
}

function cell(value) {
  if (value === null || value === undefined) return muted('–');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function difference(name, key, { before, after }) {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
  );
  const rows = fields.map((field) => [
    field,
    [
      before !== null && html`<del>${cell(before[field])}</del> `,
      after !== null && html`<ins>${cell(after[field])}</ins>`,
    ],
  ]);
  return html`
    <li class="change">
      <p><b>${name}</b> <code>${key}</code> ${mark(kind)}</p>
      ${pairs(rows)}
    </li>`;
}
