/**
 * A Lockstep mock as a target: the runner makes a world there, uses that world's credentials and
 * bindings, and moves its clock instead of waiting.
 */

import { ControlError, controlOf, versionOf, worldBy } from '../../spec/base/control-client.ts';
import { isObject } from '../../spec/base/json.ts';
import type { Claims } from '../language/vocabulary.ts';
import { NetworkError, type Target, type Transport } from './target.ts';
import { completeBindings } from './tenant.ts';

export interface MockTargetOptions {
  /** The inputs of the world, such as a fixture or assumptions. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** For a mock whose control API wants a token. */
  readonly adminToken?: string | undefined;
  readonly close?: () => Promise<void>;
}

/** The version from a mock's health; undefined if the target is not a mock, or does not answer. */
export async function findMock(origin: string, send: Transport): Promise<string | undefined> {
  try {
    return await versionOf(controlOf(`${origin}/__admin`, undefined, send));
  } catch (error) {
    if (error instanceof NetworkError || error instanceof ControlError) return undefined;
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
  // A mock that was started with a fixture is certified with it: a twin is one.
  const world = await worldBy(control, 'POST', 'worlds', { ...options.world });
  const { id, credentials, actors, bindings, features } = world;
  return {
    kind: 'mock',
    baseUrl: `${origin}/w/${id}`,
    version,
    world: id,
    transport: send,
    credentials: new Map(
      Object.entries(credentials).map(([name, secret]) => {
        const claims = isObject(actors[name]) ? (actors[name] as Claims) : undefined;
        return [name, { secret, claims }];
      }),
    ),
    bindings: completeBindings(bindings),
    // A world knows its plan: a feature that is off is absent.
    features: Object.fromEntries(
      Object.entries(features).map(([name, on]) => [name, on === false ? 'absent' : true]),
    ),
    aliases: new Map(),
    wait: async (milliseconds) => {
      if (milliseconds <= 0) return;
      await control('POST', `worlds/${id}/clock/advance`, { seconds: milliseconds / 1000 });
    },
    close: async () => {
      await control('DELETE', `worlds/${id}`);
      await options.close?.();
    },
  };
}
