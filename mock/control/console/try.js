/** One request to the world that is looked at, sent as a client sends it. */
import { choose, field, form } from './controls.js';
import { html } from './html.js';
import { exchange, grading, statusChip } from './journal-entry.js';
import { badge, empty } from './parts.js';
/** @import { Context, Option, View } from './types.d.ts' */

/** @typedef {{ status: number, headers: Readonly<Record<string, string>>, body: unknown }} Answered */

/** @type {View<unknown, { chosen: string | undefined, answered?: Answered | undefined }>} */
export const tryView = {
  id: 'try',
  label: 'Try it',
  quiet: true,
  ui: ({ params, operations }) => ({ chosen: params.get('operation') ?? operations[0]?.id }),
  render(context) {
    const { ui, set, operations, credentials, world } = context;
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
      const answerHeaders = Object.fromEntries(response.headers);
      const text = await response.text();
      set({ answered: { status: response.status, headers: answerHeaders, body: parsed(text) } });
    }
    const ids = operations.map(({ id }) => id);
    const changed = (chosen) => set({ chosen, answered: undefined });
    const fields = html`
      <div class="fields" data-key=${ui.chosen}>
        ${field('Path', pathInput)}
        ${field('As', choose(keys, credentials.admin, { name: 'key' }))}
        ${body !== undefined && field('Body', bodyInput)}
      </div>`;
    return html`
      <div class="filters">${field('Operation', choose(ids, ui.chosen, { changed }))}</div>
      ${form(fields, `Send ${method}`, send)}
      <div role="status">${ui.answered && answerOf(ui.answered, context)}</div>`;
  },
};

/** @param {Answered} answered @param {Context<unknown, any>} context */
function answerOf({ status, headers, body }, context) {
  const [level, ids = ''] = (headers['lockstep-basis'] ?? '').split('; ');
  const basis = level === '' ? null : (level ?? null);
  const assumed = ids.split(', ').filter((id) => id !== '');
  return html`
    <h2 class="line">${statusChip({ status, fault: null })} ${badge(basis)}</h2>
    ${grading(basis, assumed, context)}
    ${exchange('Answer', '', headers, body)}
    <p><a href="#/${context.world}/journal">See it in the journal</a></p>`;
}

/** A body as JSON, or as text if it is not JSON. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? null : text;
  }
}
