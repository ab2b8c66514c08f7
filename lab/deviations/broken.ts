/** Breaks a target: each call goes through a deviation. */
import type { Memory } from '../../mock/world/deviations.ts';
import type { Deviation } from './rows.ts';
import { type Reply, type Request, readCall, type Target } from './wire.ts';

export interface BrokenTarget {
  handle(request: Request): Promise<Reply>;
  /** How often the deviation took effect. */
  effects(): number;
}

/** `every`: 3 makes the deviation take effect only in every third request to its operations. */
export function broken(target: Target, deviation: Deviation, every = 1): BrokenTarget {
  const memory: Memory = new Map();
  let requests = 0;
  let effects = 0;
  let last: Promise<unknown> = Promise.resolve();
  const took = (): void => {
    effects += 1;
  };
  const serve = async (request: Request): Promise<Reply> => {
    const call = readCall(request);
    if (call === undefined || !deviation.operations.includes(call.operation.id)) {
      return target.handle(request);
    }
    requests += 1;
    if (requests % every !== 0) return target.handle(request);
    let within: Reply | undefined;
    const handle = async (asked: Request): Promise<Reply> => {
      within = await target.handle(asked);
      return within;
    };
    const reply = await deviation.does(call, { ...target, handle, memory, took });
    if (reply !== within) took();
    return reply;
  };
  return {
    effects: () => effects,
    // Requests are served one after the other, because an operator may restore the target's memory.
    handle(request) {
      const mine = last.then(() => serve(request));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
