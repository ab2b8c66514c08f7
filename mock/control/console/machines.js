/** The machines of one deployment, drawn with the state that the world is in. */
import { choose, field } from './controls.js';
import { html } from './html.js';
import { empty } from './parts.js';

/** @import { Answer, View } from './types.d.ts' */

const MOST = 8;

/** @type {View<Answer, { deployment: string | null }>} */
export const machinesView = {
  id: 'machines',
  label: 'Machines',
  ui: ({ params }) => ({ deployment: params.get('deployment') }),
  load: ({ call }) => call('GET', '/state'),
  render({ data, ui, set }) {
    const { deployments } = data;
    const { id } = deployments.find((row) => row.id === ui.deployment) ?? deployments[0] ?? {};
    const options = deployments.map((row) => [row.id, `${row.id} ${row.name}`]);
    const select = choose(options, id, { changed: (deployment) => set({ deployment }) });
    return html`
      <div class="filters">${field('Deployment', select)}</div>
      <p class="muted">● marks a state that something is in now; the lines below its name say what.</p>
      ${id === undefined ? empty('This world has no deployment.') : picturesOf(data, id).map(section)}`;
  },
};

function section([title, figures]) {
  return html`
    <section>
      <h2>${title}</h2>
      <div class="figures">${figures.map(figure)}</div>
      ${figures.length === 0 && empty('This deployment has none.')}
    </section>`;
}

function figure({ title, drawing }) {
  return html`
    <figure>
      <figcaption>${title}</figcaption>
      <div class="scroll" tabindex="0" role="group" aria-label=${title}>
        <div class="machine">${drawing}</div>
      </div>
    </figure>`;
}

/** Each kind of machine: its title, and its pictures. @returns {[string, Answer[]][]} */
function picturesOf(state, deploymentId) {
  const ofDeployment = (rows) => rows.filter((row) => row.deploymentId === deploymentId);
  const branches = ofDeployment(state.branches);
  const kinds = ['shared', 'personal', 'production'];
  const notifications = ofDeployment(state.notifications);
  return [
    ['Staging environments', kinds.map((kind) => staging(kind, branches, state.environments))],
    ['Versions', [versions(state, deploymentId)]],
    ['dbt sync jobs', [dbt(ofDeployment(state.dbtSyncs))]],
    ['Folders', [folderTree(ofDeployment(state.folders))]],
    ['Recipients', notifications.map(({ id }) => recipients(state, id))],
  ];
}

/** A state: a box with its name, and under it who is in it. */
function box(name, members, { never = false, current = members.length > 0 } = {}) {
  const shown = members.length > MOST ? members.slice(0, MOST - 1) : members;
  const more = members.length - shown.length;
  return html`
    <div class="state${current && ' current'}${never && ' never'}">
      <b>${current && '● '}${name}</b>
      ${shown.map((member) => html`<span>${member}</span>`)}
      ${more > 0 && html`<span>and ${more} more</span>`}
    </div>`;
}

/** The ways between two states, in words. */
function ways(...labels) {
  return html`<div class="ways">${labels.map((label) => html`<span>${label}</span>`)}</div>`;
}

function column(...boxes) {
  return html`<div class="column">${boxes}</div>`;
}

/** STAGE-3 to STAGE-8: only a shared branch can be enabled. */
function staging(kind, branches, environments) {
  const linesOf = ({ id, name, stagingEnabled }) => {
    const environment = environments.find((row) => row.branchId === id);
    const own = stagingEnabled && environment !== undefined;
    return own ? [name, `↳ environment ${environment.id}`] : [name];
  };
  const own = branches.filter((row) => row.kind === kind);
  const off = own.filter((row) => !row.stagingEnabled).flatMap(linesOf);
  const on = own.filter((row) => row.stagingEnabled).flatMap(linesOf);
  const shared = kind === 'shared';
  return {
    title: `${kind} branches`,
    drawing: [
      box('disabled', off),
      shared
        ? ways('enable →', '← disable')
        : html`<div class="ways refused"><span>refused →</span></div>`,
      box(shared ? 'enabled' : 'never enabled', on, { never: !shared }),
    ],
  };
}

/** DBT-1, DBT-8: a job runs until it is completed or failed. */
function dbt(jobs) {
  const [running, completed, failed] = ['running', 'completed', 'failed'].map((name) =>
    jobs.filter((row) => row.state === name).map((row) => row.id),
  );
  return {
    title: 'A job ends once',
    drawing: [
      box('running', running),
      ways('complete →', 'fail →'),
      column(box('completed', completed), box('failed', failed)),
    ],
  };
}

/** VER-3 to VER-9: the heads of the channels and the versions that the account has run; the running one is marked. */
function versions(state, deploymentId) {
  const runs = state.deployments.find((row) => row.id === deploymentId)?.runs;
  const lanes = state.channels.map(({ name, head }) => {
    const ran = state.ran.filter((row) => row.channel === name).map((row) => row.version);
    const listed = [...new Set([head, ...ran])].toSorted((a, b) =>
      b.localeCompare(a, 'en', { numeric: true }),
    );
    return { name, head, ran, listed };
  });
  const version = ({ name, head, ran }, one) => {
    const current = runs === `${name}@${one}`;
    const facts = [one === head && 'head', ran.includes(one) && 'run before'].filter(Boolean);
    return box(current ? `${one} runs now` : one, [facts.join(', ')], { current });
  };
  return {
    title: 'Heads of channels, and versions run before',
    drawing: lanes.map((lane) =>
      column(html`<span>${lane.name}</span>`, ...lane.listed.map((one) => version(lane, one))),
    ),
  };
}

/** The folders of a deployment, by position below their parent. */
function folderTree(folders) {
  const below = (parentId) => {
    const children = folders.filter((row) => row.parentId === parentId);
    const items = children
      .toSorted((a, b) => a.position - b.position)
      .map(({ id, name, position }) => {
        const own = box(name, [`${id}, position ${position}`], { current: false });
        return html`<li>${own}${below(id)}</li>`;
      });
    return items.length > 0 && html`<ul class="plain tree">${items}</ul>`;
  };
  return { title: 'Tree by position', drawing: below(null) || 'no folder' };
}

/** RECIP-5 to RECIP-12: not subscribed, or subscribed; and the effect of the same call again. */
function recipients(state, notificationId) {
  const names = state.recipients
    .filter((row) => row.notificationId === notificationId)
    .map(({ kind, subject }) => `${kind} ${subject}`);
  return {
    title: `Notification ${notificationId}`,
    drawing: [
      box('not subscribed', []),
      ways('created →'),
      box('subscribed', names),
      ways('changed: updated', 'same: unchanged'),
    ],
  };
}
