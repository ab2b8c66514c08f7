/** The machines of one deployment, drawn with the state that the world is in. */
import { choose, field } from './controls.js';
import { html } from './html.js';
import { empty } from './parts.js';
import { picturesOf } from './pictures.js';

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
      <p class="muted">A filled box with a dot is a state that something is in now.</p>
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
