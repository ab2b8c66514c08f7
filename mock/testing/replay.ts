/** Runs an entry of the corpus in a fresh, frozen world. */

import { createService } from '../kits/index.ts';
import { bodyText, type ExchangeRequest, type ExchangeResponse } from '../pipeline/exchange.ts';
import { loadFixture } from '../service/fixture.ts';
import type { Service } from '../service/service.ts';
import type { World } from '../world/world.ts';
import { emit, WorldClock } from '../world/world-clock.ts';
import type { CorpusEntry, CorpusRequest } from './corpus-entry.ts';

/** An answer with its body as text. */
export interface Replayed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Silences of the Lockstep-Basis header. */
  readonly assumed: readonly string[];
  /** The failures that the mock's check of its own answer found. */
  readonly contractFailures: readonly string[];
  readonly world: World;
}

const ID = 'w';
const CLOCK = '2026-01-01T12:00:00.000Z';
let shared: Promise<Service> | undefined;

type Choices = Readonly<Record<string, string>>;

/** `late`: choices that apply only to the request itself, not to the requests before it. */
export function replay(
  entry: CorpusEntry,
  assumptions: Choices = {},
  late: Choices = {},
): Promise<Replayed> {
  return withReplayed(entry, assumptions, late, (replayed) => replayed);
}

/** Replays an entry, and runs an action while its world exists. */
export async function withReplayed<Result>(
  entry: CorpusEntry,
  assumptions: Choices,
  late: Choices,
  act: (replayed: Replayed, service: Service) => Result | Promise<Result>,
): Promise<Result> {
  // One service is enough, because its worlds are isolated.
  shared ??= createService();
  const service = await shared;
  const fixture = entry.fixture ?? 'acme';
  await loadFixture(fixture);
  const world = await service.createWorld({ id: ID, fixture, clock: CLOCK, seed: 7, assumptions });
  try {
    let token: string | undefined;
    for (const step of entry.before ?? []) {
      if ('event' in step) emit(world, step.event);
      else if ('days' in step) new WorldClock(world).advance({ days: step.days });
      else {
        const text = await bodyText(await send(service, step, token));
        token = /"token":"([^"]+)"/.exec(text)?.[1] ?? token;
      }
    }
    world.assumptions.set(late);
    const response = await send(service, entry.send, token);
    const text = await bodyText(response);
    const basis = response.headers['Lockstep-Basis'] ?? '';
    const replayed = {
      status: response.status,
      headers: response.headers,
      text,
      assumed: basis.startsWith('assumed; ') ? basis.slice('assumed; '.length).split(', ') : [],
      contractFailures: world.journal.list().flatMap((item) => item.contractFailures),
      world,
    };
    return await act(replayed, service);
  } finally {
    service.deleteWorld(world);
  }
}

async function send(
  service: Service,
  sent: CorpusRequest,
  token: string | undefined,
): Promise<ExchangeResponse> {
  return service.handle(exchangeOf(sent, token));
}

/** Makes the request of a corpus entry for the world of a replay. */
export function exchangeOf(sent: CorpusRequest, token?: string): ExchangeRequest {
  const { as = 'admin', method = 'GET', body, text } = sent;
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const authorization =
    sent.withToken === true
      ? `Bearer ${token}`
      : (sent.authorization ?? (as === null ? undefined : `Bearer ${ID}-${as}`));
  return {
    method,
    target: `/w/${ID}${sent.path}`,
    headers: { 'content-type': 'application/json', ...sent.headers, authorization },
    body: payload === undefined ? undefined : new TextEncoder().encode(payload),
    ...(sent.plain === undefined ? {} : { plain: sent.plain }),
    ...(sent.tooLarge === undefined ? {} : { tooLarge: sent.tooLarge }),
  };
}
