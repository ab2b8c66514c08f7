/** Makes a target of a mock in this process, without sockets. Each target has its own world. */
import { type MockTargetOptions, mockTarget } from '../../conformance/target/mock-target.ts';
import { NetworkError, type Target, type Transport } from '../../conformance/target/target.ts';
import { bodyText } from '../../mock/pipeline/exchange.ts';
import type { Service } from '../../mock/service/service.ts';
import type { DeviationRecord } from '../../mock/world/deviations.ts';
import type { World } from '../../mock/world/world.ts';
import { version } from '../../spec/base/version.ts';

/**
 * It uses HTTPS, so that promises about plain HTTP can be tested. The host name is never resolved.
 */
const ORIGIN = 'https://localhost';

export interface InProcessOptions extends Pick<MockTargetOptions, 'world'> {
  /** Wraps the transport between the runner and the service. */
  readonly around?: (send: Transport) => Transport;
  /** Changes the world before the first request to it. */
  readonly prepare?: (world: World) => void;
}

/** A fresh world of a service as a target. */
export async function inProcessTarget(
  service: Service,
  { around = (send) => send, prepare, ...options }: InProcessOptions = {},
): Promise<Target> {
  const target = await mockTarget(ORIGIN, version, around(transportOf(service)), options);
  const world = service.worlds.get(target.world ?? '');
  if (world !== undefined) prepare?.(world);
  return target;
}

/**
 * A target with these deviations; `effects` counts for the first one. Time moves only while the
 * suite waits, so every run of the exam is the same.
 */
export async function targetWith(
  service: Service,
  deviations: readonly DeviationRecord[],
  more: MockTargetOptions['world'] = {},
) {
  const clock = new Date().toISOString();
  const target = await inProcessTarget(service, { world: { clock, ...more } });
  const world = service.worlds.get(target.world ?? '');
  const switchOn = (records: readonly DeviationRecord[]) => world?.deviations.set(records);
  switchOn(deviations);
  return { target, switchOn, effects: () => world?.deviations.list()[0]?.effects ?? 0 };
}

function transportOf(service: Service): Transport {
  return async ({ method, url, headers, body }) => {
    const { protocol, host, pathname, search } = new URL(url);
    const response = await service.handle({
      method,
      target: `${pathname}${search}`,
      headers: { host, ...lowered(headers) },
      body: body === undefined || body === '' ? undefined : Buffer.from(body),
      plain: protocol === 'http:',
      secure: protocol === 'https:',
    });
    if (response.status === 0 || response.fault?.cut !== undefined) {
      throw new NetworkError('ECONNRESET: the connection was closed');
    }
    const { status } = response;
    return { status, headers: lowered(response.headers), text: await bodyText(response) };
  };
}

/** The headers with their names in lower case. */
function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
