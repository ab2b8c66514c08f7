/** By which names a mock may be called: a page can give its own name the address of this machine. */
import type { ExchangeRequest } from './exchange.ts';

const OWN = /^(localhost|[a-z0-9.-]+\.localhost|127(\.\d+){3}|\[::1\]|::1)$/;

/** Whether a name, or an address to listen on, leads to this machine alone. */
export function isThisMachine(name: string): boolean {
  return OWN.test(name);
}

/** Whether a request names this machine, or one of the names that were allowed; or names nobody. */
export function isOwnHost(
  { headers: { host }, remote }: ExchangeRequest,
  allowed: readonly string[] = [],
): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  // No name under .invalid leads anywhere (RFC 2606): such a request came without a socket.
  if (remote === undefined && name.endsWith('.invalid')) return true;
  return isThisMachine(name) || allowed.includes(name);
}
