/** Orders about whole worlds: make one, fork it, reset it, delete it. Each asks in a dialog first. */
import { call } from './api.js';
import { choose, field, numberInput, openDialog } from './controls.js';
import { html } from './html.js';

const FIXTURES = ['acme', 'empty', 'basic-plan', 'large'];
const ID_HINT = 'lower-case letters and digits; empty: the mock makes one up';

const textInput = () => html`<input type="text" spellcheck="false" autocomplete="off" />`;
/** The value of a control; undefined where it is empty. */
const given = ({ value }) => (value === '' ? undefined : value);

/** `world` gives the id of the world that is looked at, `go(id, view)` shows another. */
export function worldOrders({ world, go, announce, restart }) {
  return {
    make() {
      const id = textInput();
      const fixture = choose(FIXTURES, 'acme');
      const clock = html`<input type="text" placeholder="2026-01-31T09:30:00Z" />`;
      const seed = numberInput({ min: null });
      openDialog({
        title: 'Make a world',
        controls: [
          field('Id', id, ID_HINT),
          field('Fixture', fixture),
          field('Clock', clock, 'ISO 8601; the clock then stands still. Empty: now, and it runs'),
          field('Seed', seed, 'for a world that is the same each time'),
        ],
        label: 'Make it',
        async submit() {
          const made = await call('POST', '/worlds', {
            fixture: fixture.value,
            id: given(id),
            clock: given(clock),
            seed: seed.value === '' ? undefined : seed.valueAsNumber,
          });
          announce(`The world ${made.id} is made`);
          go(made.id, 'world');
        },
      });
    },
    fork() {
      const id = textInput();
      openDialog({
        title: `Fork ${world()}`,
        text: 'A copy in the same state, with a journal of its own.',
        controls: [field('Id', id, ID_HINT)],
        label: 'Fork it',
        async submit() {
          const made = await call('POST', `/worlds/${world()}/fork`, { id: given(id) });
          announce(`The world ${made.id} is made`);
          go(made.id);
        },
      });
    },
    reset() {
      openDialog({
        title: `Reset ${world()}?`,
        text: 'This drops changes, time, faults, deviations, snapshots, switched assumptions and the journal.',
        label: 'Reset it',
        kind: 'danger',
        async submit() {
          await call('POST', `/worlds/${world()}/reset`);
          await restart();
          announce(`The world ${world()} is as it was made`);
        },
      });
    },
    drop() {
      const id = world();
      openDialog({
        title: `Delete ${id}?`,
        text: 'This drops the world and its journal. Its credentials are refused from now on.',
        label: 'Delete it',
        kind: 'danger',
        async submit() {
          await call('DELETE', `/worlds/${id}`);
          announce(`The world ${id} is deleted`);
          go();
        },
      });
    },
  };
}
