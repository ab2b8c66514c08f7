/**
 * Shows the traffic of a proxy as a world of the mock, so that the journal, HAR file, coverage and
 * console are the same.
 */
import type { ProxyJournal } from '../../conformance/watch/pass-through.ts';
import type { WatchedEntry } from '../../conformance/watch/watcher.ts';
import { handlers } from '../../mock/areas/all-handlers.ts';
import { events } from '../../mock/areas/events.ts';
import { denied } from '../../mock/control/access.ts';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  plainError,
} from '../../mock/pipeline/exchange.ts';
import { loadFixture } from '../../mock/service/fixture.ts';
import { Service } from '../../mock/service/service.ts';
import { httpServer } from '../../mock/transport/node-http.ts';
import { pageKind } from '../../mock/world/paged-list.ts';
import { version } from '../../spec/base/version.ts';

const root = '/__admin';
const world = 'tenant';
/** The routes about traffic. All other routes would show or change the rows of a mock. */
const shown = [
  'GET /?',
  'GET /(console/[^/]+|health|version|statements(/[^/]+)?|operations|openapi.json)',
  'GET /(coverage|contract.json|contract.yaml|docs|report|worlds)',
  `GET /worlds/${world}(/(clock|coverage|events|requests(.har|/[^/]+)?))?`,
  `POST /worlds/${world}/requests/(find|count)`,
  `DELETE /worlds/${world}/requests`,
].map((route) => new RegExp(`^${route.replaceAll('.', '\\.').replace(' ', ` ${root}`)}$`));

const mostNumbers = 1000;

/** Makes the world that keeps the traffic to `origin`. Its control API needs `token`. */
export async function trafficWorld(
  origin: string,
  token: string | undefined,
): Promise<ProxyJournal> {
  const service = new Service({
    areas: { handlers, events, catalogue: () => import('../../lab/areas/catalogue.ts') },
    fixture: { ...(await loadFixture('empty')), world },
    adminToken: token,
  });
  /**
   * Entry ids by the number of the exchange. An exchange gets its number when it begins, and its entry when
   * it ends.
   */
  const ids = new Map<string, number>();
  let report: () => unknown = () => ({});

  function handle(request: ExchangeRequest): ReturnType<Service['handle']> {
    const { method } = request;
    const [path = '', query] = request.target.split('?');
    if (path === `${root}/health`)
      // The name differs from a mock's, because this server makes no worlds.
      return json({ name: 'lockstep-proxy', version, protocol: 1 });
    const place = path.replace(
      /^\/__admin\/requests(?:\/(\d+))?/,
      (_whole, number?: string) =>
        `${root}/worlds/${world}/requests${number === undefined ? '' : `/${ids.get(number) ?? number}`}`,
    );
    const isShown = shown.some((route) => route.test(`${method} ${place}`));
    const reason = denied(request, path, service.options);
    if (reason !== undefined) return plainError(403, reason);
    if (!isShown) {
      const known = 'requests, requests/{n}, requests.har, coverage and report';
      return plainError(404, `a proxy has no ${method} ${path}; it has ${known}`);
    }
    if (path === `${root}/report`) return json(report());
    return service.handle({
      ...request,
      target: query === undefined ? place : `${place}?${query}`,
    });
  }

  const server = httpServer({ handle, bodyLimit: service.bodyLimit, closed: false }, false);
  return {
    record(entry) {
      const { id } = record(service, origin, entry);
      ids.set(String(entry.number), id);
      const [oldest] = ids.keys();
      if (ids.size > mostNumbers && oldest !== undefined) ids.delete(oldest);
    },
    answers(request, response) {
      const [path = ''] = (request.url ?? '').split('?');
      if (path !== root && !path.startsWith(`${root}/`)) return false;
      server.emit('request', request, response);
      return true;
    },
    onReport(make) {
      report = make;
    },
  };
}

const json = (value: unknown): ExchangeResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

function record({ defaultWorld }: Service, origin: string, entry: WatchedEntry) {
  const { request, answer, basis, ending, page, violations, notJudged } = entry;
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const written = {
    at: answer.sentAt,
    ...{ method: request.method, path, query, headers: request.headers },
    ...{ operation: entry.operation ?? null, credential: entry.caller },
    requestBody: request.body ?? null,
    status: ending === 'whole' ? answer.status : 0,
    responseHeaders: answer.headers,
    responseBody: answer.text === '' ? null : answer.text,
    ...{ basis: basis?.text ?? null, assumed: basis?.silences ?? [] },
    ...{ refusal: null, fault: null, passedOver: [], changes: [] },
    page: pageKind(page) ?? null,
    contractFailures: violations,
    watched: { origin, durationMs: answer.durationMs, notJudged },
  };
  const { choices, parameters } = entry;
  defaultWorld.coverage.add(written, defaultWorld.assumptions, parameters, choices);
  return defaultWorld.journal.record(written);
}
