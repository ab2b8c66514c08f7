/** What a call mints, and how a deviation mints something else. */

import type { Memory, Scene } from '../../../deviations/deviation.ts';
import {
  callOf,
  deviationOf,
  type Handle,
  isRecord,
  same,
} from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { signMetadataToken } from '../../../service/sign.ts';

export const DAY_S = 86_400;

/** The last moment that a Date can hold, ms. */
const LAST_MS = 8_640_000_000_000_000;

export const deviation = deviationOf('tokens', 'createMetaSyncToken');

export const tokenCall = callOf<'createMetaSyncToken'>;

/** What is minted: times in ms. */
interface Minted {
  readonly context: unknown;
  readonly createdAt: number;
  /** What the answer says. */
  readonly expiresAt: number;
  /** What the token says. */
  readonly exp: number;
}

export interface Minting {
  /** Seconds; undefined where it was not sent. */
  readonly sent: number | undefined;
  readonly memory: Memory;
  readonly scene: Scene;
}

/** Mints something else than was asked for. The same values leave the answer as it is. */
export function mints(change: (minted: Minted, minting: Minting) => Partial<Minted>): Handle {
  return async (next, scene) => {
    const done = await next();
    const data = isRefusal(done) || !isRecord(done.body) ? undefined : done.body.data;
    if (isRefusal(done) || !isRecord(data)) return done;
    const call = tokenCall(scene.call);
    const { security_context: context, expires_in: sent } = call.input;
    const expiresAt = Date.parse(String(data.expires_at));
    const minted: Minted = {
      context,
      createdAt: Date.parse(String(data.created_at)),
      expiresAt,
      exp: expiresAt,
    };
    const changed = { ...minted, ...change(minted, { sent, memory: scene.memory, scene }) };
    if (same(minted, changed)) return done;
    const token = await signMetadataToken(scene.world, {
      context: changed.context,
      claim: scene.world.assumptions.choice('META-11'),
      createdAt: minted.createdAt,
      expiresAt: Math.min(changed.exp, LAST_MS),
      environmentId: call.path.environment_id,
    });
    const answer = {
      token,
      created_at: iso(changed.createdAt),
      expires_at: iso(changed.expiresAt),
    };
    return { ...done, body: { data: answer } };
  };
}

function iso(at: number): string {
  return new Date(Math.min(at, LAST_MS)).toISOString();
}
