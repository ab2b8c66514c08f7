/** Controls: fields, forms, dialogs, and the place for error messages. */
import { html } from './html.js';
/** @import { Child, Option, Values } from './types.d.ts' */

/**
 * A control under its label, with a hint that is read out after it.
 * @param {string} label @param {HTMLElement} control @param {string} [hint]
 */
export function field(label, control, hint) {
  control.id = `field-${label.toLowerCase().replaceAll(/\W+/g, '-')}`;
  if (hint !== undefined) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return html`
    <div class="field" data-key=${control.id}>
      <label for=${control.id}>${label}</label>
      ${control}
      ${hint && html`<small id="${control.id}-hint">${hint}</small>`}
    </div>`;
}

/**
 * A select of values or `[value, label]` pairs; `changed` is told the value that was chosen.
 * @param {readonly Option[]} options @param {unknown} value
 * @param {{ name?: string, changed?(value: any): void }} more
 */
export function choose(options, value, { name, changed } = {}) {
  const change = (event) => changed?.(event.target.value);
  return html`<select name=${name} @change=${change}>${optionsOf(options, value)}</select>`;
}

/** @param {readonly Option[]} options @param {unknown} value @returns {HTMLElement[]} */
export function optionsOf(options, value) {
  const pairs = options.map((option) => (typeof option === 'string' ? [option, option] : option));
  return pairs.map(
    ([id, label]) =>
      html`<option data-key=${id} value=${id} selected=${id === value}>${label}</option>`,
  );
}

/**
 * The field that the key `/` goes to.
 * @param {string} label @param {string} placeholder @param {string} value
 * @param {(text: string) => void} search
 */
export function searchField(label, placeholder, value, search) {
  const type = (event) => search(event.target.value.trim().toLowerCase());
  return field(
    label,
    html`<input type="search" placeholder=${placeholder} data-find value=${value} @input=${type} />`,
  );
}

/** @param {string} name @param {string} [placeholder] */
export function textInput(name, placeholder) {
  return html`
    <input type="text" name=${name} placeholder=${placeholder} spellcheck="false" autocomplete="off" />`;
}

/**
 * @param {string} name
 * @param {{ min?: number | null, max?: number | undefined, step?: number | 'any', value?: number }} limits
 */
export function numberInput(name, { min = 0, max, step = 1, value } = {}) {
  return html`<input type="number" name=${name} min=${min} max=${max} step=${step} value=${value} />`;
}

/**
 * An amount and its unit; `durationOf` reads them from the values of the form.
 * @param {string} label @param {{ value: number, unit: string, hint?: string }} options
 */
export function durationFields(label, { value, unit, hint }) {
  const units = choose(['seconds', 'minutes', 'hours', 'days'], unit, { name: 'unit' });
  const amount = numberInput('amount', { step: 'any', value });
  return html`<div class="filters">${field(label, amount, hint)}${field('Unit', units)}</div>`;
}

/** @param {Values} values */
export function durationOf({ amount, unit = '' }) {
  return { [unit]: amount };
}

/** An element that the page has. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}`);
  return found;
}

/** Hands a file to the browser. @param {string} name @param {unknown} content */
export function saveJson(name, content) {
  const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const address = URL.createObjectURL(blob);
  html`<a href=${address} download=${name}></a>`.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A place for error messages. @returns {HTMLElement} */
export function problemPlace() {
  return html`<p class="problem" role="alert" data-keep hidden></p>`;
}

/** @type {number | undefined} */
let fading;
/** Announces an action, to eyes and to screen readers, for a while. @param {string} text */
export function announce(text) {
  clearTimeout(fading);
  byId('announce').textContent = text;
  fading = setTimeout(announce, 6000, '');
}

/** @param {unknown} error */
export const isAborted = (error) => error instanceof Error && error.name === 'AbortError';

/**
 * Runs an action and shows its error in the given place. Returns true if there was no error.
 * @param {HTMLElement} place @param {() => unknown} action
 */
export async function attempt(place, action) {
  const show = (text) => {
    place.textContent = text;
    place.hidden = text === '';
    // After an error, the announcement of an earlier success would mislead.
    if (text !== '') announce('');
  };
  show('');
  try {
    await action();
    return true;
  } catch (error) {
    if (!isAborted(error)) show(error instanceof Error ? error.message : `${error}`);
    return false;
  }
}

/**
 * A form; `submit` gets the values of the controls that are filled in, by name.
 * @param {Child} controls @param {string} label @param {(values: any) => unknown} submit
 * @param {{ kind?: string | undefined, cancel?(): void }} more
 */
export function form(controls, label, submit, { kind = 'primary', cancel } = {}) {
  const send = async (event) => {
    event.preventDefault();
    const { target } = event;
    // The button is not disabled meanwhile: it would lose the focus.
    if (target.ariaBusy === 'true') return;
    target.ariaBusy = 'true';
    await attempt(target.querySelector('.problem'), () => submit(valuesOf(target)));
    target.ariaBusy = 'false';
  };
  return html`
    <form class="form" novalidate @submit=${send}>
      ${controls}
      ${problemPlace()}
      <div class="actions">
        <button type="submit" class=${kind}>${label}</button>
        ${cancel && html`<button type="button" @click=${cancel}>Cancel</button>`}
      </div>
    </form>`;
}

/** @param {HTMLFormElement} form @returns {Values} */
function valuesOf({ elements }) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...elements]);
  const filled = inputs.filter(({ name, value }) => name && value !== '');
  return Object.fromEntries(
    filled.map(({ name, type, value }) => [name, type === 'number' ? Number(value) : value]),
  );
}

/**
 * A dialog that Escape closes. Its button runs `submit`; if that succeeds, the dialog closes.
 * @param {{ title: string, text?: string, controls?: Child, label: string, kind?: string, submit(values: any): unknown }} options
 */
export function openDialog({ title, text, controls, label, kind, submit }) {
  const head = html`<h2 id="dialog-title">${title}</h2>${text && html`<p>${text}</p>`}`;
  const cancel = () => dialog.close();
  const submitAndClose = async (values) => {
    await submit(values);
    dialog.close();
  };
  const close = () => dialog.remove();
  /** @type {HTMLDialogElement} */
  const dialog = html`
    <dialog aria-labelledby="dialog-title" @close=${close}>
      ${form([head, controls], label, submitAndClose, { kind, cancel })}
    </dialog>`;
  document.body.append(dialog);
  dialog.showModal();
}
