/** Orders about whole worlds: make one, fork it, reset it, delete it. Each asks in a dialog first. */
import { call } from './api.js';
import { announce, choose, field, numberInput, openDialog, textInput } from './controls.js';
import { html } from './html.js';

/** @import { Values } from './types.d.ts' */

const FIXTURES = ['acme', 'empty', 'basic-plan', 'large'];
const OWN_HINT = 'a YAML or JSON file, such as mock --fixture takes; it goes before the name above';
const ID_HINT = 'lower-case letters and digits; empty: the mock makes one up';
const CLOCK_HINT = 'ISO 8601; the clock then stands still. Empty: now, and it runs';
const SEED_HINT = 'for a world that is the same each time';
const RESET = 'This drops changes, time, faults, snapshots, switched assumptions and the journal.';
const DROP = 'This drops the world and its journal. Its credentials are refused from now on.';

/**
 * `world` gives the id of the world that is looked at, `go(id, view)` shows another.
 * @param {{ world(): string, go(id?: string, view?: string): void, restart(): Promise<void> }} page
 */
export function worldOrders({ world, go, restart }) {
  /** @type {(path: string, view?: string) => (values: Values) => Promise<void>} */
  const create = (path, view) => async (values) => {
    const { id } = await call('POST', path, values);
    announce(`The world ${id} is made`);
    go(id, view);
  };
  /** @param {Values & { own?: unknown }} values */
  const make = async ({ own: _path, fixture = 'acme', ...values }) => {
    const file = /** @type {HTMLInputElement | null} */ (document.querySelector('[name=own]'))
      ?.files?.[0];
    const from = file === undefined ? { fixture } : { fixtureText: await file.text() };
    await create('/worlds', 'world')({ ...values, ...from });
  };
  const confirm = (verb, text, order) => {
    const id = world();
    const submit = () => order(id);
    openDialog({ title: `${verb} ${id}?`, text, label: `${verb} it`, kind: 'danger', submit });
  };
  return {
    make() {
      openDialog({
        title: 'Make a world',
        controls: [
          field('Id', textInput('id'), ID_HINT),
          field('Fixture', choose(FIXTURES, 'acme', { name: 'fixture' })),
          field(
            'Or a fixture of your own',
            html`<input type="file" name="own" accept=".yaml,.yml,.json" />`,
            OWN_HINT,
          ),
          field('Clock', textInput('clock', '2026-01-31T09:30:00Z'), CLOCK_HINT),
          field('Seed', numberInput('seed', { min: null }), SEED_HINT),
        ],
        label: 'Make it',
        submit: make,
      });
    },
    fork() {
      openDialog({
        title: `Fork ${world()}`,
        text: 'A copy in the same state, with a journal of its own.',
        controls: [field('Id', textInput('id'), ID_HINT)],
        label: 'Fork it',
        submit: create(`/worlds/${world()}/fork`),
      });
    },
    reset: () =>
      confirm('Reset', RESET, async (id) => {
        await call('POST', `/worlds/${id}/reset`);
        await restart();
        announce(`The world ${id} is as it was made`);
      }),
    drop: () =>
      confirm('Delete', DROP, async (id) => {
        await call('DELETE', `/worlds/${id}`);
        announce(`The world ${id} is deleted`);
        go();
      }),
  };
}
