/** The console: which world is looked at and through which view; everything else is in the views. */

import { call } from './api.js';
import { assumptionsView } from './assumptions.js';
import { clockView } from './clock.js';
import { deviationsView } from './deviations.js';
import { attempt, choose, count, field, h, openDialog, problemSlot } from './dom.js';
import { eventsView } from './events.js';
import { faultsView } from './faults.js';
import { journalView } from './journal.js';
import { followJournal } from './journal-store.js';
import { machinesView } from './machines.js';
import { stateView } from './state.js';
import { worldView } from './world.js';

const VIEWS = [
  journalView,
  stateView,
  machinesView,
  clockView,
  faultsView,
  assumptionsView,
  deviationsView,
  eventsView,
  worldView,
];
const POLL_MS = 4000;

const byId = (id) => document.getElementById(id);
const worldSelect = byId('world');
const main = byId('main');
const slot = problemSlot();
byId('problem').append(slot.element);

/** What every view may use. */
const shared = { statements: new Map(), operations: [], eventTypes: [], worlds: [] };
/** The world that is looked at, and what ends when another is. */
let open;
/** The view that is shown. */
let shown;
let clock = { now: new Date(0).toISOString(), frozen: true, read: 0 };

let fading;
/** Says what was done, to eyes and to screen readers, for a while. */
function announce(text) {
  clearTimeout(fading);
  byId('announce').textContent = text;
  fading = setTimeout(() => {
    byId('announce').textContent = '';
  }, 6000);
}

function route() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [world = '', view = ''] = path.split('/');
  return {
    world: world === '' ? (shared.worlds[0]?.id ?? '') : world,
    view: VIEWS.find(({ id }) => id === view) ?? journalView,
    params: new URLSearchParams(query),
  };
}

function go(world, view = route().view.id) {
  const hash = `#/${world}/${view}`;
  if (location.hash === hash) render();
  else location.hash = hash;
}

async function render() {
  const { world, view, params } = route();
  if (open?.id !== world && !(await openWorld(world))) return;
  drawNavigation(view);
  const context = {
    ...shared,
    world,
    params,
    credentials: open.credentials,
    call: (method, path, body) => call(method, `/worlds/${world}${path}`, body, open?.signal),
    store: () => open.store,
    announce,
    clock: () => clock,
    setClock,
    touch: readHeader,
  };
  shown = view.mount(context);
  main.replaceChildren(h('h1', { tabindex: -1 }, view.label), shown.element);
  document.title = `${view.label} of ${world} – Lockstep`;
  tick();
  await shown.refresh?.();
}

/** Starts to look at a world. False where there is none of that name. */
async function openWorld(id) {
  open?.controller.abort();
  open = undefined;
  main.replaceChildren();
  const done = await attempt(slot, async () => {
    const { credentials } = await call('GET', `/worlds/${id}`);
    const controller = new AbortController();
    const { signal } = controller;
    open = { id, controller, signal, credentials: Object.keys(credentials) };
    open.store = followJournal(id, signal, {
      changed: (entry) => {
        shown?.journal?.(entry);
        if (entry !== undefined) arrived();
      },
      status: (state) => {
        byId('live').textContent = { live: 'live', lost: 'connecting…', gone: 'gone' }[state];
        byId('live').className = `live ${state === 'live' ? 'ok' : state}`;
      },
    });
  });
  await readHeader();
  if (!done) {
    byId('live').textContent = 'gone';
    byId('live').className = 'live gone';
    drawNavigation(route().view);
    main.append(
      h('p', {}, 'Choose another world above, or ', h('a', { href: '#/' }, 'go to the first'), '.'),
    );
  }
  return done;
}

let waiting = false;
/** After a request: what is shown may have changed. Many at once are one refresh. */
function arrived() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (!shown?.quiet) shown?.refresh?.();
    readHeader();
  }, 250);
}

function drawNavigation(current) {
  const world = route().world;
  byId('views').replaceChildren(
    ...VIEWS.map(({ id, label }) =>
      h(
        'a',
        { href: `#/${world}/${id}`, 'aria-current': id === current.id ? 'page' : undefined },
        label,
      ),
    ),
  );
}

/** The worlds there are, and the time of the one that is looked at. */
async function readHeader() {
  await attempt(headerSlot, async () => {
    const { worlds } = await call('GET', '/worlds');
    shared.worlds = worlds;
    const current = route().world;
    const options = worlds.map(({ id, fixture, requests }) => [
      id,
      `${id}${fixture === id ? '' : ` (${fixture})`} · ${count(requests, 'request')}`,
    ]);
    if (!worlds.some(({ id }) => id === current)) options.unshift([current, `${current} (gone)`]);
    const drawn = options.map(([id, label]) => h('option', { value: id }, label));
    if (
      [...worldSelect.options].map(({ text }) => text).join() !== options.map(([, l]) => l).join()
    ) {
      worldSelect.replaceChildren(...drawn);
    }
    worldSelect.value = current;
    if (open !== undefined) setClock(await call('GET', `/worlds/${open.id}/clock`));
  });
}

