/** A mock in this process as a target of the runner: no sockets, a world for each target. */
import { mockTarget } from '../conformance/target/mock-target.ts';
import { NetworkError, type Target, type Transport } from '../conformance/target/target.ts';
import { textOf } from '../mock/pipeline/exchange.ts';
import type { Service } from '../mock/service/service.ts';
import type { World } from '../mock/world/world.ts';
import { version } from '../spec/base/version.ts';

/** HTTPS, so that promises about plain HTTP can be tried. The host is never looked up. */
const ORIGIN = 'https://localhost';

export interface InProcessOptions {
  readonly fixture?: unknown;
  readonly assumptions?: Readonly<Record<string, string>>;
  /** What else the world is made with. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** Stands between the runner and the service. */
  readonly around?: (send: Transport) => Transport;
  /** Changes the world before the first request to it. */
  readonly prepare?: (world: World) => void;
}

/** A fresh world of a service as a target. */
export async function inProcessTarget(
  service: Service,
  options: InProcessOptions = {},
): Promise<Target> {
  const { fixture, assumptions, prepare, around = (send) => send } = options;
  const target = await mockTarget(ORIGIN, version, around(transportOf(service)), {
    world: {
      ...(fixture === undefined ? {} : { fixture }),
      ...options.world,
      ...(assumptions === undefined ? {} : { assumptions }),
    },
  });
  const world = service.worlds.get(target.world ?? '');
  if (world !== undefined) prepare?.(world);
  return target;
}

function transportOf(service: Service): Transport {
  return async ({ method, url, headers, body }) => {
    const { protocol, host, pathname, search } = new URL(url);
    const lower: Record<string, string> = { host };
    for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
    const bytes = body === undefined || body === '' ? undefined : Buffer.from(body);
    const tooLarge = bytes !== undefined && bytes.length > service.bodyLimit;
    const response = await service.handle({
      method,
      target: `${pathname}${search}`,
      headers: lower,
      body: tooLarge ? undefined : bytes,
      ...(tooLarge ? { tooLarge } : {}),
      ...(protocol === 'http:' ? { plain: true } : { secure: true }),
    });
    if (response.status === 0 || response.fault?.cut !== undefined) {
      throw new NetworkError('ECONNRESET: the connection was closed');
    }
    return {
      status: response.status,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      text: await textOf(response),
    };
  };
}
