/** The control API, called as any client calls it; and its stream of events. */
import { field, openDialog } from './controls.js';
import { html } from './html.js';

const BASE = '/__admin';
const TOKEN_KEY = 'lockstep-admin-token';

/** An answer that is not the one that was hoped for; the message is the control API's own. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** Calls the control API; gives the JSON of the answer, or throws an ApiError. */
export async function call(method, path, body, signal) {
  const response = await send(method, path, body, signal);
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

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
      body: body && JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The mock does not answer. Is it still running?');
  }
  if (response.ok) return response;
  const message = await messageOf(response);
  if (response.status === 403 && message.includes('Lockstep-Admin-Token')) {
    await askToken(used);
    return send(method, path, body, signal);
  }
  throw new ApiError(response.status, message);
}

async function messageOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return `${response.status} ${text}`;
  }
}

let asking;
/** Asks for the admin token, once for however many calls wait for it. */
function askToken(refused) {
  if (sessionStorage.getItem(TOKEN_KEY) !== refused) return Promise.resolve();
  asking ??= new Promise((resolve, reject) => {
    const input = html`<input type="password" autocomplete="off" required />`;
    let given = false;
    openDialog({
      title: 'Admin token',
      text:
        refused === null
          ? 'This mock was started with an admin token.'
          : 'The mock refuses this token.',
      controls: [field('Token', input, 'Kept in this tab until it is closed.')],
      label: 'Go on',
      async submit() {
        if (input.value === '') throw new Error('Type the token that the mock was started with');
        given = true;
        sessionStorage.setItem(TOKEN_KEY, input.value);
      },
      closed() {
        asking = undefined;
        if (given) resolve();
        else reject(new ApiError(403, 'The control API needs the admin token'));
      },
    });
    input.focus();
  });
  return asking;
}

/**
 * Reads server-sent events until the signal ends it, and comes back after a loss. `opened` is called
 * at each connection, `lost` at each loss. (EventSource cannot send the token's header.)
 */
export async function follow(path, { event, opened, lost, signal }) {
  while (!signal.aborted) {
    try {
      const response = await send('GET', path, undefined, signal);
      opened();
      let waiting = '';
      for await (const chunk of readAll(response.body.pipeThrough(new TextDecoderStream()))) {
        waiting += chunk;
        const blocks = waiting.split('\n\n');
        waiting = blocks.pop();
        for (const block of blocks) {
          const data = block.match(/^data: (.*)$/m)?.[1];
          if (data !== undefined) event(JSON.parse(data));
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) {
        lost(error);
        return;
      }
    }
    if (signal.aborted) return;
    lost();
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

async function* readAll(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
