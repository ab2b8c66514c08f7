/**
 * A Lockstep mock as a target: the runner makes a world there, uses that world's credentials and
 * bindings, and moves its clock instead of waiting.
 */

import { isObject } from '../../spec/base/json.ts';
import type { Claims } from '../language/vocabulary.ts';
import { NetworkError, type Target, type Transport } from './target.ts';
import { completeBindings } from './tenant-file.ts';

export interface MockOptions {
  readonly fixture?: unknown;
  /** What else the world is made with, such as assumptions. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** Told the id of the world before the first request to it. */
  readonly onWorld?: (id: string) => void;
  /** For a mock whose control API wants a token. */
  readonly adminToken?: string | undefined;
  /** Leaves the world behind for whoever wants to look at it. */
  readonly keepWorld?: boolean;
  readonly close?: () => Promise<void>;
}

export interface Health {
  readonly version: string;
}

/** What the health of a mock says; undefined where the target is none, or does not answer. */
export async function findMock(origin: string, send: Transport): Promise<Health | undefined> {
  try {
    const answer = await send({
      method: 'GET',
      url: `${origin}/__admin/health`,
      headers: {},
      body: undefined,
    });
    if (answer.status !== 200) return undefined;
    const body: unknown = JSON.parse(answer.text);
    if (!isObject(body) || body.name !== 'lockstep' || typeof body.version !== 'string')
      return undefined;
    return { version: body.version };
  } catch (error) {
    if (error instanceof NetworkError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The control API of a mock did not do what it was asked for. */
export class ControlRefused extends Error {}

/** Makes a world and answers with it as a target. Rejects with ControlRefused. */
export async function mockTarget(
  origin: string,
  health: Health,
  send: Transport,
  options: MockOptions = {},
): Promise<Target> {
  const admin = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await send({
      method,
      url: `${origin}/__admin/${path}`,
      headers: {
        'content-type': 'application/json',
        ...(options.adminToken === undefined ? {} : { 'lockstep-admin-token': options.adminToken }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.status >= 300) {
      const asked = `the mock's control API answered ${answer.status}: ${answer.text.slice(0, 200)}`;
      throw new ControlRefused(
        answer.status === 403
          ? `${asked}; LOCKSTEP_ADMIN_TOKEN is where its token is looked for`
          : asked,
      );
    }
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  const world = await admin('POST', 'worlds', {
    fixture: options.fixture ?? 'acme',
    ...options.world,
  });
  if (!isObject(world) || typeof world.id !== 'string' || !isObject(world.credentials)) {
    throw new Error("the mock's control API made no world");
  }
  const { id, credentials } = world;
  const actors = isObject(world.actors) ? world.actors : {};
  options.onWorld?.(id);
  return {
    kind: 'mock',
    baseUrl: `${origin}/w/${id}`,
    version: health.version,
    world: id,
    transport: send,
    credentials: new Map(
      Object.entries(credentials).map(([name, secret]) => {
        const claims = isObject(actors[name]) ? (actors[name] as Claims) : undefined;
        return [
          name,
          { name, secret: String(secret), ...(claims === undefined ? {} : { claims }) },
        ];
      }),
    ),
    bindings: completeBindings(isObject(world.bindings) ? world.bindings : {}),
    // A world knows its plan: what is off is not there.
    features: isObject(world.features)
      ? Object.fromEntries(
          Object.entries(world.features).map(([name, on]) => [
            name,
            on === false ? 'absent' : true,
          ]),
        )
      : {},
    aliases: new Map(),
    wait: async (milliseconds) => {
      await admin('POST', `worlds/${id}/clock/advance`, { seconds: milliseconds / 1000 });
    },
    close: async () => {
      if (options.keepWorld !== true) await admin('DELETE', `worlds/${id}`);
      await options.close?.();
    },
  };
}
