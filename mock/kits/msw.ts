/**
 * Handlers for Mock Service Worker that answer from a world. They serve every client that MSW reaches, such as axios, got and node:http, without a change of its address. This file also runs in the worker of a page, so it imports nothing but MSW.
 *
 * ```ts
 * const server = setupServer(...handlersOf(world, { origins: ['https://acme.example.com'] }));
 * ```
 */
import { bypass, type HttpHandler, HttpResponse, http } from 'msw';
import type { Fetch } from '../transport/fetch.ts';

/** A world of this process or of a `RemoteMock`; or, as in a page, the address of a mock or of a world. */
export type HandlerTarget =
  | { fetchAs(credential: null): Fetch }
  | { readonly baseUrl: string; readonly fetchAs?: never };

export interface HandlerOptions {
  /** Origins that the world answers for, such as `https://acme.example.com`. */
  readonly origins: readonly string[];
}

/** A lost answer is a network error to the client. Throws a TypeError for a text that is not an origin. */
export function handlersOf(target: HandlerTarget, { origins }: HandlerOptions): HttpHandler[] {
  const ask = askerOf(target);
  return origins.map((text) =>
    http.all(`${originOf(text)}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers, signal } = request;
      const isEmpty = method === 'GET' || method === 'HEAD';
      // The body is read whole, because not every browser sends a stream.
      const body = isEmpty ? null : await request.arrayBuffer();
      try {
        return await ask(`${pathname}${search}`, { method, headers, body, signal });
      } catch (error) {
        // A fetch rejects with this error if its answer is lost. Any other error is a mistake, and MSW shows
        // it.
        const isLost = error instanceof Error && error.name === 'TypeError';
        if (isLost || signal.aborted) return HttpResponse.error();
        throw error;
      }
    }),
  );
}

function askerOf(target: HandlerTarget): Fetch {
  // No credential is added, so that a client that forgets its credential gets a 401.
  if (target.fetchAs !== undefined) return target.fetchAs(null);
  const baseUrl = target.baseUrl.replace(/\/$/, '');
  return (path, init) => fetch(bypass(`${baseUrl}${String(path)}`, init));
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
  throw new TypeError(
    `${JSON.stringify(text)} is not an origin: a scheme and a host are expected, such as https://acme.example.com`,
  );
}
