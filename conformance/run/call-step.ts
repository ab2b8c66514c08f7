/** Makes the calls of a step: one, or as many as its verb says. */

import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import type { Step } from '../language/scenario.ts';
import { resolve } from '../language/template.ts';
import { actorOf } from '../target/actor.ts';
import { TargetCall } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import { checkContract } from '../target/contract-check.ts';
import type { Occasion } from '../target/evidence.ts';
import {
  type Head,
  type ListMode,
  type PageReader,
  readHead,
  readPages,
} from '../target/read-pages.ts';
import { buildRequest, type QueryChange } from '../target/request.ts';
import { recordBreach, recordSeen } from './judge-step.ts';
import { type Running, Stopped } from './running.ts';

/** Throws Unresolved, CouldNotRun or Stopped where nothing can be judged. */
export async function callStep(running: Running, step: Step, id: string): Promise<Answer> {
  const answer = await callInMode(running, step, id);
  answer.response = step.operation?.responseFor(answer.status);
  answer.list = running.scope.of(answer, () => listIn(step, answer, running.scope));
  return answer;
}

function callInMode(running: Running, step: Step, id: string): Promise<Answer> {
  const { mode } = step;
  if (mode === undefined) return callOnce(running, step, id);
  if (mode.kind === 'repeat') return repeat(running, step, id, mode.times);
  return walkList(running, step, id, mode);
}

async function callOnce(
  running: Running,
  step: Step,
  id: string,
  change: QueryChange = {},
  kind: Occasion['kind'] = 'call',
): Promise<Answer> {
  const { run, scope, scenario, file, protection } = running;
  const { client } = run;
  const actor = actorOf(step.as, client.target.credentials, scope);
  const call = new TargetCall(buildRequest(step, actor.authorization, scope, change));
  const refused = await protection?.before(call);
  if (refused !== undefined) throw new Stopped(refused);
  running.requests++;
  const occasion = {
    scenario: scenario.title,
    step: id,
    kind,
    late: running.late,
  };
  const answer = await client.call(call, file, occasion).catch((error: unknown) => {
    if (error instanceof CouldNotRun) protection?.lost(call);
    throw error;
  });
  protection?.after(call, answer);
  if (actor.credential !== undefined)
    await checkCredential(running, actor.credential, call, answer);
  if (kind === 'call' && !call.request.plain) checkAnswer(running, step, id, answer, call);
  return answer;
}

/** Throws Stopped where a 401 comes of a credential that stopped working in mid-run. */
async function checkCredential(
  { run, file, scenario }: Running,
  credential: string,
  call: TargetCall,
  answer: Answer,
): Promise<void> {
  if (answer.ok && call.request.method === 'GET') run.credentials.worked(credential, call);
  if (answer.status !== 401) return;
  if (await run.credentials.stillWorks(credential, file, scenario.title)) return;
  throw new Stopped(`the credential ${credential} stopped working during the run`);
}

/** Compares an answer with the contract; what it breaks is judged, what it adds is observed. */
function checkAnswer(
  running: Running,
  step: Step,
  id: string,
  answer: Answer,
  call: TargetCall,
): void {
  const method = answer.request.method === 'HEAD' ? 'GET' : answer.request.method;
  const operation = call.operation ?? step.operation;
  if (operation === undefined || operation.method.toUpperCase() !== method) return;
  const { breaches, seen } = checkContract(operation, answer);
  for (const breach of breaches) recordBreach(running, step, id, breach, answer.evidence);
  for (const item of seen) recordSeen(running, operation.id, item, answer.evidence);
}

async function repeat(running: Running, step: Step, id: string, times: number): Promise<Answer> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++) answers.push(await callOnce(running, step, id));
  const last = answers.at(-1);
  if (last === undefined) throw new Error('repeat makes at least one call');
  const all = last.withEvidence(answers.flatMap((answer) => answer.evidence));
  all.answers = answers;
  return all;
}

/** Reads the pages of a step's list; a page beyond its end is no call of the step. */
function pagesOf(running: Running, step: Step, id: string, mode: ListMode): PageReader {
  const { scope } = running;
  const size = mode.size === undefined ? undefined : Number(resolve(mode.size, scope));
  const read: PageReader['read'] = (change, beyond) =>
    callOnce(running, step, id, change, beyond ? 'bracket' : 'call');
  return { mode, size, scope, read };
}

/** One big page of a step's list; undefined where it has none, or the page is refused. */
export async function headOf(running: Running, step: Step, id: string): Promise<Head | undefined> {
  const { mode } = step;
  if (mode === undefined || mode.kind === 'repeat') return undefined;
  return readHead(pagesOf(running, step, id, mode));
}

async function walkList(running: Running, step: Step, id: string, mode: ListMode): Promise<Answer> {
  const head = step.timing === undefined ? await headOf(running, step, id) : undefined;
  return readPages(pagesOf(running, step, id, mode), head?.ids ?? []);
}
