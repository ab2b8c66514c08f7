/**
 * The promises about a switch of a staging environment and the lists after it. An environment does
 * not name its branch.
 */

import { atPointer, isObject } from '../../../spec/base/json.ts';
import type { Compared, OpenAnswer, Seen, Sequence } from '../../watch/facts.ts';

interface Switch {
  readonly branch: string;
  readonly on: boolean;
}

/** The branch of a switch and its new state; undefined if the answer does not show them. */
function switchOf({ operation, answer, sent }: Seen): Switch | undefined {
  if (operation !== 'setStagingEnvironment' || answer.status !== 200 || !isObject(sent))
    return undefined;
  const branch = atPointer(answer.body, '/data');
  if (!isObject(branch) || branch.isStagingEnvironmentEnabled !== sent.enabled) return undefined;
  return { branch: String(branch.id), on: sent.enabled === true };
}

/** The ids of all staging environments; undefined if the answer may not show all. */
function stagingIn({ operation, answer, query }: Seen): ReadonlySet<string> | undefined {
  const { list } = answer;
  const total = atPointer(answer.body, '/pagination/total');
  const isWhole = (query.offset ?? 0) === 0 && list !== undefined && total === list.length;
  const isAsked = query.type === undefined || query.type === 'staging';
  if (operation !== 'listEnvironments' || !isWhole || !isAsked) return undefined;
  return new Set(
    list.flatMap((item) => (isObject(item) && item.type === 'staging' ? String(item.id) : [])),
  );
}

/**
 * The last four calls, if they are a switch, a list, the opposite switch and a list, all for one
 * branch.
 */
function aroundSwitch(calls: readonly Seen[], on: boolean, settled: (a: Seen, b: Seen) => boolean) {
  const [before, first, now, last] = [calls.at(-4), calls.at(-3), calls.at(-2), calls.at(-1)];
  if (before === undefined || first === undefined || now === undefined || last === undefined)
    return undefined;
  const [was, is] = [switchOf(before), switchOf(now)];
  const [then, after] = [stagingIn(first), stagingIn(last)];
  if (was === undefined || is === undefined || then === undefined || after === undefined)
    return undefined;
  // The list between the two switches must show the effect of the first.
  const fits = was.branch === is.branch && is.on === on && was.on === !on && settled(before, first);
  return fits ? { then, after } : undefined;
}

const ofSwitches = { operations: ['setStagingEnvironment'] } as const;

/** A branch is switched over by a name that was accepted before: the answer must be the promised one. */
function switchedOver([before, now]: readonly Seen[]): Compared {
  const [was, is] = [before?.sent, now?.sent];
  if (before?.answer.ok !== true || now?.answer.ok !== true) return undefined;
  if (!isObject(was) || !isObject(is) || was.enabled !== !is.enabled) return undefined;
  if (was.branchName !== is.branchName || was.branchId !== is.branchId) return undefined;
  const { status } = now.answer;
  return status === 200 ? 'holds' : { pointer: '/status', expected: 200, actual: status };
}

/** A switch by identifier was refused between two accepted switches of the branch by its name. */
function refusedById(calls: readonly Seen[]): Compared {
  const isById = ({ sent }: Seen) => isObject(sent) && sent.branchName === undefined;
  const now = calls.at(-1);
  const is = now && switchOf(now);
  if (now === undefined || is === undefined) return undefined;
  if (isById(now)) return 'holds';
  const before = calls.slice(0, -1);
  const from = before.findLastIndex(
    (call) => switchOf(call)?.branch === is.branch && !isById(call),
  );
  const refused = before.slice(from + 1).find(({ answer, sent }) => {
    const named = isObject(sent) && sent.branchName === undefined ? String(sent.branchId) : '';
    const isRefused = [400, 404, 422].includes(answer.status);
    return isRefused && named === is.branch && isObject(sent) && sent.enabled === is.on;
  });
  if (from === -1 || refused === undefined) return undefined;
  return { pointer: '/status', expected: '2xx', actual: refused.answer.status };
}

const ofOneDeployment = {
  operations: ['setStagingEnvironment', 'listEnvironments'],
  lags: true,
} as const;

export const stagingSequences: readonly Sequence[] = [
  { ...ofSwitches, statement: 'STAGE-1', compare: (calls) => switchedOver(calls.slice(-2)) },
  { ...ofSwitches, statement: 'STAGE-12', compare: refusedById },
  {
    ...ofOneDeployment,
    statement: 'STAGE-5',
    compare: (calls, settled): Compared => {
      const [write, list] = [calls.at(-2), calls.at(-1)];
      const shown = list && stagingIn(list);
      if (write !== undefined && switchOf(write)?.on === true && shown?.size === 0)
        return { pointer: '/list', expected: 'a staging environment', actual: 'none' };
      const around = aroundSwitch(calls, true, settled);
      if (around === undefined) return undefined;
      if (around.after.difference(around.then).size > 0) return 'holds';
      return { pointer: '/list', expected: 'one more staging environment', actual: 'none more' };
    },
  },
  {
    ...ofOneDeployment,
    statement: 'STAGE-6',
    compare: (calls, settled): Compared => {
      const around = aroundSwitch(calls, false, settled);
      if (around === undefined || around.then.size === 0) return undefined;
      if (around.then.difference(around.after).size > 0) return 'holds';
      return { pointer: '/list', expected: 'one staging environment less', actual: 'none less' };
    },
  },
];

/** The description does not say how a switch to the present state is answered (STAGE-20). */
export const openSwitches: OpenAnswer = {
  operation: 'setStagingEnvironment',
  why: 'the branch may have been in that state already',
  isOpen: ({ ok, status }) => ok && status !== 200,
};
