import { expect, test } from 'vitest';
import { html, when } from './html.ts';

test('an inserted value is text, unless it is a piece of a page', () => {
  const name = `<b title="x" class='y'>&\u0000`;
  expect(html`<p title="${name}">${[name, html`<br>`, 3, undefined]}</p>`.html).toBe(
    '<p title="&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;\\u{0}">&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;\\u{0}<br>3</p>',
  );
});

test('a text that looks like a template stays text', () => {
  expect(html`${'$& $1 {x}'}`.html).toBe('$&amp; $1 {x}');
});

test('when', () => {
  expect(html`${when(false, () => html`x`)}${when(true, () => html`y`)}`.html).toBe('y');
});
