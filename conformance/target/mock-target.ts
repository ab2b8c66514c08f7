/**
 * A Lockstep mock as a target: the runner makes a world there, uses that world's credentials and
 * bindings, and moves its clock instead of waiting.
 */

import { controlOf } from '../../spec/base/control-client.ts';
import { isObject, parseJson } from '../../spec/base/json.ts';
import type { Claims } from '../language/vocabulary.ts';
import { NetworkError, type Target, type Transport } from './target.ts';
import { completeBindings } from './tenant.ts';

export interface MockTargetOptions {
  /** What the world is made with, such as a fixture or assumptions. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** For a mock whose control API wants a token. */
  readonly adminToken?: string | undefined;
  readonly close?: () => Promise<void>;
}

/** The version that the health of a mock says; undefined where the target is none, or does not answer. */
export async function findMock(origin: string, send: Transport): Promise<string | undefined> {
  try {
    const url = `${origin}/__admin/health`;
    const { status, text } = await send({ method: 'GET', url, headers: {}, body: undefined });
    const body = status === 200 ? parseJson(text) : undefined;
    if (!isObject(body) || body.name !== 'lockstep' || typeof body.version !== 'string')
      return undefined;
    return body.version;
  } catch (error) {
    if (error instanceof NetworkError) return undefined;
    throw error;
  }
}

/** Makes a world and answers with it as a target. Rejects with a ControlError. */
export async function mockTarget(
  origin: string,
  version: string,
  send: Transport,
  options: MockTargetOptions = {},
): Promise<Target> {
  const control = controlOf(`${origin}/__admin`, options.adminToken, send);
  const world = await control('POST', 'worlds', { fixture: 'acme', ...options.world });
  if (typeof world.id !== 'string' || !isObject(world.credentials)) {
    throw new Error("the mock's control API made no world");
  }
  const { id, credentials } = world;
  const about = (part: string) => (isObject(world[part]) ? world[part] : {});
  const actors = about('actors');
  return {
    kind: 'mock',
    baseUrl: `${origin}/w/${id}`,
    version,
    world: id,
    transport: send,
    credentials: new Map(
      Object.entries(credentials).map(([name, secret]) => {
        const claims = isObject(actors[name]) ? (actors[name] as Claims) : undefined;
        return [name, { secret: String(secret), claims }];
      }),
    ),
    bindings: completeBindings(about('bindings')),
    // A world knows its plan: what is off is not there.
    features: Object.fromEntries(
      Object.entries(about('features')).map(([name, on]) => [name, on === false ? 'absent' : true]),
    ),
    aliases: new Map(),
    wait: async (milliseconds) => {
      await control('POST', `worlds/${id}/clock/advance`, { seconds: milliseconds / 1000 });
    },
    close: async () => {
      await control('DELETE', `worlds/${id}`);
      await options.close?.();
    },
  };
}
