/** The machines of one deployment, drawn with the state that the world is in. */
import { choose, field, setOptions } from './controls.js';
import { html, renderInto } from './html.js';
import { empty } from './parts.js';
import {
  dbtPicture,
  folderPicture,
  recipientsPicture,
  stagingPictures,
  versionsPicture,
} from './pictures.js';

export const machinesView = {
  id: 'machines',
  label: 'Machines',
  mount(context) {
    let state;
    let deployment = context.params.get('deployment') ?? undefined;
    const select = choose([], undefined, (chosen) => {
      deployment = chosen;
      render();
    });
    const pictures = html`<div></div>`;

    async function refresh() {
      state = await context.call('GET', '/state');
      const { deployments } = state;
      if (!deployments.some(({ id }) => id === deployment)) deployment = deployments[0]?.id;
      setOptions(
        select,
        deployments.map(({ id, name }) => [id, `${id} ${name}`]),
        deployment,
      );
      render();
    }

    function render() {
      const groups = deployment === undefined ? [] : groupsOf(state, deployment);
      const sections = groups.map(
        ([title, figures]) => html`
          <section>
            <h2>${title}</h2>
            <div class="figures">${figures}</div>
          </section>`,
      );
      renderInto(pictures, sections.length > 0 ? sections : empty('This world has no deployment.'));
    }

    return {
      element: html`
        <div>
          <div class="filters">${field('Deployment', select)}</div>
          <p class="muted">A filled box with a dot is a state that something is in now.</p>
          ${pictures}
        </div>`,
      refresh,
    };
  },
};

function groupsOf(state, deployment) {
  const notifications = state.notifications.filter((row) => row.deploymentId === deployment);
  return [
    [
      'Staging environments',
      stagingPictures(state, deployment).map(({ title, picture }) => figure(title, picture)),
    ],
    ['Versions', figure('Heads, run before, and current', versionsPicture(state, deployment))],
    ['dbt sync jobs', figure('A job ends once', dbtPicture(state, deployment))],
    ['Folders', figure('Tree by position', folderPicture(state, deployment))],
    [
      'Recipients',
      notifications.length === 0
        ? empty('This deployment has no notification.')
        : notifications.map(({ id }) => figure(`Notification ${id}`, recipientsPicture(state, id))),
    ],
  ];
}

function figure(title, picture) {
  return html`
    <figure>
      <figcaption>${title}</figcaption>
      <div class="scroll" tabindex="0" role="group" aria-label=${title}>${picture}</div>
    </figure>`;
}
