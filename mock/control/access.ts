/**
 * Who may use the control API: this machine only, unless a token is set; and no page of another
 * origin, which a browser on this machine might have open.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type ExchangeRequest, isOwnHost } from '../pipeline/exchange.ts';
import type { Controlled } from './controlled.ts';

/**
 * What is asked by those who cannot send the token that is set: a client that looks for a mock should
 * not send it to just anybody, the certificate is what a client needs before it can trust whom it
 * sends it to, and a browser that opens the console's page has no header for it. All of that is the
 * same for everybody, and is held ready.
 */
const OPEN = /^\/__admin(\/(health|ca\.pem|console\/[^/]+))?$/;

/** Why a request may not use the control API; undefined where it may. */
export function denied(
  request: ExchangeRequest,
  path: string,
  { adminToken: token, allowHosts }: Controlled['options'],
): string | undefined {
  // The certificate is what a client needs to speak HTTPS. A container's engine asks for the health.
  const first = ['/__admin/ca.pem', '/__admin/health'];
  if (request.plain === true && !(request.method === 'GET' && first.includes(path))) {
    return 'This mock serves HTTPS: over plain HTTP its control API gives its certificate and its health alone';
  }
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
  if (token === undefined && !isOwnHost(request, allowHosts)) {
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
