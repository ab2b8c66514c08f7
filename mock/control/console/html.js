/**
 * Elements from templates. A value in a template is text, an element, or a list of them. It is never
 * markup: all data of a request end up in text nodes. `undefined`, `null` and `false` are left
 * out. A line break between two parts does not become a space, as in JSX.
 *
 *     html`<button class=${kind} disabled=${busy} @click=${go}>${label}</button>`
 */
const PROPERTIES = new Set(['value', 'checked', 'selected', 'disabled', 'open']);
const MARK = /\{(\d+)\}/;
const MARKS = new RegExp(MARK, 'g');
const LINE_BREAK = /(>?)\s*\n\s*(?=<|$)|(>|^)\s*\n\s*/g;
const fragments = new WeakMap();

/**
 * The element of a template. A template with several elements gives a list; only another template accepts one.
 * @param {TemplateStringsArray} strings @param {unknown[]} values @returns {any}
 */
export function html(strings, ...values) {
  if (!fragments.has(strings)) {
    const template = document.createElement('template');
    template.innerHTML = sourceOf(strings);
    fragments.set(strings, template.content);
  }
  const piece = document.importNode(fragments.get(strings), true);
  const walker = document.createTreeWalker(
    piece,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT,
  );
  /** @type {any[]} */
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (node.nodeType === Node.COMMENT_NODE) node.replaceWith(...present(values[node.data]));
    else for (const attribute of [...node.attributes]) setAttribute(node, attribute, values);
  }
  return piece.childNodes.length === 1 ? piece.firstChild : [...piece.childNodes];
}

/** The template as markup: a comment `<!--0-->` stands for a value between tags, `{0}` for one in an attribute. */
function sourceOf(strings) {
  const marked = strings.reduce((source, part, index) => {
    const mark = /<[^>]*$/.test(source) ? `{${index - 1}}` : `<!--${index - 1}-->`;
    return source + mark + part;
  });
  return marked.replaceAll(LINE_BREAK, (_gap, before, after) => before || after || '');
}

function setAttribute(element, { name, value }, values) {
  if (!MARK.test(value)) return;
  element.removeAttribute(name);
  const text = value.replaceAll(MARKS, (_mark, index) => present(values[index]).join(''));
  const given = /^\{\d+\}$/.test(value) ? values[value.slice(1, -1)] : text;
  // The result of a listener is dropped: `false` would prevent the browser's own action.
  if (name.startsWith('@')) bind(element, `on${name.slice(1)}`, (event) => void given(event));
  else if (PROPERTIES.has(name) && name in element) bind(element, name, given);
  else if (given !== undefined && given !== null && given !== false) {
    element.setAttribute(name, given === true ? '' : given);
  }
}

function present(...children) {
  return children
    .flat(Number.POSITIVE_INFINITY)
    .filter((child) => child !== undefined && child !== null && child !== false);
}

/** The properties and listeners that templates have given to elements. */
const bound = new WeakMap();

/**
 * Sets a property only if the template's value has changed, so that text that a person has typed stays.
 * @param {any} element @param {string} name @param {unknown} [value]
 */
function bind(element, name, value = '') {
  const before = bound.get(element) ?? {};
  if (name in before && before[name] === value) return;
  element[name] = value;
  bound.set(element, { ...before, [name]: value });
}

/** Shows these children. Elements that are alike stay, with their focus, scrolling and typed text. */
export function renderInto(container, ...children) {
  const made = new DocumentFragment();
  made.append(...present(children));
  renew(container, made);
}

function renew(container, made) {
  const keyed = new Map([...made.children].map((child) => [child.dataset.key, child]));
  for (const child of [...container.children]) {
    if (!keyed.has(child.dataset.key)) child.remove();
  }
  const known = new Map([...container.children].map((child) => [child.dataset.key, child]));
  let at = container.firstChild;
  const leave = () => {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  };
  let surplus = container.childNodes.length - made.childNodes.length;
  for (const next of [...made.childNodes]) {
    const key = next.dataset?.key;
    const fits = (old) => old?.nodeName === next.nodeName && old.dataset?.key === key;
    // Surplus elements go first, so that the elements after them keep their place and the focus.
    for (; surplus > 0 && at !== null && at.dataset?.key === undefined && !fits(at); surplus -= 1)
      leave();
    const old = key === undefined ? at : known.get(key);
    if (!fits(old)) {
      container.insertBefore(next, at);
      if (surplus === 0 && at !== null && at.dataset?.key === undefined) leave();
      else surplus += 1;
    } else {
      if (old === at) at = at.nextSibling;
      else container.insertBefore(old, at);
      update(old, next);
    }
  }
  while (at !== null) leave();
}

/** `data-keep` marks elements that are not drawn from data. */
function update(old, made) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  if ('keep' in old.dataset) return;
  for (const { name } of [...old.attributes]) {
    if (!PROPERTIES.has(name) && !made.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) {
    if (!PROPERTIES.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  renew(old, made);
  for (const [name, value] of Object.entries(bound.get(made) ?? {})) bind(old, name, value);
}
