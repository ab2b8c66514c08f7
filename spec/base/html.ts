/**
 * HTML that is always escaped: a value in the template is text unless it is `Html`.
 */

import { visible } from './visible.ts';

export interface Html {
  readonly html: string;
}

export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined;

/** A piece of a page; arrays are joined, and `undefined` is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return {
    html: strings
      .map((part, index) => (index === 0 ? part : written(values[index - 1]) + part))
      .join(''),
  };
}

function written(value: HtmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if ('html' in value) return value.html;
  return value.map(written).join('');
}

/** Text for an element or a quoted attribute; invisible characters are written as escapes. */
function escapeHtml(text: string): string {
  return visible(text, 'lines')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The piece if the condition holds; undefined if it does not. */
export function when(condition: boolean, piece: () => Html): Html | undefined {
  return condition ? piece() : undefined;
}
