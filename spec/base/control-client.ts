/** A client of the control API of a mock in another process, and the check of the API's token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from './json.ts';

/** Sends a request over the connection that the caller has. */
export type Send = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => Promise<{ readonly status: number; readonly text: string }>;

/** The control API has refused a call, or has sent an invalid answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly reason: string;

  constructor(call: string, status: number, reason: string) {
    super(`${call} was answered ${status}: ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}

/** Calls the control API; `path` is relative to `/__admin/`. Rejects with a ControlError. */
export type Control = (method: string, path: string, body?: object) => Promise<JsonObject>;

/** The control API's answer about a world. Missing parts are empty. */
export interface ToldWorld {
  readonly id: string;
  readonly baseUrl: string;
  readonly prefixedBaseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly bindings: JsonObject;
  readonly actors: JsonObject;
  readonly features: JsonObject;
}

/** `adminUrl` ends in `/__admin`. */
export function controlOf(adminUrl: string, token: string | undefined, send: Send): Control {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { 'lockstep-admin-token': token }),
  };
  return async (method, path, body) => {
    const url = `${adminUrl}/${path}`;
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const { status, text } = await send({ method, url, headers, body: sent });
    const answer = text === '' ? {} : parseJson(text);
    const call = `${method} ${url}`;
    if (!isObject(answer)) throw new ControlError(call, status, `no object: ${text.slice(0, 200)}`);
    if (status >= 300) throw new ControlError(call, status, String(answer.error ?? text));
    return answer;
  };
}

/** Whether a token is the server's token. The comparison always takes the same time. */
export function isToken(sent: string | undefined, token: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return sent !== undefined && timingSafeEqual(sha256(sent), sha256(token));
}

/** The version of the mock; undefined if something else answers. Rejects with a ControlError. */
export async function versionOf(control: Control): Promise<string | undefined> {
  const { name, version } = await control('GET', 'health');
  return name === 'lockstep' && typeof version === 'string' ? version : undefined;
}

/** Makes a call whose answer is a world. Rejects with a ControlError. */
export async function worldBy(
  control: Control,
  ...[method, path, body]: Parameters<Control>
): Promise<ToldWorld> {
  const answer = await control(method, path, body);
  const { id, baseUrl, prefixedBaseUrl, credentials } = answer;
  if (
    typeof id !== 'string' ||
    typeof baseUrl !== 'string' ||
    typeof prefixedBaseUrl !== 'string' ||
    !isObject(credentials)
  ) {
    const said = Object.keys(answer).join(', ') || 'nothing';
    throw new ControlError(
      `${method} ${path}`,
      200,
      `expected a world, and the answer has ${said}`,
    );
  }
  const secrets = Object.entries(credentials).map(([name, secret]) => [name, String(secret)]);
  const part = (name: string): JsonObject => {
    const value = answer[name];
    return isObject(value) ? value : {};
  };
  return {
    ...{ id, baseUrl, prefixedBaseUrl, credentials: Object.fromEntries(secrets) },
    ...{ bindings: part('bindings'), actors: part('actors'), features: part('features') },
  };
}
