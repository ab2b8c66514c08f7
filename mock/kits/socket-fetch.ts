/** A fetch over sockets of its own, which trusts one certificate and follows no redirect. */
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, request as send } from 'undici';
import type { Fetch } from '../transport/fetch.ts';

export interface SocketFetch {
  readonly fetch: Fetch;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** `ca` is PEM; without it no HTTPS certificate but a public one is trusted. */
export function socketFetch(ca?: string): SocketFetch {
  const dispatcher = new Agent(ca === undefined ? {} : { connect: { ca } });
  return {
    close: () => dispatcher.destroy(),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
      const { statusCode, headers, body } = await send(request.url, {
        method: request.method as Dispatcher.HttpMethod,
        headers: [...request.headers].flat(),
        body: bytes,
        signal: request.signal,
        dispatcher,
      }).catch((cause: unknown) => {
        request.signal.throwIfAborted();
        throw new TypeError(`fetch failed: ${request.method} ${request.url}`, { cause });
      });
      const empty = [204, 205, 304].includes(statusCode);
      if (empty) await body.dump();
      return new Response(empty ? null : Readable.toWeb(body), {
        status: statusCode,
        headers: Object.entries(headers).flatMap(([name, value = []]) =>
          [value].flat().map((one): [string, string] => [name, one]),
        ),
      });
    },
  };
}
