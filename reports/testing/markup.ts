/** A small, strict parser of XML and of our own HTML, for tests. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

const voidElements = new Set(['meta', 'br', 'input']);
const rawElements = new Set(['style']);

export interface MarkupOptions {
  readonly language: 'xml' | 'html';
}

/** The root elements; throws if a tag is not closed, an attribute not quoted, a `<` not escaped. */
export function readMarkup(text: string, { language }: MarkupOptions): readonly Element[] {
  const stack: {
    name: string;
    attributes: Record<string, string>;
    children: (Element | string)[];
  }[] = [{ name: '#root', attributes: {}, children: [] }];
  let rest = text.replace(language === 'xml' ? /^<\?xml [^>]*\?>/ : /^<!doctype html>/, '');
  while (rest !== '') {
    const top = stack.at(-1);
    if (top === undefined) throw new Error('a tag is closed that was never opened');
    const raw = language === 'html' && rawElements.has(top.name);
    const end = raw ? rest.indexOf(`</${top.name}>`) : rest.indexOf('<');
    const words = end < 0 ? rest : rest.slice(0, end);
    if (words !== '') top.children.push(raw ? words : unescaped(words));
    if (end < 0) break;
    rest = rest.slice(end);
    const tag = /^<(\/?)([a-z][\w-]*)((?:\s+[\w-]+(?:="[^"<]*")?)*)\s*(\/?)>/i.exec(rest);
    if (tag === null) throw new Error(`no tag: ${rest.slice(0, 80)}`);
    const [all, closing, name = '', attributeText = '', empty] = tag;
    rest = rest.slice(all.length);
    if (closing === '/') {
      if (top.name !== name) throw new Error(`</${name}> closes <${top.name}>`);
      stack.pop();
      stack.at(-1)?.children.push(top);
      continue;
    }
    const element = { name, attributes: readAttributes(attributeText, language), children: [] };
    if (empty === '/' || (language === 'html' && voidElements.has(name))) {
      top.children.push(element);
    } else stack.push(element);
  }
  const [root, ...open] = stack;
  if (root === undefined || open.length > 0)
    throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return root.children.filter((child) => typeof child !== 'string');
}

function readAttributes(text: string, language: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value] of text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
    if (value === undefined && language === 'xml') throw new Error(`${name} has no value`);
    if (name in found) throw new Error(`${name} twice`);
    found[name] = unescaped(value ?? '');
  }
  return found;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

function unescaped(text: string): string {
  if (/[\p{Cs}\ufffe\uffff]|(?![\n\t])\p{Cc}/u.test(text)) throw new Error('a control character');
  if (text.includes(']]>')) throw new Error(']]> in text');
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`no entity: ${entity}`);
    return character;
  });
}

/** The element and all below it, in document order. */
export function* walk(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) if (typeof child !== 'string') yield* walk(child);
}

/** The text of an element and all below it. */
export function textOf(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}
