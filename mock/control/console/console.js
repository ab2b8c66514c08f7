/** The console: which world is looked at and through which view; everything else is in the views. */

import { call, followJournal } from './api.js';
import { assumptionsView } from './assumptions.js';
import { clockView } from './clock.js';
import { announce, attempt, byId, optionsOf, problemPlace } from './controls.js';
import { coverageView } from './coverage.js';
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

/** @import { Clock, Context, Shared, Store, View, WorldRow } from './types.d.ts' */

/** @type {View<any, any>[]} */
const VIEWS = [
  journalView,
  stateView,
  machinesView,
  clockView,
  faultsView,
  assumptionsView,
  deviationsView,
  eventsView,
  coverageView,
  tryView,
  worldView,
];
/** Those of a proxy: the service that it watches has no switches. */
const WATCHED = [journalView, coverageView];
const POLL_MS = 4000;
/** @type {Readonly<Record<string, [string, string]>>} */
const LIVE = { live: ['live', 'ok'], lost: ['connecting…', 'lost'], gone: ['gone', 'gone'] };

const worldSelect = /** @type {HTMLSelectElement} */ (byId('world'));
const main = byId('main');
const pageProblem = problemPlace();
const headerProblem = problemPlace();
byId('problem').append(pageProblem, headerProblem);

/** Data that every view may use. @type {Shared} */
const shared = {
  ...{ statements: new Map(), operations: [], eventTypes: [], worlds: [] },
  isProxy: false,
};
/**
 * The open world, and the work that ends when another one is opened.
 * @type {{ id: string, controller: AbortController, credentials: Context['credentials'], store: Store } | undefined}
 */
let open;
/** The view that is shown. @type {Context<any, any> | undefined} */
let shown;
/** How many things each view shows, by the id of the view. @type {Readonly<Record<string, number | undefined>>} */
let counts = {};
/** @type {Clock} */
let clock = { now: new Date(0).toISOString(), frozen: true, read: 0 };

function showStatus(state) {
  const [text, kind] = LIVE[state] ?? [state, state];
  byId('live').textContent = text;
  byId('live').className = `live ${kind}`;
}

const views = () => (shared.isProxy ? WATCHED : VIEWS);

function route() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [world = '', view = ''] = path.split('/');
  return {
    world: world === '' ? (shared.worlds[0]?.id ?? '') : world,
    view: views().find(({ id }) => id === view) ?? journalView,
    params: new URLSearchParams(query),
  };
}

function go(world, view = route().view.id) {
  const hash = `#/${world}/${view}`;
  if (location.hash === hash) render();
  else location.hash = hash;
}

let renders = 0;

async function render() {
  renders += 1;
  const mine = renders;
  const { world, view, params } = route();
  if (open?.id !== world && !(await openWorld(world))) return;
  // While the world opened, the reader may have gone to another view, which is shown by now.
  if (open === undefined || mine !== renders) return;
  const { credentials, controller, store } = open;
  drawNavigation();
  showCurrentLink();
  const problem = problemPlace();
  const place = html`<div><p class="muted" role="status">Loading…</p></div>`;
  let latest = 0;
  /** @type {Context<any, any>} */
  const context = {
    ...shared,
    view,
    world,
    params,
    credentials,
    ui: {},
    data: undefined,
    call: (method, path, body) => call(method, `/worlds/${world}${path}`, body, controller.signal),
    store: () => store,
    attempt: (action) => attempt(problem, action),
    clock: () => clock,
    draw: () => renderInto(place, view.render(context)),
    /** Changes the view's own state: its search, its choices, its open parts. */
    set(changes) {
      Object.assign(context.ui, changes);
      context.draw();
    },
    /** Changes the world, announces the change, and shows the changed world. */
    async change(action, said = '') {
      const made = await action();
      announce(typeof said === 'function' ? said(made) : said);
      await load();
    },
    /** The same for a button: an error is shown at the head of the view. */
    act: (action, said) => context.attempt(() => context.change(action, said)),
    refresh: () => context.attempt(load),
  };
  async function load() {
    latest += 1;
    const mine = latest;
    const data = await view.load?.(context);
    // If a later answer came first, this answer is older than the data on the page.
    if (mine !== latest) return;
    context.data = data;
    context.draw();
    readHeader();
  }
  context.ui = view.ui?.(context) ?? {};
  shown = context;
  main.replaceChildren(html`<h1 tabindex="-1">${view.label}</h1>`, problem, place);
  document.title = `${view.label} of ${world} – Lockstep`;
  await context.refresh();
}

