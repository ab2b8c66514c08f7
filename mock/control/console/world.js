/** How to reach the world that is looked at: address, credentials, ids to use. */
import { html, renderInto } from './html.js';
import { json, muted, pairs } from './parts.js';

export const worldView = {
  id: 'world',
  label: 'World',
  mount(context) {
    const place = html`<div></div>`;

    async function refresh() {
      const [world, state] = await Promise.all([
        context.call('GET', ''),
        context.call('GET', '/state'),
      ]);
      const { credentials, actors = {}, baseUrl, prefixedBaseUrl, bindings } = world;
      const states = new Map(state.credentials.map((row) => [row.name, row.state]));
      const [first = ''] = Object.values(credentials);
      const example = `curl -i -H 'Authorization: Bearer ${first}' ${baseUrl}${document.body.dataset.example}`;
      const copy = () =>
        context.attempt(async () => {
          await navigator.clipboard.writeText(example);
          context.announce('Copied');
        });
      const addresses = [
        ['by credential', html`<code>${baseUrl}</code>`],
        ['by path', html`<code>${prefixedBaseUrl}</code>`],
      ];
      const rows = Object.entries(credentials).map(([name, value]) => [
        name,
        credential(value, actors[name], states.get(name) ?? 'active'),
      ]);
      renderInto(
        place,
        html`
          <h2>Address</h2>
          ${pairs(addresses)}
          <h2>Try it</h2>
          <pre tabindex="0">${example}</pre>
          <div class="actions below">
            <button type="button" data-key="copy" @click=${copy}>Copy</button>
          </div>
          <h2>Credentials</h2>
          ${pairs(rows)}
          <h2>Ids to use</h2>
          ${json(bindings, 'Bindings, as in a tenant file')}`,
      );
    }

    return { element: place, refresh, quiet: true };
  },
};

function credential(value, facts, state) {
  const ended = state !== 'active' && html` <b>${state}</b>`;
  return html`<code>${value}</code> ${facts && muted(rights(facts))}${ended}`;
}

/** What a credential may do, in words. */
function rights({ role, auditLogManage, edits, deployments }) {
  const words = [
    role,
    auditLogManage && 'reads the audit log',
    edits && `edits ${edits.length === 0 ? 'no folder' : `folders ${edits.join(', ')}`}`,
    deployments && `only deployments ${deployments.join(', ')}`,
  ];
  return words.filter(Boolean).join(', ');
}
