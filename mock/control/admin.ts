/** The control API under /__admin: its routes and its errors. */
import { isObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { Routes } from '../../spec/routes.ts';
import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';
import { plainError } from '../pipeline/exchange.ts';
import { parseBody } from '../pipeline/validate.ts';
import type { World } from '../world/world.ts';
import { WorldError, whyGone } from '../world/world-request.ts';
import { denied } from './access.ts';
import type { Controlled } from './controlled.ts';
import { journalRoutes } from './journal-routes.ts';
import {
  type AdminCall,
  AdminError,
  type AdminRoutes,
  checkRequest,
  json,
  Reply,
  withBody,
} from './route.ts';
import { serviceRoutes } from './service-routes.ts';
import { variationRoutes } from './variation-routes.ts';
import { worldRoutes } from './world-routes.ts';

const router = new Routes<ReturnType<typeof withBody> & { readonly parameters: string[] }>();
const known: string[] = [];
/** Every route, such as `GET /__admin/worlds/{w}/state`. */
export const routeList: readonly string[] = known;
register('/__admin', serviceRoutes);
register('/__admin/worlds/{w}', { ...worldRoutes, ...journalRoutes, ...variationRoutes });

function register(prefix: string, routes: AdminRoutes): void {
  for (const [key, route] of Object.entries(routes)) {
    const [method = '', path = '', query] = key.split(/[ ?]/);
    const whole = path === '/' ? prefix : `${prefix}${path}`;
    known.push(`${method} ${whole}`);
    const taking = typeof route === 'function' ? withBody({}, route) : route;
    router.add(method, whole, { ...taking, parameters: query?.split('&') ?? [] });
  }
}

export async function answerAdmin(
  service: Controlled,
  request: ExchangeRequest,
  path: string,
  query: string,
): Promise<ExchangeResponse> {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const reason = denied(request, clean, service.options);
  if (reason !== undefined) return plainError(403, reason);
  const found = router.find(request.method, clean);
  if (found === undefined) return unknownRoute(request.method, clean);
  try {
    const { value: route, params } = found;
    const call: AdminCall = {
      service,
      request,
      params,
      query: new URLSearchParams(query),
      body: readBody(request),
      get world() {
        return worldOf(service, params.w);
      },
    };
    checkRequest(call, route.parameters, route.fields);
    return write(await route.handler(call));
  } catch (error) {
    return refusedWith(error);
  }
}

function worldOf(service: Controlled, id = ''): World {
  const world = service.use(id);
  if (world === undefined)
    throw new AdminError(404, `There is no world ${JSON.stringify(id)}: ${whyGone(id)}`);
  return world;
}

function unknownRoute(method: string, path: string): ExchangeResponse {
  const allowed = [...router.at(path).keys()];
  if (allowed.length === 0) {
    return plainError(404, `The control API has nothing at ${path}; see /__admin/openapi.json`);
  }
  const response = plainError(405, `${path} takes ${allowed.join(', ')}, not ${method}`);
  response.headers.Allow = allowed.join(', ');
  return response;
}

function readBody({ body, tooLarge }: ExchangeRequest): Readonly<Record<string, unknown>> {
  if (tooLarge === true) throw new AdminError(413, 'The body is too large');
  if (body === undefined || body.length === 0) return {};
  const parsed = parseBody(body);
  if ('problem' in parsed) throw new AdminError(400, parsed.problem);
  if (!isObject(parsed.value)) throw new AdminError(400, 'The body must be a JSON object');
  return parsed.value;
}

/** The refusal for an error that a request can cause; any other error is a defect of the mock. */
function refusedWith(error: unknown): ExchangeResponse {
  if (error instanceof AdminError) return plainError(error.status, error.message);
  if (error instanceof WorldError) return plainError(error.conflict ? 409 : 400, error.message);
  if (error instanceof Refused) return plainError(400, error.message);
  throw error;
}

function write(answer: unknown): ExchangeResponse {
  if (answer === undefined) return { status: 204, headers: {}, body: null };
  const { response } = answer instanceof Reply ? answer : json(200, answer);
  response.headers['X-Content-Type-Options'] = 'nosniff';
  return response;
}
