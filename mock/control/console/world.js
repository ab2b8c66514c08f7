/** How to reach the world that is looked at: address, credentials, ids to use. */
import { attempt, button, h, json, problemSlot, renderInto } from './dom.js';

export const worldView = {
  id: 'world',
  label: 'World',
  mount(context) {
    const slot = problemSlot();
    const place = h('div', {});

    async function refresh() {
      const [world, state] = await Promise.all([
        context.call('GET', ''),
        context.call('GET', '/state'),
      ]);
      const ended = new Map(
        state.credentials
          .filter((row) => row.state !== 'active')
          .map((row) => [row.name, row.state]),
      );
      const credential = Object.values(world.credentials)[0] ?? '';
      const example = `curl -i -H 'Authorization: Bearer ${credential}' ${world.baseUrl}/api/v1/deployments`;
      renderInto(
        place,
        h('h2', {}, 'Address'),
        h(
          'dl',
          { class: 'pairs' },
          h('dt', {}, 'by credential'),
          h('dd', {}, h('code', {}, world.baseUrl)),
          h('dt', {}, 'by path'),
          h('dd', {}, h('code', {}, world.prefixedBaseUrl)),
        ),
        h('h2', {}, 'Try it'),
        h('pre', { tabindex: 0 }, example),
        h(
          'div',
          { class: 'actions below' },
          button(
            'Copy',
            () =>
              attempt(slot, async () => {
                await navigator.clipboard.writeText(example);
                context.announce('Copied');
              }),
            { 'data-key': 'copy' },
          ),
        ),
        h('h2', {}, 'Credentials'),
        h(
          'dl',
          { class: 'pairs' },
          Object.entries(world.credentials).map(([name, value]) => [
            h('dt', {}, name),
            h(
              'dd',
              {},
              h('code', {}, value),
              ' ',
              actor(world.actors?.[name]),
              ended.has(name) ? [' ', h('b', {}, ended.get(name))] : null,
            ),
          ]),
        ),
        h('h2', {}, 'Ids to use'),
        json(world.bindings, 'Bindings, as in a tenant file'),
      );
    }

    return {
      element: h('div', {}, slot.element, place),
      refresh: () => attempt(slot, refresh),
      quiet: true,
    };
  },
};

/** What a credential may do, in words. */
function actor(facts) {
  if (facts === undefined) return null;
  const { role, auditLogManage, edits, deployments } = facts;
  const words = [
    role,
    auditLogManage === true ? 'reads the audit log' : null,
    edits === undefined
      ? null
      : `edits ${edits.length === 0 ? 'no folder' : `folders ${edits.join(', ')}`}`,
    deployments === undefined ? null : `only deployments ${deployments.join(', ')}`,
  ].filter(Boolean);
  return h('span', { class: 'muted' }, words.join(', '));
}
