/**
 * The rules for pages in a browser. A page of another origin reads and changes nothing, unless `--cors`
 * names its origin. It can never use the control API.
 */
import { html } from '../../spec/base/html.ts';
import { htmlPage } from '../../spec/base/html-page.ts';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  isOwnHost,
  plainError,
} from '../pipeline/exchange.ts';

export interface PageOptions {
  /** Origins whose pages may call the service. */
  readonly cors?: readonly string[] | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  /** The mock listens only on this machine. */
  readonly loopbackOnly?: boolean | undefined;
}

/** Answers a request of a page; undefined if the service should answer. */
export function answerPage(
  request: ExchangeRequest,
  path: string,
  { cors: origins = [], allowHosts, loopbackOnly = false }: PageOptions,
): ExchangeResponse | undefined {
  const { method, headers } = request;
  if (loopbackOnly && request.remote === false && !isOwnHost(request, allowHosts)) {
    return plainError(
      403,
      `The Host ${headers.host} is not this server; to allow it: lockstep mock --allow-host NAME`,
    );
  }
  if (method === 'GET' && path === '/' && headers.accept?.includes('text/html') === true) {
    return { status: 200, headers: { ...frontPage.headers }, body: frontPage.html };
  }
  // A browser requests the icon by itself; no client sends this request.
  if (method === 'GET' && path === '/favicon.ico' && headers.accept?.includes('image/') === true) {
    return { status: 204, headers: {}, body: null };
  }
  const allowed = isAllowedPage(request, path, origins);
  const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
  if (allowed && isPreflight) {
    const asked = headers['access-control-request-headers'];
    const preflight = {
      'Access-Control-Allow-Methods': headers['access-control-request-method'] ?? '*',
      'Access-Control-Max-Age': '600',
      ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
    };
    return { status: 204, headers: preflight, body: null };
  }
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  // Not every browser names the page's site in a preflight request.
  const asksFirst = isPreflight && headers.origin !== undefined;
  // A person may follow a link to the console. The service has no pages, so a hidden frame there could only
  // use up a test's faults.
  const followed = method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && isControl(path);
  if (allowed || followed || !(isForeign || asksFirst)) return undefined;
  const from = headers.origin ?? 'another site';
  const how = isControl(path) ? 'the control API takes none' : `lockstep mock --cors ${from}`;
  return plainError(
    403,
    `This mock takes no requests from pages of ${from}; to allow them: ${how}`,
  );
}

/** The page for a person who opens the mock's address in a browser. */
const style = 'body { font: 1rem/1.6 system-ui, sans-serif; margin: 4rem auto; max-width: 36rem; }';
const frontPage = htmlPage(
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lockstep</title>
<link rel="icon" href="data:,"><style>${{ html: style }}</style></head><body><h1>Lockstep</h1>
<p>This is a mock of the service's API.</p><ul>
<li><a href="/__admin/">The console</a>: worlds, requests, faults, the clock</li>
<li><a href="/__admin/docs">The contract and the control API</a>, as a page</li>
<li><a href="/__admin/contract.yaml">The contract</a> as an OpenAPI document</li></ul></body></html>`
    .html,
  style,
);

/** Lets the page that asked read the answer. */
export function openTo({ headers }: ExchangeRequest, response: ExchangeResponse): ExchangeResponse {
  const opened = {
    ...response.headers,
    'Access-Control-Allow-Origin': headers.origin ?? '',
    'Access-Control-Expose-Headers': Object.keys(response.headers).join(', '),
    Vary: 'Origin',
    // On a reused connection, a browser repeats a lost request by itself, so its page would never
    // notice the loss.
    Connection: 'close',
  };
  return { ...response, headers: opened };
}

export function isAllowedPage(
  { headers: { origin } }: ExchangeRequest,
  path: string,
  origins: readonly string[],
): boolean {
  return origin !== undefined && origins.includes(origin) && !isControl(path);
}

export function isControl(path: string): boolean {
  return path === '/__admin' || path.startsWith('/__admin/');
}
