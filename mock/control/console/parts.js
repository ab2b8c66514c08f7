/** Parts that several views share: values, gradings, statements, lists. */
import { html } from './html.js';

/** @import { Child, Clock, Statement } from './types.d.ts' */

const LONGEST = 20_000;
const TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * A value as indented JSON with its parts marked by kind; a text that is not JSON stays as it is.
 * @param {unknown} value @param {string} label
 */
export function json(value, label) {
  const whole = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const text = whole.slice(0, LONGEST);
  const more = whole.length - text.length;
  return html`
    <pre tabindex="0" role="region" aria-label=${label}>
      ${typeof value === 'string' ? text : coloured(text)}
      ${more > 0 && `\n… ${more} more characters`}
    </pre>`;
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const { 0: whole, 1: quoted, 2: colon, index } of text.matchAll(TOKEN)) {
    const kind = colon !== undefined ? 'key' : quoted !== undefined ? 'text' : 'literal';
    const token = quoted ?? whole;
    parts.push(text.slice(end, index), html`<span class="json-${kind}">${token}</span>`);
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
}

/** How firm an answer or a statement is, in a word and a colour. @param {string | null} level */
export function badge(level) {
  return html`<span class="badge ${level ?? 'none'}">${level ?? 'not graded'}</span>`;
}

/** A highlighted word: something has changed, or is unusual. @param {string} text */
export function mark(text) {
  return html`<span class="changed">${text}</span>`;
}

/** @param {string} text */
export function muted(text) {
  return html`<span class="muted">${text}</span>`;
}

/**
 * Nothing is there: says so, and how something comes to be there.
 * @param {string} text @param {Child} [how]
 */
export function empty(text, how) {
  return html`<p class="empty">${text}${how && [' ', how]}</p>`;
}

/** @param {readonly Child[]} items */
export function bullets(items) {
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/**
 * List items as cards, or `text` if the list is empty.
 * @param {readonly Child[]} items @param {string} [text] @param {Child} [how]
 */
export function cards(items, text = '', how) {
  return items.length === 0 ? empty(text, how) : html`<ul class="plain cards">${items}</ul>`;
}

/**
 * Names and values, from `[name, value]` pairs.
 * @param {readonly (readonly Child[])[]} entries
 */
export function pairs(entries) {
  const rows = entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`<dl class="pairs">${rows}</dl>`;
}

/** A link to an operation in the reference of the contract. @param {string} id */
export function operationLink(id) {
  return html`<a href="/__admin/docs#${id}">${id}</a>`;
}

/**
 * A statement in full: id, level, text; for a silence also the mock's choice and its alternatives.
 * @param {Statement} statement @param {string} [world]
 */
export function statementItem({ id, level, text, assumption, alternatives = [] }, world) {
  const choices = [assumption ?? [], alternatives].flat();
  const items = choices.map(
    (choice, index) => html`
      <li>${muted(index === 0 ? 'assumed ' : 'or ')}<code>${choice.id}</code> ${choice.text}</li>`,
  );
  const address = `#/${world}/assumptions?find=${id}`;
  return html`
    <li class="statement">
      <p><b>${id}</b> ${badge(level)} ${text}</p>
      ${items.length > 0 && html`<ul class="choices">${items}</ul>`}
      ${items.length > 0 && world !== undefined && html`<a href=${address}>Switch ${id}</a>`}
    </li>`;
}

/** `2 requests`, `1 request`. @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The time of a world's clock, as it is now. @param {Clock} clock */
export function timeText({ now, frozen, read }) {
  const passed = frozen ? 0 : performance.now() - read;
  const text = new Date(Date.parse(now) + passed).toISOString().slice(0, 19);
  return `${text.replace('T', ' ')} UTC`;
}

/** `status 503`. @param {[string, unknown]} field */
export function nameAndValue([name, value]) {
  return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
}

/** A path that breaks before its slashes, and not within a word. @param {string} path */
export function breakable(path) {
  const parts = path.split(/(?<=.)(?=\/)/);
  return parts.map((part, index) => [index > 0 && html`<wbr />`, part]);
}

/**
 * Links to requests of the journal.
 * @param {string} world @param {readonly { id: number, operation: string | null, path: string }[]} entries
 */
export function requestLinks(world, entries) {
  return entries.map(
    ({ id, operation, path }, index) =>
      html`${index > 0 && ', '}<a href="#/${world}/journal?request=${id}">#${id} ${operation ?? path}</a>`,
  );
}
