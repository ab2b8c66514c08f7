/** What is typed into and pressed: fields, forms, dialogs, and the place for what goes wrong. */
import { html, renderInto } from './html.js';

let fields = 0;
/** A control under its label, with a hint that is read out after it. */
export function field(label, control, hint) {
  fields += 1;
  control.id ||= `field-${fields}`;
  if (hint !== undefined) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return html`
    <div class="field">
      <label for=${control.id}>${label}</label>
      ${control}
      ${hint && html`<small id="${control.id}-hint">${hint}</small>`}
    </div>`;
}

/** A select of values or `[value, label]` pairs; `changed` is told the value that was chosen. */
export function choose(options, value, changed) {
  const select = html`<select @change=${() => changed?.(select.value)}></select>`;
  setOptions(select, options, value);
  return select;
}

export function setOptions(select, options, value) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  renderInto(
    select,
    pairs.map(
      ([id, label]) => html`<option value=${id} selected=${id === value}>${label}</option>`,
    ),
  );
}

/** The field that the key `/` goes to. */
export function searchField(label, placeholder, search, value = '') {
  const input = html`<input type="search" placeholder=${placeholder} data-find value=${value} />`;
  input.addEventListener('input', () => search(input.value.trim().toLowerCase()));
  return field(label, input);
}

export function numberInput({ min = 0, max, step = 1, value } = {}) {
  return html`<input type="number" min=${min} max=${max} step=${step} value=${value} />`;
}

/** An amount and its unit. `get` gives `{ hours: 2 }`, and nothing where the amount is 0. */
export function durationFields(label, { value, unit, hint }) {
  const amount = numberInput({ step: 'any', value });
  const units = choose(['seconds', 'minutes', 'hours', 'days'], unit);
  return {
    fields: [field(label, amount, hint), field('Unit', units)],
    get: () => ({ [units.value]: amount.valueAsNumber }),
  };
}

/** A place for what goes wrong. `attempt` tries something, and gives whether it went well. */
export function problemPlace() {
  const element = html`<p class="problem" role="alert" hidden></p>`;
  const show = (text) => {
    element.textContent = text;
    element.hidden = text === '';
  };
  return {
    element,
    async attempt(action) {
      show('');
      try {
        await action();
        return true;
      } catch (error) {
        if (error?.name !== 'AbortError') show(error instanceof Error ? error.message : `${error}`);
        return false;
      }
    },
  };
}

/** A form: controls, a place for what goes wrong, a button to submit, and perhaps one to leave. */
export function form(controls, label, submit, { kind = 'primary', cancel } = {}) {
  const { element, attempt } = problemPlace();
  const go = html`<button type="submit" class=${kind}>${label}</button>`;
  const send = async (event) => {
    event.preventDefault();
    go.disabled = true;
    await attempt(submit);
    go.disabled = false;
  };
  return html`
    <form class="form" novalidate @submit=${send}>
      ${controls}
      ${element}
      <div class="actions">
        ${go}
        ${cancel && html`<button type="button" @click=${cancel}>Cancel</button>`}
      </div>
    </form>`;
}

/** A dialog that Escape closes; `submit` runs on its button, and closes it where it succeeds. */
export function openDialog({ title, text, controls, label, kind, submit, closed }) {
  const head = html`<h2 id="dialog-title">${title}</h2>${text && html`<p>${text}</p>`}`;
  const cancel = () => dialog.close();
  const submitAndClose = async () => {
    await submit();
    dialog.close();
  };
  const dialog = html`
    <dialog aria-labelledby="dialog-title">
      ${form([head, controls], label, submitAndClose, { kind, cancel })}
    </dialog>`;
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}
