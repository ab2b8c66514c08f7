/** Makes the calls of a step: one, or as many as its verb says. */

import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import { resolve } from '../language/template.ts';
import { actorOf } from '../target/actor.ts';
import type { TargetCall } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import { checkContract } from '../target/contract-check.ts';
import { type ListMode, type PageReader, readHead, readPages } from '../target/read-pages.ts';
import { callOf, type QueryChange } from '../target/request.ts';
import { recordBreach } from './judge-step.ts';
import { type Running, Stopped, type Turn } from './running.ts';

/** Throws Unresolved, CouldNotRun or Stopped where nothing can be judged. */
export async function callStep(turn: Turn): Promise<Answer> {
  const { step, running } = turn;
  const { scope } = running;
  const answer = await callInMode(turn);
  answer.response = step.operation?.responseFor(answer.status);
  answer.list = scope.of(answer, () => listIn(step, answer, scope));
  return answer;
}

function callInMode(turn: Turn): Promise<Answer> {
  const { mode } = turn.step;
  if (mode === undefined) return callOnce(turn);
  return mode.kind === 'repeat' ? repeat(turn, mode.times) : walkList(turn, mode);
}

/** `beyond`: the end of a list, where a page is no call of the step. */
async function callOnce(turn: Turn, change: QueryChange = {}, beyond = false): Promise<Answer> {
  const { running, step, id, late } = turn;
  const { run, scope, scenario, file, protection } = running;
  const { client } = run;
  const actor = actorOf(step.as, client.target.credentials, scope);
  const call = callOf(step, actor, scope, change);
  const refused = await protection?.before(call);
  if (refused !== undefined) throw new Stopped(refused);
  running.requests++;
  const kind = beyond ? 'bracket' : 'call';
  const occasion = { scenario: scenario.title, step: id, kind, late } as const;
  const answer = await client.call(call, file, occasion).catch((error: unknown) => {
    if (error instanceof CouldNotRun) protection?.lost(call);
    throw error;
  });
  protection?.after(call, answer);
  if (actor.credential !== undefined)
    await checkCredential(running, actor.credential, call, answer);
  if (!beyond && !call.request.plain) checkAnswer(turn, answer, call);
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
function checkAnswer(turn: Turn, answer: Answer, call: TargetCall): void {
  const { evidence, request } = answer;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = call.operation ?? turn.step.operation;
  if (operation === undefined || operation.method.toUpperCase() !== method) return;
  const { breaches, seen } = checkContract(operation, answer);
  for (const breach of breaches) recordBreach(turn, breach, evidence);
  const about = { operation: operation.id, count: 1, evidence: evidence.slice(0, 1) };
  turn.running.observations.push(...seen.map((item) => ({ ...item, ...about })));
}

async function repeat(turn: Turn, times: number): Promise<Answer> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++) answers.push(await callOnce(turn));
  const last = answers.at(-1);
  if (last === undefined) throw new Error('repeat makes at least one call');
  const all = last.withEvidence(answers.flatMap((answer) => answer.evidence));
  all.answers = answers;
  return all;
}

/** Reads the pages of a step's list. */
function pagesOf(turn: Turn, mode: ListMode): PageReader {
  const { scope } = turn.running;
  const size = mode.size === undefined ? undefined : Number(resolve(mode.size, scope));
  return { mode, size, scope, read: (change, beyond) => callOnce(turn, change, beyond) };
}

/** The keys of one big page of a step's list; undefined where it has none, or the page is refused. */
export async function headOf(turn: Turn): Promise<readonly unknown[] | undefined> {
  const { mode } = turn.step;
  if (mode === undefined || mode.kind === 'repeat') return undefined;
  return readHead(pagesOf(turn, mode));
}

async function walkList(turn: Turn, mode: ListMode): Promise<Answer> {
  const head = turn.step.timing === undefined ? await headOf(turn) : undefined;
  return readPages(pagesOf(turn, mode), head);
}
