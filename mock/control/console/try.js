/** One request to the world that is looked at, sent as a client sends it. */
import { choose, field, form } from './controls.js';
import { html } from './html.js';
import { empty, json } from './parts.js';
/** @import { Option, View } from './types.d.ts' */

/** @type {View<unknown, { chosen: string | undefined, status?: number | undefined, text?: string }>} */
export const tryView = {
  id: 'try',
  label: 'Try it',
  quiet: true,
  ui: ({ params, operations }) => ({ chosen: params.get('operation') ?? operations[0]?.id }),
  render({ ui, set, operations, credentials, world }) {
    const operation = operations.find(({ id }) => id === ui.chosen) ?? operations[0];
    if (operation === undefined) return empty('The contract has no operation.');
    const { method, path, body } = operation;
    const pathInput = html`<input name="path" spellcheck="false" value=${path} />`;
    const text = JSON.stringify(body, null, 2);
    const bodyInput = html`<textarea name="body" rows="6" value=${text}></textarea>`;
    /** @type {Option[]} */
    const keys = [['', 'none'], ...Object.entries(credentials).map(([name, key]) => [key, name])];
    async function send({ key, path: to = '/', body: data }) {
      const headers = {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(data && { 'Content-Type': 'application/json' }),
      };
      const response = await fetch(`/w/${world}${to}`, { method, headers, body: data ?? null });
      set({ status: response.status, text: await response.text() });
    }
    const ids = operations.map(({ id }) => id);
    const changed = (chosen) => set({ chosen, status: undefined });
    const fields = html`
      <div class="fields" data-key=${ui.chosen}>
        ${field('Path', pathInput)}
        ${field('As', choose(keys, credentials.admin, { name: 'key' }))}
        ${body !== undefined && field('Body', bodyInput)}
      </div>`;
    return html`
      <div class="filters">${field('Operation', choose(ids, ui.chosen, { changed }))}</div>
      ${form(fields, `Send ${method}`, send)}
      <div role="status">
        ${ui.status && html`<h2>${ui.status}</h2>${json(ui.text, 'Answer')}<a href="#/${world}/journal">See it in the journal</a>`}
      </div>`;
  },
};
