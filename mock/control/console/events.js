/** What happens on the service's side: one small form for each kind of event. */
import { attempt, choose, field, form, h, json, problemSlot, renderInto } from './dom.js';

/** Fields by event: what they are chosen from, or that they are typed. */
const FORMS = {
  publishVersion: { channel: 'channel', version: 'text:1.8.0' },
  completeDbtSync: { syncJobId: 'running', models: 'number?' },
  failDbtSync: { syncJobId: 'running' },
  startDbtSync: { deployment: 'deployment', syncJobId: 'text:sync-3' },
  createBranch: { deployment: 'deployment', name: 'text:feature-x', kind: 'kind' },
  createDeployment: { name: 'text:Support' },
  deleteDeployment: { deployment: 'deployment' },
  revokeCredential: { credential: 'credential' },
  expireCredential: { credential: 'credential' },
  login: { userEmail: 'text:ana@example.com' },
};

export const eventsView = {
  id: 'events',
  label: 'Events',
  mount(context) {
    let state;
    const slot = problemSlot();
    const type = choose(
      context.eventTypes.map((name) => [name, name]),
      context.params.get('type') ?? 'publishVersion',
    );
    const place = h('div', {});
    const result = h('div', { role: 'status' });
    type.addEventListener('change', render);

    function optionsFor(kind) {
      const rows = {
        channel: () => state.channels.map(({ name, head }) => [name, `${name}, head ${head}`]),
        deployment: () => state.deployments.map(({ id, name }) => [id, `${id} ${name}`]),
        running: () =>
          state.dbtSyncs
            .filter((row) => row.state === 'running')
            .map(({ id, deploymentId }) => [
              JSON.stringify({ deployment: deploymentId, syncJobId: id }),
              `${id} of deployment ${deploymentId}`,
            ]),
        kind: () => [
          ['shared', 'shared'],
          ['personal', 'personal'],
        ],
        credential: () =>
          state.credentials.map(({ name, state: now }) => [name, `${name}, ${now}`]),
      }[kind];
      return rows?.();
    }

    function control(kind) {
      const options = optionsFor(kind);
      if (options !== undefined) return choose(options, options[0]?.[0]);
      if (kind === 'number?') return h('input', { type: 'number', min: '0', step: '1' });
      return h('input', { type: 'text', placeholder: kind.slice('text:'.length) });
    }

    const amount = h('input', { type: 'number', min: '0', step: 'any', value: '0' });
    const unit = choose(
      ['seconds', 'minutes', 'hours', 'days'].map((name) => [name, name]),
      'minutes',
    );

    function render() {
      const fields = FORMS[type.value];
      const free = h('textarea', { rows: '5', spellcheck: 'false' });
      free.value = '{}';
      const controls = Object.entries(fields ?? {}).map(([name, kind]) => [name, control(kind)]);
      renderInto(
        place,
        form(
          h(
            'div',
            { class: 'filters' },
            fields === undefined
              ? field('Fields', free, 'A JSON object')
              : controls.map(([name, element]) => field(name, element)),
            field('In', amount, '0: at once; else when the clock is there'),
            field('Unit', unit),
          ),
          'Let it happen',
          async () => {
            const given = fields === undefined ? JSON.parse(free.value) : read(controls);
            const answer = await context.call('POST', '/events', {
              ...given,
              ...(amount.valueAsNumber > 0 ? { in: { [unit.value]: amount.valueAsNumber } } : {}),
              type: type.value,
            });
            const title = amount.valueAsNumber > 0 ? 'Scheduled' : 'Happened';
            renderInto(result, h('h2', {}, title), json(answer, title));
            context.touch();
            state = await context.call('GET', '/state');
            render();
          },
        ),
      );
    }

    async function refresh() {
      if (state !== undefined) return;
      state = await context.call('GET', '/state');
      render();
    }

    return {
      element: h(
        'div',
        {},
        slot.element,
        h('div', { class: 'filters' }, field('Event', type)),
        place,
        result,
      ),
      refresh: () => attempt(slot, refresh),
    };
  },
};

/** The fields that are filled in; a running job stands for two of them. */
function read(controls) {
  return Object.fromEntries(
    controls
      .filter(([, element]) => element.value !== '')
      .flatMap(([name, element]) => {
        if (name === 'syncJobId' && element.tagName === 'SELECT') {
          return Object.entries(JSON.parse(element.value));
        }
        return [[name, element.type === 'number' ? element.valueAsNumber : element.value]];
      }),
  );
}
