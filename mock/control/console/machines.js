/** The machines of one deployment, drawn with the state that the world is in. */
import { attempt, choose, empty, field, h, problemSlot, renderInto } from './dom.js';
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
    const slot = problemSlot();
    const select = choose([], '');
    const pictures = h('div', {});
    select.addEventListener('change', () => {
      deployment = select.value;
      render();
    });

    async function refresh() {
      state = await context.call('GET', '/state');
      const ids = state.deployments.map(({ id }) => id);
      if (!ids.includes(deployment)) deployment = ids[0];
      select.replaceChildren(
        ...state.deployments.map(({ id, name }) =>
          h('option', { value: id, selected: id === deployment }, `${id} ${name}`),
        ),
      );
      render();
    }

    function render() {
      if (deployment === undefined) {
        renderInto(pictures, empty('This world has no deployment.'));
        return;
      }
      const notifications = state.notifications.filter((row) => row.deploymentId === deployment);
      renderInto(
        pictures,
        group(
          'Staging environments',
          stagingPictures(state, deployment).map(({ title, picture }) => figure(title, picture)),
        ),
        group(
          'Versions',
          figure('Heads, run before, and current', versionsPicture(state, deployment)),
        ),
        group('dbt sync jobs', figure('A job ends once', dbtPicture(state, deployment))),
        group('Folders', figure('Tree by position', folderPicture(state, deployment))),
        group(
          'Recipients',
          notifications.length === 0
            ? empty('This deployment has no notification.')
            : notifications.map(({ id }) =>
                figure(`Notification ${id}`, recipientsPicture(state, id)),
              ),
        ),
      );
    }

    return {
      element: h(
        'div',
        {},
        slot.element,
        h('div', { class: 'filters' }, field('Deployment', select)),
        h('p', { class: 'muted' }, 'A filled box with a dot is a state that something is in now.'),
        pictures,
      ),
      refresh: () => attempt(slot, refresh),
    };
  },
};

function group(title, ...children) {
  return h('section', {}, h('h2', {}, title), h('div', { class: 'figures' }, children));
}

function figure(title, picture) {
  return h(
    'figure',
    {},
    h('figcaption', {}, title),
    h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': title }, picture),
  );
}