const headerSlot = problemSlot();
byId('problem').append(headerSlot.element);

function setClock(record) {
  clock = { ...record, read: performance.now() };
  tick();
  shown?.clock?.();
}

function tick() {
  const passed = clock.frozen ? 0 : performance.now() - clock.read;
  const text = new Date(Date.parse(clock.now) + passed).toISOString().slice(0, 19);
  const words = `${text.replace('T', ' ')} UTC`;
  for (const element of document.querySelectorAll('[data-clock]')) {
    element.textContent =
      element.dataset.clock === 'full' ? words : `${words}${clock.frozen ? ' · frozen' : ''}`;
  }
}

/** Orders about whole worlds. */
const ORDERS = {
  make() {
    const id = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off' });
    const fixture = choose(
      ['acme', 'empty', 'basic-plan', 'large'].map((name) => [name, name]),
      'acme',
    );
    const time = h('input', { type: 'text', placeholder: '2026-01-31T09:30:00Z' });
    const seed = h('input', { type: 'number', step: '1' });
    openDialog({
      title: 'Make a world',
      controls: [
        field('Id', id, 'small letters and digits; made up where it is empty'),
        field('Fixture', fixture),
        field('Clock', time, 'ISO 8601; it then stands still. Empty: now, and it runs'),
        field('Seed', seed, 'for a world that is the same each time'),
      ],
      label: 'Make it',
      async submit() {
        const made = await call('POST', '/worlds', {
          fixture: fixture.value,
          ...(id.value === '' ? {} : { id: id.value }),
          ...(time.value === '' ? {} : { clock: time.value }),
          ...(seed.value === '' ? {} : { seed: seed.valueAsNumber }),
        });
        announce(`The world ${made.id} is made`);
        go(made.id, 'world');
      },
    });
  },
  fork() {
    const id = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off' });
    openDialog({
      title: `Fork ${open.id}`,
      text: 'A copy in the same state, with a journal of its own.',
      controls: [field('Id', id, 'small letters and digits; made up where it is empty')],
      label: 'Fork it',
      async submit() {
        const body = id.value === '' ? {} : { id: id.value };
        const made = await call('POST', `/worlds/${open.id}/fork`, body);
        announce(`The world ${made.id} is made`);
        go(made.id);
      },
    });
  },
  reset() {
    openDialog({
      title: `Reset ${open.id}?`,
      text: 'Changes, time, faults, deviations, snapshots, switched assumptions and the journal are dropped.',
      label: 'Reset it',
      danger: true,
      async submit() {
        await call('POST', `/worlds/${open.id}/reset`);
        await open.store.load();
        await readHeader();
        await render();
        announce(`The world ${open.id} is as it was made`);
      },
    });
  },
  drop() {
    openDialog({
      title: `Delete ${open.id}?`,
      text: 'The world and its journal are dropped; its credentials are refused from now on.',
      label: 'Delete it',
      danger: true,
      async submit() {
        const { id } = open;
        await call('DELETE', `/worlds/${id}`);
        announce(`The world ${id} is deleted`);
        await readHeader();
        go(shared.worlds[0]?.id ?? '');
      },
    });
  },
};

for (const element of document.querySelectorAll('[data-order]')) {
  element.addEventListener('click', () => {
    if (open !== undefined || element.dataset.order === 'make') ORDERS[element.dataset.order]();
  });
}
worldSelect.addEventListener('change', () => go(worldSelect.value));
byId('skip').addEventListener('click', () => main.querySelector('h1')?.focus());
addEventListener('hashchange', async () => {
  await render();
  main.querySelector('h1')?.focus();
});
addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const find = main.querySelector('[data-find]');
  if (find === null) return;
  event.preventDefault();
  find.focus();
});

async function start() {
  const [{ statements }, { operations }, document_] = await Promise.all([
    call('GET', '/statements'),
    call('GET', '/coverage'),
    call('GET', '/openapi.json'),
  ]);
  shared.statements = new Map(statements.map((statement) => [statement.id, statement]));
  shared.operations = Object.keys(operations);
  shared.eventTypes = document_.components.schemas.Event.properties.type.enum;
  await readHeader();
  await render();
  setInterval(tick, 1000);
  setInterval(() => {
    if (document.visibilityState === 'visible') readHeader();
  }, POLL_MS);
}

attempt(slot, start);
