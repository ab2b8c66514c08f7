/** Tokens for the metadata of a data model. */

import { bodyOf, type Call } from '../call.ts';
import { sign } from '../credentials.ts';
import { isFields, Refusal, type Reply, reply } from '../exchange.ts';
import { has } from '../habits.ts';
import { environmentId } from './deployments.ts';

/** Lifetimes, in seconds. */
const day = 86_400;
const longest = 90 * day;
const shortest = 300;

/** Writes whole seconds, with the zone as a number. */
const stamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/[.]\d+Z$/, '+00:00');

export function token(call: Call): Reply {
  const { state, deployment, caller, now, text } = call;
  const isFound = state.branches.some(
    (branch) => branch.deployment === deployment && environmentId(state, branch) === call.id,
  );
  if (!isFound) throw new Refusal(400, 'E-450 which environment?');
  const { security_context: context, expires_in: sent = day } = bodyOf(call, [
    'security_context',
    'expires_in',
  ]);
  if (!isFields(context) || Object.keys(context).length === 0)
    throw new Refusal(422, 'E-451 context?');
  const isWhole = typeof sent === 'number' && Number.isInteger(sent);
  if (!isWhole || sent > longest || (sent > day && has(state, 'tokens-for-a-day')))
    throw new Refusal(422, 'E-452 expires_in?');
  if (sent < shortest && has(state, 'short-lives-refused'))
    throw new Refusal(422, 'E-453 too short');
  const asked = JSON.stringify([caller.name, call.path, text]);
  const kept = state.tokens[asked];
  if (kept !== undefined && now - kept.at < 60_000 && has(state, 'one-token-a-minute'))
    return reply(200, { data: kept.data });
  // A lifetime of 0 or less counts as not sent.
  const lifetime = sent <= 0 ? day : sent;
  const from = Math.floor(now / 1000);
  const data = {
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
  };
  state.tokens[asked] = { at: now, data };
  return reply(200, { data });
}
