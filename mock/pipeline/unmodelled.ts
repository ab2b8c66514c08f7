/**
 * Answers requests that match no operation: unknown paths and methods, plain HTTP, and operations
 * that only a `--description` has.
 */
import {
  contract,
  named,
  type Operation,
  type Requires,
  type Surface,
} from '../../spec/contract.ts';
import { authenticate } from './authenticate.ts';
import type { Basis } from './basis.ts';
import { type Decision, type Described, type Exchange, refuse } from './decision.ts';
import { type ExchangeRequest, isRefusal, type Refusal, refusal } from './exchange.ts';
import { hint } from './explain.ts';
import { broken, type Right } from './rights.ts';

const surfaces = Object.entries(contract.surfaces) as [Surface, { readonly prefix: string }][];
const prefixes = surfaces.map(([, { prefix }]) => prefix);
/** The longest prefix is first, because the prefix of one API may begin with that of another. */
const families = surfaces
  .map(([surface, { prefix }]) => [surface, prefix.slice(0, prefix.lastIndexOf('/') + 1)] as const)
  .sort(([, a], [, b]) => b.length - a.length);

/** The API that answers a path, whatever version of it the path names. */
export function surfaceOf(path: string): Surface {
  return families.find(([, family]) => path.startsWith(family))?.[0] ?? 'management';
}

/** A path that the contract does not know: answered from a description, or refused. */
export function answerUnknownPath(exchange: Exchange): Decision | Promise<Decision> {
  const { prefixed, route } = exchange;
  if (!prefixes.some((prefix) => route === prefix || route.startsWith(`${prefix}/`))) {
    // The answer to a path of no surface. It is not the service's answer, so it is not graded.
    const there = `the service answers under ${prefixes.join(', ')}, and the mock's console is at /__admin/${prefixed ? ', not below a world' : ''}`;
    const message = `There is nothing at ${route}; ${there}`;
    const nothing = refusal(404, named.unknownPath, `${message}${hint(exchange)}`);
    return refuse(exchange, nothing, { origin: 'outside' });
  }
  return describedOr(exchange, named.unknownPath, () => unknownPath(exchange));
}

/** A method that the contract does not know for a path: answered from a description, or refused. */
export function answerUnknownMethod(
  exchange: Exchange,
  allowed: readonly string[],
): Decision | Promise<Decision> {
  const otherwise = () => refuse(exchange, unknownMethod(exchange, allowed));
  return describedOr(exchange, named.unknownMethod, otherwise);
}

/** Answers an operation that a description knows from that description. */
function describedOr(
  exchange: Exchange,
  statement: string,
  otherwise: () => Decision,
): Decision | Promise<Decision> {
  const { basis, credential, options, request, route, surface, world } = exchange;
  const described = options.describes?.(request.method, route);
  if (described === undefined) return otherwise();
  basis.assume(statement);
  const { deployment, admin } = described;
  const requires: Requires = {
    surface,
    ...contract.surfaces[surface],
    ...(deployment === undefined ? {} : { deployment: 'deployment' }),
    ...(admin ? { role: 'admin' } : {}),
  };
  const caller = authenticate(requires, credential, basis);
  if (isRefusal(caller)) return refuse(exchange, caller);
  const rule = broken({ requires, deployment }, caller, world, (id) => basis.assume(id));
  if (rule === undefined) return simulate(exchange, undefined);
  const [ground, message] = rightless(rule, statement, described);
  return refuse(exchange, { ...refusal(403, ground, message), rule });
}

/** The basis and the message of a refusal for lack of rights. */
function rightless(rule: Right, statement: string, { deployment }: Described) {
  if (rule === 'deployment')
    return [
      named.deploymentOutOfScope,
      `This key is not authorised for deployment ${deployment}`,
    ] as const;
  if (rule === 'unscoped')
    return [named.scopedKeyForWholeAccount, 'This needs a key for all deployments'] as const;
  return [statement, 'The description has this for administrators alone'] as const;
}

function unknownPath(exchange: Exchange): Decision {
  const { basis, route } = exchange;
  const refused = basis.refuse(named.unknownPath, `There is nothing at ${route}`);
  if (refused.status === 200) return webPage();
  if (refused.status === 404) return refuse(exchange, refused);
  const message = notModelled(exchange, `${route}: the contract does not know it${hint(exchange)}`);
  return refuse(exchange, { ...refused, message });
}

/** The answer of a web application that serves its own page for every unknown path. */
function webPage(): Decision {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  const stream = ['<!doctype html><title>Analytics</title><div id="root"></div>\n'];
  return {
    reply: { status: 200, headers, body: undefined, stream },
    refusal: null,
    origin: 'service',
  };
}

function notModelled({ options }: Exchange, what: string): string {
  const more =
    options.describes === undefined
      ? "load the service's own description with --description to have one made from it"
      : 'the description that was loaded does not know it either';
  return `Lockstep does not model ${what}. This is not the service's answer; ${more}`;
}

function unknownMethod(exchange: Exchange, allowed: readonly string[]): Refusal {
  const { basis, request, route } = exchange;
  const known = allowed.join(', ');
  const refused = basis.refuse(named.unknownMethod, `${route} knows ${known} only`);
  if (refused.status === 405) return { ...refused, headers: { Allow: known } };
  if (refused.status === 404) return refused;
  const what = `${request.method} ${route}: of this path the contract knows ${known} only`;
  return { ...refused, message: notModelled(exchange, what) };
}

/** Refuses HEAD, if it is not served. */
export function refuseHead({ basis, route }: Exchange, method: string): Refusal {
  const refused = basis.refuse(named.headRequest, `${route} knows ${method} only`);
  return refused.status === 405 ? { ...refused, headers: { Allow: method } } : refused;
}

/** Refuses a request over plain HTTP to an address that serves HTTPS. */
export function plainHttp(basis: Basis, request: ExchangeRequest): Refusal {
  const refused = basis.refuse(named.plainHttp, 'Only HTTPS is accepted');
  if (basis.choice(named.plainHttp) !== 'redirect') return refused;
  return { ...refused, headers: { Location: `https://${request.headers.host}${request.target}` } };
}

/** Refuses a path with a slash at its end, if it is not served. */
export function trailingSlash(basis: Basis, path: string, { target }: ExchangeRequest): Refusal {
  const refused = basis.refuse(named.trailingSlash, `There is nothing at ${path}`);
  if (basis.choice(named.trailingSlash) !== 'redirect') return refused;
  return { ...refused, headers: { Location: target.replace(/\/(?=$|\?)/, '') } };
}

/** Whether a Prefer header (RFC 7240) asks for a simulation. */
export function asksForSimulation({ headers }: ExchangeRequest): boolean {
  return headers.prefer !== undefined && /(?:^|[\s,;])(code|example|dynamic)=/.test(headers.prefer);
}

export async function simulate(
  exchange: Exchange,
  operation: Operation | undefined,
): Promise<Decision> {
  const { options, route: path, request, query } = exchange;
  const result = await options.simulate?.({ request, path, query, operation });
  // An answer that a client has chosen says nothing about the service.
  const origin = operation === undefined ? 'simulated' : 'injected';
  if (result !== undefined && !isRefusal(result)) return { reply: result, refusal: null, origin };
  const missing = 'Answers made from a description alone are not switched on';
  return refuse(exchange, result ?? refusal(501, named.unknownPath, missing), { origin });
}
