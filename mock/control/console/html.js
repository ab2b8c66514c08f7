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
  return fill(strings, values, (content) => content);
}

/** The same for what stands inside an `svg` element. */
export function svg(strings, ...values) {
  return fill(strings, values, (content) => content.firstChild, ['<svg>', '</svg>']);
}

function fill(strings, values, rootOf, around = ['', '']) {
  if (!fragments.has(strings)) {
    const template = document.createElement('template');
    template.innerHTML = around.join(sourceOf(strings));
    const fragment = new DocumentFragment();
    fragment.append(...rootOf(template.content).childNodes);
    fragments.set(strings, fragment);
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
  if (given === undefined || given === null || given === false) return;
  if (name.startsWith('@')) element.addEventListener(name.slice(1), given);
  else if (PROPERTIES.has(name) && name in element) element[name] = given;
  else element.setAttribute(name, given === true ? '' : given);
}

function present(...children) {
  return children
    .flat(Number.POSITIVE_INFINITY)
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
  (again ?? container.closest('[tabindex]'))?.focus();
}
