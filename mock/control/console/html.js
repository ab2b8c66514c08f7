/**
 * Elements from templates. A value in a template is text, an element, or a list of them, and never
 * markup: whatever a request holds ends up in a text node. `undefined`, `null` and `false` are left
 * out. A line break between two parts is no space, as in JSX.
 *
 *     html`<button class=${kind} disabled=${busy} @click=${go}>${label}</button>`
 */
const PROPERTIES = new Set(['value', 'checked', 'selected', 'disabled', 'open']);
const MARK = /\{(\d+)\}/g;
const BOUND = /([\w@-]+)=(?:"([^"]*\{\d+\}[^"]*)"|(\{\d+\}))/g;
const LINE_BREAK = /(>?)\s*\n\s*(?=<|$)|(>|^)\s*\n\s*/g;
const fragments = new WeakMap();

/** The element of a template; a list where it has several. */
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
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (node.nodeType === Node.COMMENT_NODE) node.replaceWith(...present(values[node.data]));
    else for (const attribute of [...node.attributes]) setAttribute(node, attribute, values);
  }
  return piece.childNodes.length === 1 ? piece.firstChild : [...piece.childNodes];
}

/**
 * The template as markup. A comment `<!--0-->` stands for a value between tags, an attribute
 * `bind:1="class=card {0}"` for one with values: the browser must not read it before it is whole.
 */
function sourceOf(strings) {
  const marked = strings.reduce((source, part, index) => {
    const mark = /<[^>]*$/.test(source) ? `{${index - 1}}` : `<!--${index - 1}-->`;
    return source + mark + part;
  });
  let bound = 0;
  return marked
    .replaceAll(LINE_BREAK, (_gap, before, after) => before || after || '')
    .replaceAll(BOUND, (_all, name, quoted, bare) => {
      bound += 1;
      return `bind:${bound}="${name}=${quoted ?? bare}"`;
    });
}

function setAttribute(element, attribute, values) {
  if (!attribute.name.startsWith('bind:')) return;
  element.removeAttribute(attribute.name);
  const [, name, value] = attribute.value.match(/^(.+?)=(.*)$/);
  const text = value.replaceAll(MARK, (_mark, index) => present(values[index]).join(''));
  const given = /^\{\d+\}$/.test(value) ? values[value.slice(1, -1)] : text;
  // What a listener gives is dropped: `false` would prevent what the browser does by itself.
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

/** Sets a property where a template says another value than before: what a person has typed stays. */
function bind(element, name, value = '') {
  const before = bound.get(element) ?? {};
  if (name in before && before[name] === value) return;
  element[name] = value;
  bound.set(element, { ...before, [name]: value });
}

/** Shows these children. What is alike stays: with its focus, its scrolling, and what was typed. */
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
  for (const next of [...made.childNodes]) {
    const key = next.dataset?.key;
    const old = key === undefined ? at : known.get(key);
    if (old?.nodeName !== next.nodeName || old.dataset?.key !== key) {
      container.insertBefore(next, at);
    } else {
      if (old === at) at = at.nextSibling;
      else container.insertBefore(old, at);
      update(old, next);
    }
  }
  while (at !== null) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** `data-keep` marks what is not drawn from data. */
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
