/** Makes the calls of a step through the guard, and compares the answers with the contract. */

import { failureOf, isSettled } from '../judge/check.ts';
import { isPage } from '../judge/gateway.ts';
import type { Answer } from '../language/answer.ts';
import { isExpected } from '../language/evaluate.ts';
import { countsOthers } from '../language/scenario.ts';
import type { TargetCall } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import { checkContract } from '../target/contract-check.ts';
import { actorOf, callOf } from '../target/request.ts';
import { answerOf, type CallOnce, timesOf } from '../target/step-answer.ts';
import { isShared } from '../target/target.ts';
import { readChecks, recordBreach } from './record-step.ts';
import { Stopped, type Turn } from './running.ts';

/** Throws Unresolved, CouldNotRun or Stopped if there is no answer to record. */
export function callStep(turn: Turn): Promise<Answer> {
  const { step, running, id } = turn;
  const { client, moreCalls } = running.run;
  const times = timesOf(step);
  const isEnough = (): boolean => countsOthers(step) && client.unthrottled >= times;
  const isMore = (made: number): boolean => moreCalls?.(id) ?? (made < times && !isEnough());
  const head = step.timing === undefined && readsHead(turn);
  return answerOf(step, running.scope, callOnce(turn), head, isMore);
}

/** On a shared target the big page before a walk is needed only after a failure, or if the scenario names it. */
export function readsHead({ running: { run, scenario }, bracketed }: Turn): boolean {
  return bracketed === true || scenario.namesHead || !isShared(run.client.target);
}

/**
 * Makes the call of a step. `beyond`: a page after the end of a list, which does not count as the call of
 * the step. `further`: not the first call of a `repeat`.
 */
export const callOnce =
  (turn: Turn): CallOnce =>
  async (change, beyond, further) => {
    const { running, step, id, late, patienceMs } = turn;
    const { run, scope, scenario, file, protection } = running;
    const { client } = run;
    const actor = actorOf(step.as, client.target.credentials, scope);
    const call = callOf(step, actor, scope, change);
    const refused = await protection?.before(call);
    if (refused !== undefined) throw new Stopped({ rule: 'not-written', reason: refused });
    running.requests++;
    const kind = beyond ? 'bracket' : 'call';
    const occasion = { scenario: scenario.title, step: id, kind, late, further } as const;
    const answer = await client.call(call, file, occasion, patienceMs).catch((error: unknown) => {
      if (error instanceof CouldNotRun) protection?.lost(call);
      throw error;
    });
    protection?.after(call, answer);
    const { credential } = actor;
    run.claimWatch?.note({ call, answer, credential }, step, scenario.title);
    const isWanted = (): boolean => {
      // A refusal may be the choice at a silence, so it does not show that the key was revoked.
      if (step.observes.length > 0) return false;
      const checks = readChecks(turn, answer);
      const holds = checks.some(isSettled) && checks.every((one) => failureOf(one) === undefined);
      return holds && isExpected(step, answer, scope);
    };
    const hasStopped =
      credential !== undefined &&
      (await run.stoppedWorking(credential, call, answer, running, isWanted));
    if (hasStopped) throw new Stopped({ rule: 'credential-stopped', credential });
    const { plain, path } = call.request;
    const { id: operation } = call.operation ?? step.operation ?? { id: path };
    const page = isPage(answer.wire);
    const failed = call.object !== undefined && answer.status >= 500 && !plain;
    running.calls.push({ at: answer.wire.sentAt, operation, page, failed, plain });
    // The description does not say whether a path with a trailing slash is served (REQ-1).
    const open = step.unspecified || path.endsWith('/');
    if (!beyond && !plain && !open) checkAnswer(turn, answer, call);
    return answer;
  };

/**
 * Compares an answer with the contract. It records each breach, and observes each undeclared field.
 */
function checkAnswer(turn: Turn, answer: Answer, call: TargetCall): void {
  const operation = call.operation ?? turn.step.operation;
  if (operation === undefined) return;
  const { breaches, seen } = checkContract(operation, answer);
  for (const breach of breaches) recordBreach(turn, breach, answer);
  const about = { operation: operation.id, count: 1, evidence: answer.evidence.slice(0, 1) };
  turn.running.observations.push(...seen.map((item) => ({ ...item, ...about })));
}
