/** Error bodies, by the surface that answers. */
import { STATUS_CODES } from 'node:http';
import { named, type Surface } from '../../spec/contract.ts';
import type { Basis } from './basis.ts';
import type { Refusal, Reply } from './exchange.ts';

/** `{ error }` on the management API, an open shape on the build API, RFC 7644 on SCIM. */
export function errorReply(surface: Surface, refused: Refusal, basis: Basis): Reply {
  const { status } = refused;
  const message =
    basis.assume(named.errorMessage) === 'terse'
      ? (STATUS_CODES[status] ?? 'Error')
      : refused.message;
  const challenge = status === 401 ? { 'WWW-Authenticate': `Bearer realm="${surface}"` } : {};
  const body = errorBody(surface, refused, message, basis);
  return { status, body, headers: { ...challenge, ...refused.headers } };
}

function errorBody(surface: Surface, refused: Refusal, message: string, basis: Basis): unknown {
  switch (surface) {
    case 'management':
      return { error: message };
    case 'build':
      return basis.assume(named.buildErrorBody) === 'problem'
        ? {
            type: 'about:blank',
            title: STATUS_CODES[refused.status] ?? 'Error',
            status: refused.status,
            detail: message,
          }
        : { error: message };
    case 'scim':
      return {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(refused.status),
        scimType: refused.scimType,
        detail: basis.assume(named.scimErrorDetail) === 'bare' ? undefined : message,
      };
  }
}

/** Media type of a JSON body on a surface. */
export function mediaTypeOf(surface: Surface): string {
  return surface === 'scim' ? 'application/scim+json' : 'application/json; charset=utf-8';
}
