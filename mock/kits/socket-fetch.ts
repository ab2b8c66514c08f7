/** A fetch over sockets of its own, which trusts one certificate and follows no redirect. */
import { Agent, fetch as send } from 'undici';
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
      const { method, body, signal } = request;
      const headers = [...request.headers];
      const sent = { method, headers, body, signal, duplex: 'half', redirect: 'manual' } as const;
      const answer = await send(request.url, { ...sent, dispatcher });
      // undici's class is another one than Node's own, and tests ask for that.
      return new Response(answer.body, { status: answer.status, headers: [...answer.headers] });
    },
  };
}
