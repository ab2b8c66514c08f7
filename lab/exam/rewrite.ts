/**
 * Rewrites the calls of a scenario so that a condition holds. Each call is changed as little as possible.
 * Changed texts are changed back in the answers. This separates deviations that a scenario could notice from
 * deviations that no scenario can notice.
 */
import type { Does } from '../deviations/does.ts';
import type { Condition, Earlier } from '../deviations/only-if/only-if.ts';
import { type Call, otherCall, type Reply } from '../deviations/wire.ts';
import { type Change, changesOf, type Elsewhere, preludesTo } from './changes.ts';

/** Changes each call so that the condition holds, if that is possible. */
export function rewritten({ fits, holds }: Condition, elsewhere: Elsewhere): Does {
  let earlier: Earlier = { last: undefined, calls: 0 };
  const texts = new Map<string, string>();
  return async (call, target) => {
    const isSo = (asked: Call) => holds({ call: asked, target }, earlier);
    const answer = async (asked: Call): Promise<Reply> => {
      const reply = await target.handle(asked);
      earlier = { last: { call: asked, target, reply }, calls: earlier.calls + 1 };
      return changedBack(reply, texts);
    };
    if (!fits(call.operation) || (await isSo(call))) return answer(call);
    for (const change of await changesOf({ call, target }, elsewhere)) {
      const changed = callWith(call, change);
      if (!(await isSo(changed))) continue;
      if (change.text !== undefined) texts.set(change.text.now, change.text.before);
      return answer(changed);
    }
    for (const prelude of preludesTo({ call, target })) {
      await answer(prelude);
      if (await isSo(call)) break;
    }
    return answer(call);
  };
}

function callWith(call: Call, { headers, ...other }: Change): Call {
  const changed = otherCall(call, other);
  return { ...changed, headers: { ...changed.headers, ...headers } };
}

/** The reply with the texts that the caller sent. */
function changedBack(reply: Reply, texts: ReadonlyMap<string, string>): Reply {
  if (texts.size === 0) return reply;
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const old = JSON.stringify(reply.body) ?? '';
  const body = [...texts].reduce(
    (text, [now, before]) => text.replaceAll(inner(now), inner(before)),
    old,
  );
  return body === old ? reply : { ...reply, body: JSON.parse(body) as unknown };
}
