/** The control API, called as any client calls it; and its stream of events. */
import { field, isAborted, openDialog } from './controls.js';
import { html } from './html.js';

/** @import { Entry, Store } from './types.d.ts' */

const BASE = '/__admin';
const TOKEN_KEY = 'lockstep-admin-token';

/**
 * Calls the control API. Returns the JSON of the answer, or throws the error message of the control API.
 * @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, signal) {
  const response = await send(method, path, body, signal);
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/** @type {(method: string, path: string, body?: object, signal?: AbortSignal) => Promise<Response>} */
async function send(method, path, body, signal) {
  let response;
  const used = sessionStorage.getItem(TOKEN_KEY);
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      headers: {
        ...(used !== null && { 'Lockstep-Admin-Token': used }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Error('The mock does not answer. Is it still running?');
  }
  if (response.ok) return response;
  const message = await messageOf(response);
  if (response.status === 403 && message.includes('Lockstep-Admin-Token')) askToken(used);
  throw new Error(message, { cause: response });
}

/** @param {Response} response @returns {Promise<string>} */
async function messageOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return `${response.status} ${text}`;
  }
}

/** Asks for the admin token, and starts again with it. @param {string | null} refused */
function askToken(refused) {
  if (document.querySelector('dialog') !== null) return;
  const input = html`<input type="password" name="token" autocomplete="off" />`;
  openDialog({
    title: 'Admin token',
    text: refused ? 'The mock refuses this token.' : 'This mock was started with an admin token.',
    controls: [field('Token', input, 'Kept in this tab until it is closed.')],
    label: 'Go on',
    async submit({ token }) {
      if (!token) throw new Error('Type the token that the mock was started with');
      sessionStorage.setItem(TOKEN_KEY, String(token));
      location.reload();
    },
  });
  input.focus();
}

/**
 * Reads server-sent events until the signal ends it, and comes back after a loss. `status` is told
 * `live`, `lost`, or `gone` at the end. (EventSource cannot send the token's header.)
 * @param {string} path
 * @param {{ event(data: any): void, status(state: string): void, signal: AbortSignal }} options
 */
async function follow(path, { event, status, signal }) {
  while (!signal.aborted) {
    try {
      const response = await send('GET', path, undefined, signal);
      status('live');
      if (response.body === null) throw new Error('The stream of events has no body');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let waiting = '';
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const blocks = (waiting + read.value).split('\n\n');
        waiting = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = block.match(/^data: (.*)$/m)?.[1];
          if (data !== undefined) event(JSON.parse(data));
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      const cause = error instanceof Error ? error.cause : undefined;
      if (cause instanceof Response && cause.status === 404) return status('gone');
    }
    if (signal.aborted) return;
    status('lost');
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

/** As many requests as a journal holds. */
const MOST = 1000;

/**
 * Follows a world until the signal ends it. `changed(entry)` tells of one, `changed()` of all.
 * @param {string} world @param {AbortSignal} signal
 * @param {{ changed(entry?: Entry): void, status(state: string): void }} options
 */
export function followJournal(world, signal, { changed, status }) {
  /** @type {Store} */
  const store = { entries: [] };
  /** @param {Entry | Entry[]} data */
  const event = (data) => {
    if (Array.isArray(data)) {
      store.entries = data;
      changed();
      return;
    }
    // After a reset the world counts from 1 again.
    const restarted = data.id <= (store.entries.at(-1)?.id ?? 0);
    store.entries = [...(restarted ? [] : store.entries), data].slice(-MOST);
    changed(data);
  };
  follow(`/worlds/${world}/events?history=true`, { signal, status, event });
  return store;
}