/** Opens a world. False if no world has that name. */
async function openWorld(id) {
  open?.controller.abort();
  open = undefined;
  main.replaceChildren();
  const done = await attempt(pageProblem, async () => {
    const { credentials } = await call('GET', `/worlds/${id}`);
    const controller = new AbortController();
    let isFollowing = false;
    const store = followJournal(id, controller.signal, {
      changed: (entry) => {
        shown?.view.journal?.(shown, entry);
        // All entries again: the stream was lost for a while, and so were its requests.
        if (entry !== undefined || isFollowing) arrived();
        isFollowing = true;
      },
      status: showStatus,
    });
    open = { id, controller, credentials, store };
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
/** Refreshes the view after a request, because its data may have changed. Many requests cause one refresh. */
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
      ${label}${(counts[id] ?? 0) > 0 && html`<span class="number">${counts[id]}</span>`}
    </a>`;
  renderInto(byId('views'), views().map(link));
}

/** On a phone the views are a strip that scrolls sideways. */
function showCurrentLink() {
  /** @type {HTMLElement | null} */
  const link = byId('views').querySelector('[aria-current]');
  if (link !== null) byId('views').scrollLeft = link.offsetLeft - innerWidth / 3;
}

/** All worlds, and the time of the open one. */
async function readHeader() {
  await attempt(headerProblem, async () => {
    /** @type {{ worlds: WorldRow[] }} */
    const { worlds } = await call('GET', '/worlds');
    shared.worlds = worlds;
    const current = route().world;
    /** @type {[string, string][]} */
    const options = worlds.map(({ id, fixture }) => [
      id,
      fixture === id ? id : `${id} (${fixture})`,
    ]);
    if (!worlds.some(({ id }) => id === current)) options.unshift([current, `${current} (gone)`]);
    renderInto(worldSelect, optionsOf(options, current));
    worldSelect.value = current;
    const mine = worlds.find(({ id }) => id === current);
    const altered = mine?.altered ?? {};
    counts = { journal: mine?.requests, ...altered };
    byId('altered').hidden = !Object.values(altered).some((number) => number > 0);
    byId('drop').hidden = mine?.default === true;
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
  world: () => open?.id ?? '',
  async go(world, view) {
    if (world === undefined) await readHeader();
    go(world ?? shared.worlds[0]?.id ?? '', view);
  },
  async restart() {
    if (open !== undefined) await openWorld(open.id);
    await render();
  },
});
/** @type {NodeListOf<HTMLElement>} */
const buttons = document.querySelectorAll('[data-order]');
for (const element of buttons) {
  element.addEventListener('click', () => {
    const order = /** @type {keyof typeof orders} */ (element.dataset.order);
    if (open !== undefined || order === 'make') orders[order]();
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
  /** @type {HTMLElement | null} */
  const find = main.querySelector('[data-find]');
  if (find === null) return;
  event.preventDefault();
  find.focus();
});

async function start() {
  const [{ name }, { statements }, { operations }, document_] = await Promise.all([
    call('GET', '/health'),
    call('GET', '/statements'),
    call('GET', '/operations'),
    call('GET', '/openapi.json'),
  ]);
  shared.isProxy = name === 'lockstep-proxy';
  for (const part of ['world', 'menu-button']) byId(part).hidden = shared.isProxy;
  shared.statements = new Map(statements.map((statement) => [statement.id, statement]));
  shared.operations = operations;
  const { Event, FaultRequest } = document_.components.schemas;
  shared.eventTypes = Event.properties.type.enum;
  shared.faultSchema = FaultRequest;
  await readHeader();
  await render();
  setInterval(tick, 1000);
  setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    // An event happens between requests, so no request announces it.
    if (shown?.view === journalView) shown.refresh();
    else readHeader();
  }, POLL_MS);
}

attempt(pageProblem, start);
