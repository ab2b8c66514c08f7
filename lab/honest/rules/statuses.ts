/** Variants of open statuses. Every status of a class is tried, not only the likely ones. */
import { isObject } from '../../../spec/base/json.ts';
import {
  assumedStatus,
  choicesOf,
  contract,
  decidesStatus,
  statement,
} from '../../../spec/contract.ts';
import type { Reply, Request } from '../../deviations/wire.ts';
import { basisOf } from '../seam.ts';
import { CLOSED, each, insteadOf, isCall, refusal, replies, type Variant } from '../variant.ts';

/**
 * The refusal statuses of common frameworks, without those to which the description gives a
 * meaning.
 */
const refusals = [
  400, 402, 404, 405, 406, 409, 410, 411, 412, 413, 415, 416, 417, 418, 422, 423, 424, 428, 451,
];
/** Statuses for a bad credential. 401 and 403 are promised elsewhere, and 404 hides the object. */
const ofCredentials = [400, 401, 403, 404];

/** A scoped key is valid, so 401 is not possible for it. */
const statusesOf = (id: string): readonly number[] => {
  if (id === 'AUTH-21') return [403, 404];
  // The description says only that the request is rejected.
  if (id === 'STAGE-9') return [...refusals, 500, 501];
  return /^(AUTH|META-16)/.test(id) ? ofCredentials : refusals;
};

/** For each silence about a status, each choice that refuses gets every possible status. */
const open = Object.keys(contract.statuses).flatMap((id) => {
  if (!decidesStatus(id) || ['SVC-6', 'SVC-7', 'AUTH-17', 'AUTH-24', 'AUDIT-13'].includes(id))
    return [];
  const refusing = choicesOf(statement(id)).find((choice) => {
    const status = assumedStatus(id, choice.id);
    return status >= 400 && status < 500;
  });
  if (refusing === undefined) return [];
  const from = assumedStatus(id, refusing.id);
  const about = { rule: `status:${id}`, slot: `silence:${id}`, ground: id, on: 'mock' } as const;
  return each(about, statusesOf(id), (status) => ({
    assumptions: { [id]: refusing.id },
    does: () => async (asked, next) => {
      const reply = await next(asked);
      const rests = basisOf(reply).includes(id) && reply.status === from;
      return rests ? withStatus(reply, status) : reply;
    },
  }));
});

/** Replaces the status. A SCIM error repeats it in the body. */
function withStatus({ headers, body }: Reply, status: number): Reply {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const isScim = isObject(body) && 'schemas' in body;
  return {
    status,
    headers: { ...headers, ...challenge },
    body: isScim ? { ...body, status: String(status) } : body,
  };
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };

/** The statuses that can refuse plain HTTP. */
const overHttp = [301, 302, 303, 307, 308, 400, 403, 404, 410, 421, 426, 503];
const plain = each(
  { rule: 'plain-http', slot: 'silence:AUTH-17', ground: 'AUTH-17' },
  [...overHttp, CLOSED],
  (status) => ({
    does: () => async (asked, next) => {
      if (asked.secure) return next(asked);
      const location = { location: `https://tenant.example${asked.target}` };
      const headers = status >= 300 && status < 400 ? { ...html, ...location } : html;
      return { status, headers, body: '<h1>Use HTTPS</h1>' };
    },
  }),
);

/** Paths that the description does not know. */
const elsewhere: Readonly<Record<string, Reply>> = {
  'a web application': { status: 200, headers: html, body: '<!doctype html><div id="app"></div>' },
  'a page that is missing': { status: 404, headers: html, body: '<h1>Not found</h1>' },
  'nothing at all': { status: 404, headers: {}, body: undefined },
  'a redirect to the sign-in': { status: 302, headers: { location: '/login' }, body: undefined },
  'an answer of its own': { status: 200, headers: json, body: { data: [{ id: 'x' }] } },
  gone: { status: 410, headers: json, body: { error: 'Gone' } },
};
/** Every path of the three APIs answers 401 without a credential. */
const isSigned = ({ headers }: Request): boolean => headers.authorization !== undefined;
const others = each({ rule: 'elsewhere', ground: 'SVC-6' }, elsewhere, (reply) => ({
  does: () => async (asked, next) => (isCall(asked) || !isSigned(asked) ? next(asked) : reply),
}));

const slash = { rule: 'slash', slot: 'silence:REQ-1', ground: 'REQ-1' };
const endsWithSlash = ({ target }: Request): boolean => /\/(\?|$)/.test(target);
const slashes = [
  ...each(slash, [301, 302, 307, 308, 400, 404, 405, 410], (status) => ({
    does: insteadOf((call) => {
      if (!endsWithSlash(call)) return undefined;
      const location = call.target.replace(/\/(?=\?|$)/, '');
      return status >= 400 ? refusal(call, status) : { status, headers: { location }, body: '' };
    }),
  })),
  // A router that does not know a path with a trailing slash treats it as unknown. SCIM is left
  // out, because it defines its errors.
  ...each(slash, elsewhere, (reply) => ({
    does: insteadOf((call) => {
      const isScim = call.operation.requires.surface === 'scim';
      return endsWithSlash(call) && !isScim && isSigned(call) ? reply : undefined;
    }),
  })),
];

const headReplies: Readonly<Record<string, Reply>> = {
  ...Object.fromEntries(
    [404, 405, 501].map((status) => [
      status,
      { status, headers: { allow: 'GET' }, body: undefined },
    ]),
  ),
  // A router that does not know HEAD passes it to the fallback handler.
  'a web application': { status: 200, headers: html, body: undefined },
};
const heads = each(
  { rule: 'head', slot: 'silence:REQ-8', ground: 'REQ-8' },
  headReplies,
  (reply) => ({
    does: insteadOf((call) => (call.method === 'HEAD' && isSigned(call) ? reply : undefined)),
  }),
);

/** Answers to requests with Accept or conditional headers. The runner never sends such requests. */
const conditions = each({ rule: 'conditions', ground: 'REQ-11' }, [304, 406, 412], (status) => ({
  does: insteadOf(({ headers }) => {
    const { accept = '*/*', 'if-none-match': none, 'if-match': some } = headers;
    const isMet =
      status === 406 ? !/\*\/\*|json/.test(accept) : (status === 304 ? none : some) !== undefined;
    return isMet ? { status, headers: {}, body: undefined } : undefined;
  }),
}));

/** Answers for a running sync. The description does not say how the operation behaves then. */
const running: Readonly<Record<string, Omit<Reply, 'headers'>>> = {
  '202': { status: 202, body: undefined },
  '204': { status: 204, body: undefined },
  '200 with a state': { status: 200, body: { syncJobId: 'sync-running', status: 'RUNNING' } },
  '200 with null': { status: 200, body: null },
  '303': { status: 303, body: undefined },
};
const uncompleted = each(
  { rule: 'uncompleted', slot: 'silence:DBT-8', ground: 'DBT-8' },
  running,
  (reply) => ({
    does: ({ bindings: { runningDbtSync, failedDbtSync } }) => {
      const known = JSON.stringify([runningDbtSync, failedDbtSync]);
      return replies((own, { path: { syncJobId } }) => {
        const isOne = syncJobId !== undefined && known.includes(`"${syncJobId}"`);
        const isRefused = own.status >= 400 && own.status !== 401 && own.status !== 403;
        return isOne && isRefused ? { headers: json, ...reply } : undefined;
      })();
    },
  }),
);

export const statusVariants: readonly Variant[] = [
  ...open,
  ...plain,
  ...others,
  ...slashes,
  ...heads,
  ...conditions,
  ...uncompleted,
];
