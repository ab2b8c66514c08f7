/** Error bodies, by the surface that answers. */
import { STATUS_CODES } from 'node:http';
import type { Surface } from '../../spec/contract.ts';
import type { Basis } from './basis.ts';
import type { Refusal, Reply } from './exchange.ts';

/** `{ error }` on the management API, an open shape on the build API, RFC 7644 on SCIM. */
export function errorAnswer(surface: Surface, refused: Refusal, basis: Basis): Reply {
  const { status } = refused;
  const message =
    basis.assume('ERR-4') === 'terse' ? (STATUS_CODES[status] ?? 'Error') : refused.message;
  const headers =
    status === 401
      ? { 'WWW-Authenticate': `Bearer realm="${surface}"`, ...refused.headers }
      : refused.headers;
  const body = errorBody(surface, refused, message, basis);
  return headers === undefined ? { status, body } : { status, body, headers };
}

function errorBody(surface: Surface, refused: Refusal, message: string, basis: Basis): unknown {
  switch (surface) {
    case 'management':
      return { error: message };
    case 'build':
      return basis.assume('ERR-3') === 'problem'
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
        ...(refused.scimType === undefined ? {} : { scimType: refused.scimType }),
        ...(basis.assume('SCIM-14') === 'bare' ? {} : { detail: message }),
      };
  }
}

/** Media type of a JSON body on a surface. */
export function mediaTypeOf(surface: Surface): string {
  return surface === 'scim' ? 'application/scim+json' : 'application/json; charset=utf-8';
}
