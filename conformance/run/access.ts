/**
 * Finds out whether a caller has access. A success shows access; 401 and 403 show none. Any other
 * answer may have another cause. Then a permitted caller sends the same request, before and after
 * the first caller repeats it.
 */

import type { Access, Answer } from '../language/answer.ts';
import { showsAccess, statusFits } from '../language/evaluate.ts';
import type { Step } from '../language/scenario.ts';
import { callerOf } from '../language/vocabulary.ts';
import { CouldNotRun } from '../target/client.ts';
import { callOnce } from './call-step.ts';
import type { Turn } from './running.ts';

/** How long to wait for a gateway before another caller is asked, ms. */
export const patienceMs = 2000;

/** Whether a check of the step asks about access. */
export function asksAccess({ checks, mode }: Step): boolean {
  return mode === undefined && checks.some(({ conditions }) => conditions.status === 'allowed');
}

/**
 * The answer with the result of the comparison. It stays unchanged if no comparison is needed or
 * possible.
 */
export async function withAccess(turn: Turn, answer: Answer): Promise<Answer> {
  const other = measureOf(turn);
  if (showsAccess(answer.status) || other === undefined) return answer;
  const asked: Answer[] = [];
  for (const as of [other, turn.step.as ?? other, other]) {
    const next = await oneMore({ ...turn, step: { ...turn.step, as } });
    if (next === undefined) return answer;
    asked.push(next);
  }
  const compared = answer.withEvidence([answer, ...asked].flatMap((one) => one.evidence));
  compared.access = accessIn(answer, asked);
  return compared.access === undefined ? answer : compared;
}

/** `asked`: the answer to the other caller, then to this caller again, then to the other one again. */
function accessIn(answer: Answer, asked: readonly Answer[]): Access | undefined {
  const [before, again, after] = asked;
  if (before?.ok && after?.ok && again?.ok === false) return 'alone refused';
  const alike = asked.every(({ status }) => status === answer.status);
  return alike && statusFits(answer.status, '4xx') ? 'as others' : undefined;
}

/** A permitted caller to compare with; undefined if the target has no such credential. */
function measureOf({ step, running }: Turn): Step['as'] | undefined {
  const usual = callerOf(step.operation);
  const { credentials } = running.run.client.target;
  const others: readonly Step['as'][] = [
    usual,
    usual === 'admin' ? 'oauth' : { header: `Api-Key {credentials.${usual}}` },
  ];
  return others.find(
    (as) =>
      as !== step.as && (typeof as === 'string' ? credentials.has(as) : credentials.has(usual)),
  );
}

/** Sends the request once more; undefined if no answer came. Rejects if the run is over. */
async function oneMore(turn: Turn): Promise<Answer | undefined> {
  try {
    return await callOnce({ ...turn, patienceMs })({}, true);
  } catch (error) {
    if (!(error instanceof CouldNotRun) || turn.running.run.signal?.aborted === true) throw error;
    return error.answer;
  }
}
