/**
 * Decides if a caller may use the control API. Without a token only this machine may. A page of another
 * origin may never use it, because a browser on this machine might have such a page open.
 */
import { isToken } from '../../spec/base/control-client.ts';
import { type ExchangeRequest, isOwnHost } from '../pipeline/exchange.ts';
import type { Controlled } from './controlled.ts';

/**
 * These paths need no token, because their callers cannot send one. A client that looks for a mock should
 * not send its token to a stranger. A client needs the certificate before it can trust the mock with a
 * token. A browser that opens the console's page cannot send the header. The answers are the same for
 * every caller and are prepared in advance.
 */
const OPEN = /^\/__admin(\/(health|ca\.pem|console\/[^/]+))?$/;

/** The reason why a request may not use the control API; undefined if it may. */
export function denied(
  request: ExchangeRequest,
  path: string,
  { adminToken: token, allowHosts }: Controlled['options'],
): string | undefined {
  // A client needs the certificate before it can use HTTPS, and a container's engine reads the
  // health.
  const first = ['/__admin/ca.pem', '/__admin/health'];
  if (request.plain === true && !(request.method === 'GET' && first.includes(path))) {
    return 'This mock serves HTTPS: over plain HTTP its control API gives its certificate and its health alone';
  }
  const open = request.method === 'GET' && OPEN.test(path);
  const sent = request.headers['lockstep-admin-token'];
  if (token !== undefined && !open && !isToken(sent, token)) {
    return sent === undefined
      ? 'The control API needs the Lockstep-Admin-Token header'
      : 'The Lockstep-Admin-Token that was sent is not the one that this mock was started with';
  }
  if (token === undefined && request.remote === true) {
    return 'Without an admin token the control API answers this machine only; set one with --admin-token-env (of a container: LOCKSTEP_ADMIN_TOKEN)';
  }
  // If there is a token, any host name is fine, because no page of another origin knows the token.
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
