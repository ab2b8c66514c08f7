/** A comparison as one HTML file. */

import { html, when } from '../../spec/base/html.ts';
import { page } from '../page.ts';
import { type Digest, sectionsOf } from './digest.ts';

const style = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 400; margin: 0; }
.headline { font-size: 1.6rem; line-height: 1.3; border-left: .4rem solid; padding-left: .8rem; }
.same { border-color: #2a7d3f; } .changed { border-color: #2a6cb0; } .worse { border-color: #c0392b; }
.warning { border: 1px solid #b8860b; border-radius: 6px; padding: .5rem .8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; }
dd { margin: 0; } dd, li { overflow-wrap: anywhere; } li ul { font-size: .88rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-top: 1px solid #8884; padding-top: 1rem; }
`;

export function digestHtml(digest: Digest): string {
  const { title, headline, tone, about, warnings } = digest;
  const body = html`<main>
<h1>${title}</h1>
<p class="headline ${tone}">${headline}</p>
<dl>${about.map(([name, what]) => html`<dt>${name}</dt><dd>${what}</dd>`)}</dl>
${warnings.map((warning) => html`<p class="warning"><strong>Warning:</strong> ${warning}</p>`)}
${sectionsOf(digest).map(
  ({ heading, note, lines, more }) => html`
<section>
<h2>${heading}</h2>
${when(note !== undefined, () => html`<p>${note}</p>`)}
<ul>${lines.map(
    ({ name, text, details = [] }) => html`
<li><b>${name}</b> ${text}${when(
      details.length > 0,
      () => html`<ul>${details.map((detail) => html`<li>${detail}</li>`)}</ul>`,
    )}</li>`,
  )}${when(more > 0, () => html`<li>and ${more} more</li>`)}</ul>
</section>`,
)}
</main>`;
  return page(`${headline} – Lockstep`, style, body);
}
