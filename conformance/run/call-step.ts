/** Makes the calls of a step: one, or as many as its verb says. */

import { isObject } from '../../spec/base/json.ts';
import { assembleWalk, type Page } from '../answers/walk.ts';
import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import type { Mode, Step } from '../language/scenario.ts';
import { follow, resolve } from '../language/template.ts';
import { actorOf } from '../target/actor.ts';
import { Call } from '../target/call.ts';
import { CouldNotRun } from '../target/client.ts';
import { checkContract } from '../target/contract-check.ts';
import type { Occasion } from '../target/evidence.ts';
import { buildRequest, type QueryChange } from '../target/request.ts';
import { recordBreach, recordSeen } from './judge-step.ts';
import { type Running, Stopped } from './running.ts';

const mostPages = 500;

/** Throws Unresolved, CouldNotRun or Stopped where nothing can be judged. */
export async function callStep(running: Running, step: Step, id: string): Promise<Answer> {
  const answer = await callInMode(running, step, id);
  answer.declared = step.operation?.responseFor(answer.status)?.mediaType ?? undefined;
  running.scope.own = answer;
  answer.list = listIn(step, answer, running.scope);
  running.scope.own = undefined;
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
  const call = new Call(buildRequest(step, actor.authorization, scope, change));
  const refused = await protection?.before(call);
  if (refused !== undefined) throw new Stopped(refused);
  running.requests++;
  const occasion = { scenario: scenario.title, step: id, kind };
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
  call: Call,
  answer: Answer,
): Promise<void> {
  if (answer.ok && call.request.method === 'GET') run.credentials.worked(credential, call);
  if (answer.status !== 401) return;
  if (await run.credentials.stillWorks(credential, file, scenario.title)) return;
  throw new Stopped(`the credential ${credential} stopped working during the run`);
}

/** Compares an answer with the contract; what it breaks is judged, what it adds is observed. */
function checkAnswer(running: Running, step: Step, id: string, answer: Answer, call: Call): void {
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

type ListMode = Extract<Mode, { kind: 'walkPages' | 'scimList' }>;

/** One big page, to see whether the list stands still while it is walked. */
export async function readHead(
  running: Running,
  step: Step,
  id: string,
): Promise<Head | undefined> {
  const { mode } = step;
  if (mode === undefined || mode.kind === 'repeat') return undefined;
  const sizeName = mode.kind === 'walkPages' ? 'limit' : 'count';
  const answer = await callOnce(running, step, id, { [sizeName]: 1000 }, 'bracket');
  const items = follow(answer, mode.items, running.scope);
  if (!answer.ok || !Array.isArray(items)) return undefined;
  const { total } = aboutPage(mode, answer);
  return { ids: items.map((item) => (isObject(item) ? item[mode.key] : undefined)), total };
}

export interface Head {
  readonly ids: readonly unknown[];
  readonly total: number | undefined;
}

/**
 * Reads all pages. The answer is that of the first page, with the walk; where a page is refused or
 * is no page, it is that of the page, without a walk.
 */
async function walkList(running: Running, step: Step, id: string, mode: ListMode): Promise<Answer> {
  const given = mode.size === undefined ? undefined : Number(resolve(mode.size, running.scope));
  const head = step.timing === undefined ? await readHead(running, step, id) : undefined;
  const pages: Page[] = [];
  const seen = new Set<unknown>();
  const evidence: string[] = [];
  const first = mode.kind === 'scimList' ? 1 : 0;
  let asked = first;
  let answer: Answer | undefined;
  while (pages.length < mostPages) {
    const beyond =
      pages.length > 0 && asked - first >= (pages[0]?.total ?? Number.POSITIVE_INFINITY);
    const change = pageQuery(mode, asked, given, pages.length === 0);
    const page = await callOnce(running, step, id, change, beyond ? 'bracket' : 'call');
    const items = follow(page, mode.items, running.scope);
    const last = mode.kind === 'scimList' && items === undefined && page.ok;
    if (!page.ok || !(Array.isArray(items) || last)) {
      if (beyond) break;
      return page;
    }
    const list: readonly unknown[] = Array.isArray(items) ? items : [];
    const fresh = list.filter((item) => !seen.has(key(item, mode.key)));
    if (beyond && fresh.length === 0) break;
    answer ??= page;
    evidence.push(...page.evidence);
    for (const item of list) seen.add(key(item, mode.key));
    const about = aboutPage(mode, page);
    pages.push({ body: page.body, items: list, asked, askedSize: given, ...about });
    const advance =
      mode.kind === 'scimList'
        ? list.length
        : Math.min(given ?? Number.POSITIVE_INFINITY, positive(about.size));
    const step_ = Number.isFinite(advance) ? advance : list.length;
    if (list.length === 0 || step_ <= 0) break;
    asked += step_;
    // A full last page may hide more: what a total denies is looked for once.
    if (
      about.total !== undefined
        ? asked - first >= about.total && list.length < step_
        : list.length < step_
    )
      break;
    if (beyond && list.length < step_) break;
  }
  if (answer === undefined) throw new Error('a walk reads at least one page');
  const walked = answer.withEvidence(evidence);
  walked.walk = assembleWalk(pages, mode.key, head?.ids ?? []);
  return walked;
}

function pageQuery(
  mode: ListMode,
  asked: number,
  size: number | undefined,
  first: boolean,
): QueryChange {
  const [position, limit] =
    mode.kind === 'scimList' ? ['startIndex', 'count'] : ['offset', 'limit'];
  return {
    ...(first && size === undefined ? {} : { [position]: asked }),
    ...(size === undefined ? {} : { [limit]: size }),
  };
}

/** What a page says about itself. */
function aboutPage(mode: ListMode, answer: Answer): Pick<Page, 'position' | 'size' | 'total'> {
  const body = isObject(answer.body) ? answer.body : {};
  if (mode.kind === 'scimList') {
    return { position: whole(body.startIndex), size: undefined, total: whole(body.totalResults) };
  }
  const pagination = isObject(body.pagination) ? body.pagination : {};
  return {
    position: whole(pagination.offset),
    size: whole(pagination.limit),
    total: whole(pagination.total),
  };
}

function key(item: unknown, name: string): unknown {
  return isObject(item) ? item[name] : undefined;
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

function positive(value: number | undefined): number {
  return value === undefined || value <= 0 ? Number.POSITIVE_INFINITY : value;
}
