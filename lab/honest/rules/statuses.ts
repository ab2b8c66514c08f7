/** Statuses that the description leaves open: any of a class, and not those two that came to mind. */
import { isObject } from '../../../spec/base/json.ts';
import {
  assumedStatus,
  choicesOf,
  contract,
  decidesStatus,
  statement,
} from '../../../spec/contract.ts';
import { type Reply, readCall } from '../../deviations/wire.ts';
import { CLOSED, insteadOf, isCall, type Operator, refusal, type Variant } from '../variant.ts';

/** Refusals that a framework gives, but for those that the description gives a meaning of its own. */
const refusals = [
  400, 402, 404, 405, 406, 409, 410, 411, 412, 413, 415, 416, 417, 418, 422, 423, 424, 428, 451,
];
/** About credentials: 401 and 403 are promised elsewhere, and what is hidden is 404. */
const ofCredentials = [400, 401, 403, 404];

/** A scoped key is valid, so it is not 401 for it. */
const statusesOf = (id: string): readonly number[] => {
  if (id === 'AUTH-21') return [403, 404];
  return /^(AUTH|META-16)/.test(id) ? ofCredentials : refusals;
};

/** How a silence about a status is answered: by each of its choices that refuse, with any status. */
const open = Object.keys(contract.statuses).flatMap((id) => {
  if (!decidesStatus(id) || ['SVC-6', 'SVC-7', 'AUTH-17', 'AUTH-24', 'AUDIT-13'].includes(id))
    return [];
  const refusing = choicesOf(statement(id)).find((choice) => {
    const status = assumedStatus(id, choice.id);
    return status >= 400 && status < 500;
  });
  if (refusing === undefined) return [];
  const from = assumedStatus(id, refusing.id);
  return statusesOf(id).map(
    (status): Variant => ({
      id: `status:${id}:${status}`,
      ground: id,
      slot: `silence:${id}`,
      on: 'mock',
      assumptions: { [id]: refusing.id },
      does: () => async (asked, next) => {
        const reply = await next(asked);
        const rests = basisOf(reply).includes(id) && reply.status === from;
        return rests ? withStatus(reply, status) : reply;
      },
    }),
  );
});

/** The silences that an answer of the mock rests on. */
function basisOf({ headers }: Reply): readonly string[] {
  return headers['lockstep-basis']?.split(/[;,] /).slice(1) ?? [];
}

/** An error message of SCIM repeats the status. */
function withStatus({ headers, body }: Reply, status: number): Reply {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const isScim = isObject(body) && 'schemas' in body;
  return {
    status,
    headers: { ...headers, ...challenge },
    body: isScim ? { ...body, status: String(status) } : body,
  };
}

// ── plain HTTP ──────────────────────────────────────────────────────────────────

const overHttp = [301, 302, 303, 307, 308, 400, 403, 404, 410, 421, 426, 503, CLOSED].map(
  (status): Variant => ({
    id: `plain-http:${status === CLOSED ? 'closed' : status}`,
    ground: 'AUTH-17',
    slot: 'silence:AUTH-17',
    does: () => async (asked, next) => {
      if (asked.secure) return next(asked);
      const location = { location: `https://tenant.example${asked.target}` };
      const isRedirect = status >= 300 && status < 400;
      return {
        status,
        headers: { 'content-type': 'text/html', ...(isRedirect ? location : {}) },
        body: '<h1>Use HTTPS</h1>',
      };
    },
  }),
);

// ── paths and methods that the description does not know ────────────────────────

const html = { 'content-type': 'text/html; charset=utf-8' };
const elsewhere: Readonly<Record<string, Reply>> = {
  'a web application': { status: 200, headers: html, body: '<!doctype html><div id="app"></div>' },
  'a page that is missing': { status: 404, headers: html, body: '<h1>Not found</h1>' },
  'nothing at all': { status: 404, headers: {}, body: undefined },
  'a redirect to the sign-in': { status: 302, headers: { location: '/login' }, body: undefined },
  'an answer of its own': {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { data: [{ id: 'x' }] },
  },
  gone: { status: 410, headers: { 'content-type': 'application/json' }, body: { error: 'Gone' } },
};
const atOtherPlaces = Object.entries(elsewhere).map(
  ([kind, reply]): Variant => ({
    id: `elsewhere:${kind}`,
    ground: 'SVC-6',
    slot: 'elsewhere',
    does: () => async (asked, next) =>
      isCall(asked) || isUnsigned(asked.headers) ? next(asked) : reply,
  }),
);

/** Without a credential every path of the three APIs is 401. */
const isUnsigned = ({ authorization }: Readonly<Record<string, string | undefined>>): boolean =>
  authorization === undefined;

const slashes = [301, 302, 307, 308, 400, 404, 405, 410].map(
  (status): Variant => ({
    id: `slash:${status}`,
    ground: 'REQ-1',
    slot: 'silence:REQ-1',
    does: (): Operator => async (asked, next) => {
      const [path = '', query] = asked.target.split('?');
      if (!path.endsWith('/') || !isCall(asked)) return next(asked);
      const location = `${path.slice(0, -1)}${query === undefined ? '' : `?${query}`}`;
      if (status >= 400) return refusal(asked, status);
      return { status, headers: { location, 'content-type': 'text/html' }, body: 'Moved' };
    },
  }),
);

/** A router that does not know the path with a slash answers as at any other path; not at SCIM. */
const slashElsewhere = Object.entries(elsewhere).map(
  ([kind, reply]): Variant => ({
    id: `slash:${kind}`,
    ground: 'REQ-1',
    slot: 'silence:REQ-1',
    does: insteadOf(({ target, headers, operation }) => {
      const isThere = /\/(\?|$)/.test(target) && operation.requires.surface !== 'scim';
      return isThere && !isUnsigned(headers) ? reply : undefined;
    }),
  }),
);

const heads = [404, 405, 501].map(
  (status): Variant => ({
    id: `head:${status}`,
    ground: 'REQ-8',
    slot: 'silence:REQ-8',
    does: insteadOf((call) =>
      call.method === 'HEAD' ? { status, headers: { allow: 'GET' }, body: undefined } : undefined,
    ),
  }),
);

/** An answer for a sync that is not completed: its behaviour is not shown at all. */
const running: readonly (readonly [string, Omit<Reply, 'headers'>])[] = [
  ['202', { status: 202, body: undefined }],
  ['204', { status: 204, body: undefined }],
  ['200 with a state', { status: 200, body: { syncJobId: 'sync-running', status: 'RUNNING' } }],
  ['200 with null', { status: 200, body: null }],
  ['303', { status: 303, body: undefined }],
];
const uncompleted = running.map(
  ([kind, reply]): Variant => ({
    id: `uncompleted:${kind}`,
    ground: 'DBT-8',
    slot: 'silence:DBT-8',
    does: ({ bindings }) => {
      const ids = [bindings.runningDbtSync, bindings.failedDbtSync].map((it) => JSON.stringify(it));
      return async (asked, next) => {
        const call = readCall(asked);
        const id = call?.path.syncJobId;
        const own = await next(asked);
        const isOne = id !== undefined && ids.some((known) => known?.includes(`"${id}"`));
        const isMeant = isOne && own.status >= 400 && own.status !== 401 && own.status !== 403;
        return isMeant ? { headers: { 'content-type': 'application/json' }, ...reply } : own;
      };
    },
  }),
);

export const statusVariants: readonly Variant[] = [
  ...open,
  ...overHttp,
  ...atOtherPlaces,
  ...slashes,
  ...slashElsewhere,
  ...heads,
  ...uncompleted,
];
