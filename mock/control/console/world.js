/** How to reach the world that is looked at: address, credentials, ids to use. */
import { html } from './html.js';
import { json, muted, pairs } from './parts.js';
/** @import { Answer, View } from './types.d.ts' */

/** @type {View<Answer>} */
export const worldView = {
  id: 'world',
  label: 'World',
  quiet: true,
  async load({ call }) {
    const [world, { credentials }] = await Promise.all([call('GET', ''), call('GET', '/state')]);
    return { ...world, states: new Map(credentials.map(({ name, state }) => [name, state])) };
  },
  render({ data }) {
    const { credentials, actors = {}, baseUrl, prefixedBaseUrl, bindings, states } = data;
    const addresses = [
      ['by credential', html`<code>${baseUrl}</code>`],
      ['by path', html`<code>${prefixedBaseUrl}</code>`],
    ];
    const rows = Object.entries(credentials).map(([name, value]) => [
      name,
      credential(value, actors[name], states.get(name) ?? 'active'),
    ]);
    return html`
      <h2>Address</h2>
      ${pairs(addresses)}
      <h2>Credentials</h2>
      ${pairs(rows)}
      <h2>Ids to use</h2>
      ${json(bindings, 'Bindings, as in a tenant file')}`;
  },
};

function credential(value, facts, state) {
  const ended = state !== 'active' && html` <b>${state}</b>`;
  return html`<code>${value}</code> ${facts && muted(rights(facts))}${ended}`;
}

function rights({ role, auditLogManage, edits, deployments }) {
  const words = [
    role,
    auditLogManage && 'reads the audit log',
    edits && `edits ${edits.length === 0 ? 'no folder' : `folders ${edits.join(', ')}`}`,
    deployments &&
      `only deployment${deployments.length === 1 ? '' : 's'} ${deployments.join(', ')}`,
  ];
  return words.filter(Boolean).join(', ');
}
