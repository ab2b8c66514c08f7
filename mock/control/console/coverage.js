/** The parts of the contract that the requests of a world have met, and those that they have not. */
import { html } from './html.js';
import { bullets, cards, count, empty, muted, operationLink, pairs } from './parts.js';

/** @import { View } from './types.d.ts' */
/** @typedef {Readonly<Record<string, number>>} Counts */
/** @typedef {Readonly<Record<string, readonly string[]>>} Names */
/**
 * @typedef {{
 *   operations: Readonly<Record<string, Counts>>,
 *   pages: Readonly<Record<string, Counts>>,
 *   never: { operations: string[], statuses: Names, pages: Names },
 *   assumptions: Readonly<Record<string, { text: string, answers: number, alternatives: { id: string }[] }>>,
 *   privileges: Readonly<Record<string, { text: string }>>,
 *   unmatched: number,
 * }} Coverage
 */

/** @type {View<Coverage>} */
export const coverageView = {
  id: 'coverage',
  label: 'Coverage',
  load: ({ call }) => call('GET', '/coverage'),
  render({ data, world, isProxy }) {
    const { operations, pages, never, assumptions, privileges, unmatched } = data;
    const ids = Object.keys(operations);
    const called = ids.filter((id) => !never.operations.includes(id));
    const items = called.map((id) => operationItem(id, operations[id], pages[id], never));
    const silences = Object.entries(assumptions).map(([id, met]) =>
      silenceItem(id, met, isProxy ? undefined : world),
    );
    const rights = Object.entries(privileges).map(([name, { text }]) => [name, text]);
    return html`
      <p class="muted" role="status">
        ${called.length} of ${count(ids.length, 'operation')} called, ${count(unmatched, 'request')} matched none
      </p>
      <h2>Called</h2>
      ${cards(items, 'No operation was called yet.', isProxy ? undefined : html`<a href="#/${world}/try">Send a request</a>`)}
      <h2>Never called</h2>
      ${never.operations.length === 0 ? empty('Every operation was called.') : bullets(never.operations.map(operationLink))}
      <h2>Assumptions that answers rested on</h2>
      ${cards(silences, 'No answer rested on an assumption.')}
      <h2>Least rights that the accepted calls needed</h2>
      ${rights.length === 0 ? empty('No call was accepted yet.') : pairs(rights)}`;
  },
};

function operationItem(id, statuses, pages, never) {
  const unmet = [
    ...(never.statuses[id] ?? []),
    ...(never.pages[id] ?? []).map((page) => `${page} page`),
  ];
  const kinds = Object.entries(pages ?? {}).map(([kind, times]) => `${kind} page ${times}×`);
  return html`
    <li data-key=${id}>
      <p>${operationLink(id)} ${Object.entries(statuses).map(statusCount)} ${kinds.join(', ')}</p>
      ${unmet.length > 0 && html`<p class="muted">not yet: ${unmet.join(', ')}</p>`}
    </li>`;
}

function statusCount([status, times]) {
  const lost = status === '0';
  return html` <span class="status ${lost ? 'none' : `s${status[0]}`}">${lost ? 'lost' : status} ${times}×</span>`;
}

function silenceItem(id, { text, answers, alternatives }, world) {
  const others = alternatives.map((choice) => choice.id).join(', ');
  return html`
    <li data-key=${id}>
      <p><b>${id}</b> ${muted(`in ${count(answers, 'answer')}`)} ${text}</p>
      ${others !== '' && html`<p class="muted">not tried: ${others}</p>`}
      ${world !== undefined && html`<a href="#/${world}/assumptions?find=${id}">Switch ${id}</a>`}
    </li>`;
}
