/**
 * Each connection of a client has a connection to the service of its own. Nobody knows if the service is about
 * to close a connection that has been used before, and a write that is lost on it cannot be sent again. A
 * client risks that only on a connection that it has used itself, as without the proxy.
 */

import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Client } from 'undici';

export interface Trust {
  /** Certificate authorities to trust, in PEM. */
  readonly ca?: readonly string[] | undefined;
  /**
   * The client certificate and its key for the service, in PEM, because the client's own cannot be
   * passed on.
   */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
}

/** The longest head of a request or an answer. */
export const headerBytes = 64 * 1024;

export class Connections {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #open = new Map<Socket, Client>();

  constructor(origin: string, { ca, client }: Trust) {
    this.#origin = origin;
    // Made once, because reading all authorities blocks the process for tens of milliseconds.
    const secureContext = createSecureContext({ ...client, ...(ca && { ca: [...ca] }) });
    this.#options = {
      ...{ headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: headerBytes, allowH2: false },
      connect: { timeout: 30_000, secureContext },
    };
  }

  /** Sends over one connection, one request after the other. It opens again if the service has closed it. */
  of(socket: Socket): Client {
    const known = this.#open.get(socket);
    if (known !== undefined) return known;
    const made = new Client(this.#origin, this.#options);
    this.#open.set(socket, made);
    socket.once('close', () => {
      this.#open.delete(socket);
      // If an exchange is still under way, it ends first, as one that was cancelled.
      made.close(() => undefined);
    });
    return made;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#open.values()].map((client) => client.destroy()));
  }
}
