/** What is typed into and pressed: fields, forms, dialogs, and the place for what goes wrong. */
import { html } from './html.js';

/** A control under its label, with a hint that is read out after it. */
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

/** A select of values or `[value, label]` pairs; `changed` is told the value that was chosen. */
export function choose(options, value, { name, changed } = {}) {
  const change = (event) => changed?.(event.target.value);
  return html`<select name=${name} @change=${change}>${optionsOf(options, value)}</select>`;
}

export function optionsOf(options, value) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  return pairs.map(
    ([id, label]) =>
      html`<option data-key=${id} value=${id} selected=${id === value}>${label}</option>`,
  );
}

/** The field that the key `/` goes to. */
export function searchField(label, placeholder, value, search) {
  const type = (event) => search(event.target.value.trim().toLowerCase());
  return field(
    label,
    html`<input type="search" placeholder=${placeholder} data-find value=${value} @input=${type} />`,
  );
}

export function textInput(name, placeholder) {
  return html`
    <input type="text" name=${name} placeholder=${placeholder} spellcheck="false" autocomplete="off" />`;
}

export function numberInput(name, { min = 0, max, step = 1, value } = {}) {
  return html`<input type="number" name=${name} min=${min} max=${max} step=${step} value=${value} />`;
}

/** An amount and its unit; `durationOf` reads them from the values of the form. */
export function durationFields(label, { value, unit, hint }) {
  const units = choose(['seconds', 'minutes', 'hours', 'days'], unit, { name: 'unit' });
  const amount = numberInput('amount', { step: 'any', value });
  return [field(label, amount, hint), field('Unit', units)];
}

export function durationOf({ amount, unit }) {
  return { [unit]: amount };
}

/** A place for what goes wrong. */
export function problemPlace() {
  return html`<p class="problem" role="alert" data-keep hidden></p>`;
}

let fading;
/** Says what was done, to eyes and to screen readers, for a while. */
export function announce(text) {
  clearTimeout(fading);
  document.getElementById('announce').textContent = text;
  fading = setTimeout(announce, 6000, '');
}

/** Tries something, shows in a place what goes wrong, and gives whether it went well. */
export async function attempt(place, action) {
  const show = (text) => {
    place.textContent = text;
    place.hidden = text === '';
    // What was done last is no news beside what went wrong since.
    if (text !== '') announce('');
  };
  show('');
  try {
    await action();
    return true;
  } catch (error) {
    if (error?.name !== 'AbortError') show(error instanceof Error ? error.message : `${error}`);
    return false;
  }
}

/** A form; `submit` gets the values of the controls that are filled in, by name. */
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

function valuesOf({ elements }) {
  const filled = [...elements].filter(({ name, value }) => name && value !== '');
  return Object.fromEntries(
    filled.map(({ name, type, value }) => [name, type === 'number' ? Number(value) : value]),
  );
}

/** A dialog that Escape closes; `submit` runs on its button, and closes it where it succeeds. */
export function openDialog({ title, text, controls, label, kind, submit }) {
  const head = html`<h2 id="dialog-title">${title}</h2>${text && html`<p>${text}</p>`}`;
  const cancel = () => dialog.close();
  const submitAndClose = async (values) => {
    await submit(values);
    dialog.close();
  };
  const close = () => dialog.remove();
  const dialog = html`
    <dialog aria-labelledby="dialog-title" @close=${close}>
      ${form([head, controls], label, submitAndClose, { kind, cancel })}
    </dialog>`;
  document.body.append(dialog);
  dialog.showModal();
}
