/** Events on the service's side: one small form for each kind of event. */
import {
  choose,
  durationFields,
  durationOf,
  field,
  form,
  numberInput,
  textInput,
} from './controls.js';
import { html } from './html.js';
import { json } from './parts.js';

/** @import { Answer, View } from './types.d.ts' */

/** Fields by event: the list that a person chooses from, or a mark that the value is typed. @type {Answer} */
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

/** The options of a field, from the state of the world. @type {Answer} */
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
  kind: () => ['shared', 'personal'],
  credential: ({ credentials }) =>
    credentials.map(({ name, state }) => [name, `${name}, ${state}`]),
};

const HINT = '0: at once. Otherwise the event waits for the clock';

/** @type {View<Answer, { type: string | undefined, answer?: unknown, title?: string }>} */
export const eventsView = {
  id: 'events',
  label: 'Events',
  ui: ({ params, eventTypes }) => ({ type: params.get('type') ?? eventTypes[0] }),
  load: ({ call }) => call('GET', '/state'),
  render({ data, ui, set, eventTypes, call, change }) {
    const { type = '', answer, title = '' } = ui;
    const known = FORMS[type];
    const fields =
      known === undefined
        ? field('Fields', html`<textarea name="json" rows="5">{}</textarea>`, 'A JSON object')
        : Object.entries(known).map(([name, kind]) => field(name, controlFor(name, kind, data)));
    async function emit({ amount = 0, unit, json: written = '{}', syncJobId = '{}', ...others }) {
      const later = amount > 0;
      // A job that is chosen stands for two fields.
      const job = syncJobId.startsWith('{') ? JSON.parse(syncJobId) : { syncJobId };
      const delay = later ? { in: durationOf({ amount, unit }) } : {};
      const event = { ...others, ...job, ...JSON.parse(written), ...delay, type };
      await change(async () => {
        ui.answer = await call('POST', '/events', event);
        ui.title = later ? 'Scheduled' : 'Happened';
      });
    }
    const delay = durationFields('In', { value: 0, unit: 'minutes', hint: HINT });
    const body = html`<div class="filters" data-key=${type}>${fields}${delay}</div>`;
    const changed = (chosen) => set({ type: chosen });
    return html`
      <div class="filters">${field('Event', choose(eventTypes, type, { changed }))}</div>
      ${form(body, 'Emit the event', emit)}
      <div role="status">${answer && html`<h2>${title}</h2>${json(answer, title)}`}</div>`;
  },
};

function controlFor(name, kind, state) {
  const options = OPTIONS[kind]?.(state);
  if (options !== undefined) return choose(options, undefined, { name });
  if (kind === 'number?') return numberInput(name);
  return textInput(name, kind.slice('text:'.length));
}
