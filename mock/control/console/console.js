/** The console: which world is looked at and through which view; everything else is in the views. */

import { call, followJournal } from './api.js';
import { assumptionsView } from './assumptions.js';
import { clockView } from './clock.js';
import { announce, attempt, optionsOf, problemPlace } from './controls.js';
import { deviationsView } from './deviations.js';
import { eventsView } from './events.js';
import { faultsView } from './faults.js';
import { html, renderInto } from './html.js';
import { journalView } from './journal.js';
import { machinesView } from './machines.js';
import { worldOrders } from './orders.js';
import { timeText } from './parts.js';
import { stateView } from './state.js';
import { tryView } from './try.js';
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
  tryView,
  worldView,
];
const POLL_MS = 4000;
const LIVE = { live: ['live', 'ok'], lost: ['connecting…', 'lost'], gone: ['gone', 'gone'] };

const byId = (id) => document.getElementById(id);
const worldSelect = byId('world');
const main = byId('main');
const pageProblem = problemPlace();
const headerProblem = problemPlace();
byId('problem').append(pageProblem, headerProblem);

/** What every view may use. */
const shared = { statements: new Map(), operations: [], eventTypes: [], worlds: [] };
/** The world that is looked at, and what ends when another is. */
let open;
/** The view that is shown. */
let shown;
/** What a view has to show, by its id. */
let counts = {};
let clock = { now: new Date(0).toISOString(), frozen: true, read: 0 };

function showStatus(state) {
  const [text, kind] = LIVE[state];
  byId('live').textContent = text;
  byId('live').className = `live ${kind}`;
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
  drawNavigation();
  const problem = problemPlace();
  const place = html`<div></div>`;
  let latest = 0;
  const context = {
    ...shared,
    view,
    world,
    params,
    credentials: open.credentials,
    call: (method, path, body) => call(method, `/worlds/${world}${path}`, body, open?.signal),
    store: () => open.store,
    attempt: (action) => attempt(problem, action),
    clock: () => clock,
    draw: () => renderInto(place, view.render(context)),
    /** Changes what the view itself holds: what is searched, chosen, open. */
    set(changes) {
      Object.assign(context.ui, changes);
      context.draw();
    },
    /** Changes the world, says what was done, and shows the world as it is then. */
    async change(action, said = '') {
      const made = await action();
      announce(typeof said === 'function' ? said(made) : said);
      await load();
    },
    /** The same of a button: what goes wrong is shown at the head of the view. */
    act: (action, said) => context.attempt(() => context.change(action, said)),
    refresh: () => context.attempt(load),
  };
  async function load() {
    latest += 1;
    const mine = latest;
    const data = await view.load?.(context);
    // One that was overtaken knows less than what is shown.
    if (mine !== latest) return;
    context.data = data;
    context.draw();
    readHeader();
  }
  context.ui = view.ui?.(context) ?? {};
  shown = context;
  main.replaceChildren(html`<h1 tabindex="-1">${view.label}</h1>`, problem, place);
  document.title = `${view.label} of ${world} – Lockstep`;
  await shown.refresh();
}

/** Starts to look at a world. False where there is none of that name. */
async function openWorld(id) {
  open?.controller.abort();
  open = undefined;
  main.replaceChildren();
  const done = await attempt(pageProblem, async () => {
    const { credentials } = await call('GET', `/worlds/${id}`);
    const controller = new AbortController();
    const { signal } = controller;
    open = { id, controller, signal, credentials };
    open.store = followJournal(id, signal, {
      changed: (entry) => {
        shown?.view.journal?.(shown, entry);
        if (entry !== undefined) arrived();
      },
      status: showStatus,
    });
  });
  await readHeader();
  if (!done) {
    showStatus('gone');
    drawNavigation();
    main.append(html`<p>Choose another world above, or <a href="#/">go to the first</a>.</p>`);
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
    if (shown?.view.quiet) readHeader();
    else shown?.refresh();
  }, 250);
}

function drawNavigation() {
  const { world, view } = route();
  const link = ({ id, label }) => html`
    <a href="#/${world}/${id}" aria-current=${id === view.id && 'page'}>
      ${label}${counts[id] > 0 && html`<span class="number">${counts[id]}</span>`}
    </a>`;
  renderInto(byId('views'), VIEWS.map(link));
}

/** The worlds there are, and the time of the one that is looked at. */
async function readHeader() {
  await attempt(headerProblem, async () => {
    const { worlds } = await call('GET', '/worlds');
    shared.worlds = worlds;
    const current = route().world;
    const options = worlds.map(({ id, fixture }) => [
      id,
      fixture === id ? id : `${id} (${fixture})`,
    ]);
    if (!worlds.some(({ id }) => id === current)) options.unshift([current, `${current} (gone)`]);
    renderInto(worldSelect, optionsOf(options, current));
    worldSelect.value = current;
    const { altered = {}, requests, ...mine } = worlds.find(({ id }) => id === current) ?? {};
    counts = { journal: requests, ...altered };
    byId('altered').hidden = !Object.values(altered).some((number) => number > 0);
    byId('drop').hidden = mine.default;
    drawNavigation();
    if (open === undefined) return;
    const record = await call('GET', `/worlds/${open.id}/clock`);
    clock = { ...record, read: performance.now() };
    tick();
  });
}

function tick() {
  byId('now').textContent = `${timeText(clock)}${clock.frozen ? ' · frozen' : ''}`;
  if (shown?.view === clockView) shown.draw();
}

const orders = worldOrders({
  world: () => open.id,
  async go(world, view) {
    if (world === undefined) await readHeader();
    go(world ?? shared.worlds[0]?.id ?? '', view);
  },
  async restart() {
    await openWorld(open.id);
    await render();
  },
});
for (const element of document.querySelectorAll('[data-order]')) {
  element.addEventListener('click', () => {
    if (open !== undefined || element.dataset.order === 'make') orders[element.dataset.order]();
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
    call('GET', '/operations'),
    call('GET', '/openapi.json'),
  ]);
  shared.statements = new Map(statements.map((statement) => [statement.id, statement]));
  shared.operations = operations;
  const { Event, FaultRequest } = document_.components.schemas;
  shared.eventTypes = Event.properties.type.enum;
  shared.faultSchema = FaultRequest;
  await readHeader();
  await render();
  setInterval(tick, 1000);
  setInterval(() => {
    if (document.visibilityState === 'visible') readHeader();
  }, POLL_MS);
}

attempt(pageProblem, start);
