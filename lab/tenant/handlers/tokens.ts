/** Tokens for the metadata of a data model. */

import { sign } from '../credentials.ts';
import { bodyOf, isFields, type KnownCall, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { State } from '../state.ts';

const day = 86_400;
/** The longest lifetime. */
const longest = { odd: day, mild: 90 * day };

/** Whole seconds, with the zone as a number. */
const stamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/[.]\d+Z$/, '+00:00');

export function token(call: KnownCall, state: State, now: number): Reply {
  knowsOnly(call, []);
  const deployment = Number(call.path[0]);
  const found = state.environments.find(
    (one) => one.id === call.path[1] && one.deployment === deployment,
  );
  if (found === undefined) throw new Refusal(400, 'E-400 which environment?');
  const { security_context: context, expires_in: sent } = bodyOf(call, [
    'security_context',
    'expires_in',
  ]);
  if (!isFields(context) || Object.keys(context).length === 0)
    throw new Refusal(422, 'E-401 context?');
  if (
    sent !== undefined &&
    (typeof sent !== 'number' || !Number.isInteger(sent) || sent > longest[state.habits])
  ) {
    throw new Refusal(422, 'E-402 expires_in?');
  }
  // A lifetime of nothing or less counts as not sent.
  const lifetime = sent === undefined || sent <= 0 ? day : sent;
  const from = Math.floor(now / 1000);
  return reply(200, {
    data: {
      token: sign({
        aud: ['meta'],
        jti: `${state.calls}`,
        viewer: { about: context },
        nbf: from,
        exp: from + lifetime,
      }),
      created_at: stamp(from),
      expires_at: stamp(from + lifetime),
      scope: 'meta',
    },
  });
}
