/** The rows of a world, table by table, and the changes since its start or a snapshot. */
import { choose, field, saveJson, searchField } from './controls.js';
import { html } from './html.js';
import { count, empty, mark, muted, pairs } from './parts.js';

/** @import { Answer, RowChange, Option, View } from './types.d.ts' */
/** @typedef {{ id: string, at: string }[]} Snapshots */
/** @typedef {{ state: Answer, snapshots: Snapshots, since: string, changes: Answer }} Loaded */

const SHOWN = 200;
/** @type {Option} */
const START = ['start', 'the start'];
const HOW = 'Try PUT /api/v1/deployments/1/folders/11: the row is here.';

/** @type {View<Loaded, { table: string, since: string, words: string }>} */
export const stateView = {
  id: 'state',
  label: 'State',
  ui: ({ params }) => ({ table: params.get('table') ?? 'deployments', since: 'start', words: '' }),
  async load({ call, ui }) {
    const [state, { snapshots }] = await Promise.all([
      call('GET', '/state'),
      call('GET', '/snapshots'),
    ]);
    const since = snapshots.some(({ id }) => id === ui.since) ? ui.since : 'start';
    const { changes } = await call('GET', `/diff?since=${encodeURIComponent(since)}`);
    return { state, snapshots, since, changes };
  },
  render({ data: { state, snapshots, since, changes }, ui, set, act, call, refresh }) {
    const table = ui.table in state ? ui.table : (Object.keys(state)[0] ?? '');
    const changed = (chosen) => {
      ui.since = chosen;
      refresh();
    };
    const returnTo = () =>
      act(() => call('POST', `/snapshots/${since}/restore`), `The world is as it was at ${since}`);
    const takeSnapshot = () =>
      act(async () => {
        ({ id: ui.since } = await call('POST', '/snapshots'));
      }, 'A snapshot is taken');
    const save = () =>
      act(async () => {
        const fixture = await call('GET', '/fixture');
        saveJson(`${fixture.name}.fixture.json`, fixture);
      }, 'The world is saved as a fixture');
    const times = snapshots.map(({ id, at }) => [
      id,
      `${id}, ${at.slice(0, 19).replace('T', ' ')}`,
    ]);
    const differences = Object.entries(changes).flatMap(([name, byKey]) =>
      Object.entries(byKey).map(([key, change]) => difference(name, key, change)),
    );
    const list = html`<ul class="plain changes">${differences}</ul>`;
    const chip = ([name, { length }]) => {
      const number = Object.keys(changes[name] ?? {}).length;
      return html`
        <button
          type="button" class="chip" data-key=${name}
          aria-pressed=${String(name === table)} @click=${() => set({ table: name })}
        >
          ${name}
          <span class="number">${length}</span>
          ${number > 0 && mark(`${number} changed`)}
        </button>`;
    };
    return html`
      <h2>What changed</h2>
      <div class="filters">
        ${field('Since', choose([START, ...times], since, { changed }))}
        <div class="actions">
          <button type="button" disabled=${since === 'start'} @click=${returnTo}>Return to it</button>
          <button type="button" @click=${takeSnapshot}>Take a snapshot</button>
          <button type="button" @click=${save}>Save as a fixture</button>
        </div>
      </div>
      ${differences.length === 0 ? empty('Nothing has changed.', HOW) : list}
      <h2>Tables</h2>
      <div class="chips" role="group" aria-label="Tables">${Object.entries(state).map(chip)}</div>
      <div class="filters">
        ${searchField('Find a row', 'any text', ui.words, (words) => set({ words }))}
      </div>
      ${found(table, state[table] ?? [], ui.words, changes[table] ?? {})}`;
  },
};

/** The rows of a table that contain the searched words. */
function found(table, all, words, changes) {
  const rows = all.filter((row) => JSON.stringify(row).toLowerCase().includes(words));
  const none = all.length === 0 ? 'This table is empty.' : 'No row holds this text.';
  return html`
    <h2>${table}${muted(` ${count(rows.length, 'row')}`)}</h2>
    ${rows.length === 0 ? empty(none) : tableOf(table, rows, changes)}
    ${rows.length > SHOWN && html`<p class="muted">… and ${rows.length - SHOWN} more</p>`}`;
}

/** The rows as a table; changed rows are marked. */
function tableOf(name, rows, changes) {
  const after = new Set(Object.values(changes).map((change) => JSON.stringify(change.after)));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (row) => {
    const changed = after.has(JSON.stringify(row));
    const cells = columns.map(
      (column, index) =>
        html`<td>${index === 0 && changed && mark('changed')}${cell(row[column], column)}</td>`,
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

/** A time in milliseconds is written as a date. */
function dated(name, value) {
  const isTime = typeof value === 'number' && /(At|since)$/.test(name);
  return isTime ? new Date(value).toISOString() : value;
}

function cell(value, column) {
  if (value === null || value === undefined) return muted('–');
  return typeof value === 'object' ? JSON.stringify(value, dated) : String(dated(column, value));
}

/** @param {string} name @param {string} key @param {RowChange} change */
export function difference(name, key, { before = null, after = null }) {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
  );
  const rows = fields.map((field) => [
    field,
    [
      before !== null && html`<del>${cell(before[field], field)}</del> `,
      after !== null && html`<ins>${cell(after[field], field)}</ins>`,
    ],
  ]);
  return html`
    <li class="change">
      <p><b>${name}</b> <code>${key}</code> ${mark(kind)}</p>
      ${pairs(rows)}
    </li>`;
}
