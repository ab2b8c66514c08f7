/** Calls from the command line to a running mock. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type Control,
  ControlError,
  controlOf,
  type Send,
  type ToldWorld,
  versionOf,
  worldBy,
} from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import { inWords, NotThere, Refused } from '../../spec/base/refused.ts';

/** The address of a mock, and everything that is needed to call it. */
export interface MockAddress {
  /** Origin, without a slash at its end. */
  readonly baseUrl: string;
  /** File of an authority to trust. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** Its process, if a ready file names it. */
  readonly pid?: number | undefined;
}

/** If no data comes for this time (ms), the mock counts as unreachable. */
const PATIENCE_MS = 5000;

/**
 * Makes sure that a Lockstep mock answers. Rejects with NotThere if no program or another program
 * answers, because the mock may not have started yet.
 */
export async function checkHealth(mock: MockAddress): Promise<void> {
  const version = await versionOf(controlOver(mock)).catch((error: unknown) => {
    if (!(error instanceof ControlError)) throw error;
    if (error.status === 403) throw refused(mock, error);
    return undefined;
  });
  if (version === undefined) {
    throw new NotThere(`The program at ${mock.baseUrl} is not a Lockstep mock`);
  }
}

/** An existing world or a new one; the default world if none is named. Rejects with Refused or NotThere. */
export async function openWorld(
  mock: MockAddress,
  world: string | 'new' | undefined,
): Promise<ToldWorld> {
  const control = controlOver(mock);
  const open = async () => {
    if (world === 'new') return await worldBy(control, 'POST', 'worlds');
    const id = world ?? (await defaultWorld(control));
    return await worldBy(control, 'GET', `worlds/${encodeURIComponent(id)}`);
  };
  return open().catch((error: unknown) => {
    throw error instanceof ControlError ? refused(mock, error) : error;
  });
}

/** The default world is the first in the list of worlds. */
async function defaultWorld(control: Control): Promise<string> {
  const { worlds } = await control('GET', 'worlds');
  const [first]: unknown[] = Array.isArray(worlds) ? worlds : [];
  return isObject(first) ? String(first.id) : '';
}

function refused({ token }: MockAddress, { status, reason }: ControlError): Refused {
  const advice =
    token === undefined && /token/i.test(reason)
      ? '; --admin-token-env names the variable that holds the token'
      : '';
  const hint = status === 404 ? '; --world new makes one' : advice;
  return new Refused(`The mock refuses: ${reason}${hint}`);
}

/** Calls to its control API reject with NotThere if nobody answers. */
export function controlOver(mock: MockAddress): Control {
  return controlOf(`${mock.baseUrl}/__admin`, mock.token, (request) =>
    send(mock, request).catch((error: NodeJS.ErrnoException) => {
      throw new NotThere(`No mock can be reached at ${mock.baseUrl}: ${explain(error)}`);
    }),
  );
}

async function send(
  { ca }: MockAddress,
  { url, body, ...how }: Parameters<Send>[0],
): ReturnType<Send> {
  const secure = url.startsWith('https:');
  const { request } = secure ? await import('node:https') : await import('node:http');
  const trust = secure && ca !== undefined ? { ca: readFileSync(ca) } : {};
  const call = request(url, { ...how, ...trust, agent: false, timeout: PATIENCE_MS });
  call.on('timeout', () => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
  // The reader of the body also gets an error that comes after the head of the answer.
  call.on('error', () => {});
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}

function explain(error: NodeJS.ErrnoException): string {
  const { message, code = '', path } = error;
  // A killed mock may have left its ready file, but not the authority.
  if (path !== undefined) return `its authority, ${path}, cannot be read: ${inWords(error)}`;
  return /CERT|SELF_SIGNED|SIGNATURE/.test(code)
    ? `${message}; name the authority that the mock has written with --ca`
    : message || code;
}
