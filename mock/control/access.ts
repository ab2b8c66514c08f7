/**
 * Who may use the control API: this machine only, unless a token is set; and no page of another
 * origin, which a browser on this machine might have open.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ExchangeRequest } from '../pipeline/exchange.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * What holds nothing of a world, and needs no token where one is set: a browser that opens a page
 * cannot send the header, a client that looks for a mock should not send it to just anybody, and the
 * certificate is what a client needs before it can trust whom it sends it to.
 */
const OPEN = /^\/__admin(\/(docs|openapi\.json|health|ca\.pem|console\/[^/]+))?$/;

/** Why a request may not use the control API; undefined where it may. `token` is what is asked for. */
export function denied(
  request: ExchangeRequest,
  path: string,
  token: string | undefined,
): string | undefined {
  const open = request.method === 'GET' && OPEN.test(path);
  const sent = request.headers['lockstep-admin-token'];
  if (token !== undefined && !open && !isSame(sent, token)) {
    return sent === undefined
      ? 'The control API needs the Lockstep-Admin-Token header'
      : 'The Lockstep-Admin-Token that was sent is not the one that this mock was started with';
  }
  if (token === undefined && request.remote === true) {
    return 'Without an admin token the control API answers this machine only; set one with --admin-token-env (of a container: LOCKSTEP_ADMIN_TOKEN)';
  }
  // With a token a server may be known by any name, and no page of another origin knows the token.
  const host = request.headers.host;
  if (host !== undefined && token === undefined && !isOwn(host)) {
    return `The Host ${host} is not this server`;
  }
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return `The Origin ${origin} is not this server`;
  }
  return undefined;
}

/** Takes the same time wherever two texts differ. */
function isSame(sent: string | undefined, token: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return sent !== undefined && timingSafeEqual(sha256(sent), sha256(token));
}

function isOwn(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  // No name under .invalid leads anywhere (RFC 2606): such a request came without a socket.
  return LOOPBACK.includes(name) || name.endsWith('.invalid');
}
