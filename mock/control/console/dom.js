/** Elements without markup in text: whatever a request holds ends up in a text node, never as HTML. */

const PROPERTIES = new Set(['value', 'checked', 'selected', 'disabled', 'open', 'indeterminate']);

/** `h('p', { class: 'muted', on: { click } }, 'text', child)`; empty children are left out. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (PROPERTIES.has(name) && name in element) element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

function present(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false);
}

/** Replaces what is inside, and keeps the focus on the element of the same data-key. */
export function renderInto(container, ...children) {
  const focused = container.contains(document.activeElement)
    ? document.activeElement.closest('[data-key]')?.dataset.key
    : undefined;
  container.replaceChildren(...present(children));
  if (focused === undefined) return;
  const again = container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again === null) container.closest('[tabindex]')?.focus();
  else again.focus();
}

let fields = 0;
/** A control under its label, with a hint that is read out after it. */
export function field(label, control, hint) {
  fields += 1;
  control.id ||= `field-${fields}`;
  if (hint !== undefined) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: control.id }, label),
    control,
    hint === undefined ? null : h('small', { id: `${control.id}-hint` }, hint),
  );
}

/** A select of `[value, label]` pairs. */
export function choose(options, value, props = {}) {
  const element = h(
    'select',
    props,
    options.map(([id, label]) => h('option', { value: id, selected: id === value }, label)),
  );
  return element;
}

export function button(label, click, props = {}) {
  return h('button', { type: 'button', ...props, on: { click } }, label);
}

/** Where an error of the control API is shown: beside what was tried. */
export function problemSlot() {
  const element = h('p', { class: 'problem', role: 'alert', hidden: true });
  return {
    element,
    show(error) {
      element.textContent = error instanceof Error ? error.message : String(error);
      element.hidden = false;
    },
    clear() {
      element.textContent = '';
      element.hidden = true;
    },
  };
}

/** Tries something; what goes wrong is shown in the slot. True where it went well. */
export async function attempt(slot, action) {
  slot.clear();
  try {
    await action();
    return true;
  } catch (error) {
    if (error?.name !== 'AbortError') slot.show(error);
    return false;
  }
}

/** A form: controls, a submit button, and a place for the error. */
export function form(controls, label, submit) {
  const slot = problemSlot();
  const go = h('button', { type: 'submit', class: 'primary' }, label);
  const element = h(
    'form',
    { class: 'form', novalidate: true },
    controls,
    h('div', { class: 'actions' }, go),
    slot.element,
  );
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    go.disabled = true;
    await attempt(slot, () => submit(element));
    go.disabled = false;
  });
  return element;
}

/** A dialog that Escape closes; `submit` runs on its button, and closes it where it succeeds. */
export function openDialog({ title, text, controls = [], label, danger = false, submit, closed }) {
  const slot = problemSlot();
  const go = h('button', { type: 'submit', class: danger ? 'danger' : 'primary' }, label);
  const heading = h('h2', { id: 'dialog-title' }, title);
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    h(
      'form',
      { class: 'form', novalidate: true },
      heading,
      text === undefined ? null : h('p', {}, text),
      controls,
      slot.element,
      h(
        'div',
        { class: 'actions' },
        go,
        button('Cancel', () => dialog.close()),
      ),
    ),
  );
  dialog.addEventListener('submit', async (event) => {
    event.preventDefault();
    go.disabled = true;
    if (await attempt(slot, submit)) dialog.close();
    go.disabled = false;
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const LONGEST = 20_000;
const TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A value as indented JSON with its parts told apart; text that is none as it is. */
export function json(value, label) {
  const whole = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const text = whole.slice(0, LONGEST);
  const parts = [];
  let end = 0;
  if (typeof value !== 'string') {
    for (const match of text.matchAll(TOKEN)) {
      const kind = match[2] !== undefined ? 'key' : match[1] !== undefined ? 'text' : 'literal';
      parts.push(
        text.slice(end, match.index),
        h('span', { class: `json-${kind}` }, match[1] ?? match[0]),
      );
      end = match.index + (match[1] ?? match[0]).length;
    }
  }
  parts.push(text.slice(end));
  const more = whole.length - text.length;
  return h(
    'pre',
    { tabindex: 0, role: 'region', 'aria-label': label },
    parts,
    more > 0 ? `\n… ${more} more characters` : null,
  );
}

/** How firm an answer or a statement is, in a word and a colour. */
export function badge(level) {
  return h('span', { class: `badge ${level ?? 'none'}` }, level ?? 'not graded');
}

/** A statement in full: id, level, text; at a silence what the mock does and what it might do. */
export function statementItem(statement, id, world) {
  if (statement === undefined) return h('li', {}, h('b', {}, id));
  const choices = [statement.assumption, ...(statement.alternatives ?? [])].filter(Boolean);
  return h(
    'li',
    { class: 'statement' },
    h('p', {}, h('b', {}, id), ' ', badge(statement.level), ' ', statement.text),
    choices.length === 0
      ? null
      : h(
          'ul',
          { class: 'choices' },
          choices.map((choice, index) =>
            h(
              'li',
              {},
              h('span', { class: 'muted' }, index === 0 ? 'assumed ' : 'or '),
              h('code', {}, choice.id),
              ` ${choice.text}`,
            ),
          ),
        ),
    world === undefined || choices.length === 0
      ? null
      : h('a', { href: `#/${world}/assumptions?find=${id}` }, `Switch ${id}`),
  );
}

export function empty(text) {
  return h('p', { class: 'empty' }, text);
}

/** `2 requests`, `1 request`. */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
