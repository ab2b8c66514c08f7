/** What happens on the service's side: one small form for each kind of event. */
import { choose, durationFields, field, form, numberInput } from './controls.js';
import { html, renderInto } from './html.js';
import { json } from './parts.js';

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

/** The options of a field, from the state of the world. */
const OPTIONS = {
  channel: ({ channels }) => channels.map(({ name, head }) => [name, `${name}, head ${head}`]),
  deployment: ({ deployments }) => deployments.map(({ id, name }) => [id, `${id} ${name}`]),
  running: ({ dbtSyncs }) =>
    dbtSyncs
      .filter(({ state }) => state === 'running')
      .map(({ id, deploymentId }) => [
        JSON.stringify({ deployment: deploymentId, syncJobId: id }),
        `${id} of deployment ${deploymentId}`,
      ]),
  kind: () => [
    ['shared', 'shared'],
    ['personal', 'personal'],
  ],
  credential: ({ credentials }) =>
    credentials.map(({ name, state }) => [name, `${name}, ${state}`]),
};

export const eventsView = {
  id: 'events',
  label: 'Events',
  mount(context) {
    let state;
    const first = context.params.get('type') ?? context.eventTypes[0];
    const type = choose(context.eventTypes, first, render);
    const place = html`<div></div>`;
    const result = html`<div role="status"></div>`;
    const hint = '0: at once. Otherwise the event waits for the clock';
    const delay = durationFields('In', { value: 0, unit: 'minutes', hint });

    function render() {
      const known = Object.entries(FORMS[type.value] ?? {});
      const controls = known.map(([name, kind]) => [name, controlFor(kind, state)]);
      const free = html`<textarea rows="5" spellcheck="false"></textarea>`;
      free.value = '{}';
      const fields =
        known.length === 0
          ? field('Fields', free, 'A JSON object')
          : controls.map(([name, control]) => field(name, control));
      const read = () => (known.length === 0 ? JSON.parse(free.value) : valuesOf(controls));
      const body = html`<div class="filters">${fields}${delay.fields}</div>`;
      renderInto(
        place,
        form(body, 'Emit the event', () => emit(read())),
      );
    }

    async function emit(fields) {
      const later = Object.values(delay.get())[0] > 0;
      const event = { ...fields, in: later ? delay.get() : undefined, type: type.value };
      const answer = await context.call('POST', '/events', event);
      const title = later ? 'Scheduled' : 'Happened';
      renderInto(result, html`<h2>${title}</h2>`, json(answer, title));
      context.touch();
      state = await context.call('GET', '/state');
      render();
    }

    async function refresh() {
      if (state !== undefined) return;
      state = await context.call('GET', '/state');
      render();
    }

    return {
      element: html`
        <div>
          <div class="filters">${field('Event', type)}</div>
          ${place}
          ${result}
        </div>`,
      refresh,
    };
  },
};

function controlFor(kind, state) {
  const options = OPTIONS[kind]?.(state);
  if (options !== undefined) return choose(options, options[0]?.[0]);
  if (kind === 'number?') return numberInput();
  return html`<input type="text" placeholder=${kind.slice('text:'.length)} />`;
}

/** The controls that are filled in. A running job stands for two fields. */
function valuesOf(controls) {
  const filled = controls.filter(([, { value }]) => value !== '');
  const fields = filled.map(([name, { tagName, type, value }]) => {
    if (name === 'syncJobId' && tagName === 'SELECT') return JSON.parse(value);
    return { [name]: type === 'number' ? Number(value) : value };
  });
  return Object.assign({}, ...fields);
}
