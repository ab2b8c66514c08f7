/** Text and attributes of XML, escaped; invisible characters are spelled out. */
import { visible } from './visible.ts';

/** Each with a space before it. */
export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visible(String(value)))}"`)
    .join('');
}

export function xmlText(value: string): string {
  return escaped(visible(value, 'lines'));
}

/** `>` too, since `]]>` must not stand in text. */
function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
