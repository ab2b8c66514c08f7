/** The answer to a step: of its one call, or of all calls of its verb. */

import { isObject } from '../../spec/base/json.ts';
import { byOffset, byStartIndex, type Paging, usualSize } from '../answers/paging.ts';
import { assembleWalk, type Page } from '../answers/walk.ts';
import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import type { Mode, Step } from '../language/scenario.ts';
import type { ScenarioScope } from '../language/scope.ts';
import { follow, resolve, type Scope } from '../language/template.ts';
import type { QueryChange } from './request.ts';

/** Makes the step's call once. */
export type CallOnce = PageReader['read'];

/**
 * `head`: a walk over a list reads one big page first. `isMore`: whether a `repeat` goes on after so many calls.
 * Rejects with what `read` does.
 */
export async function answerOf(
  step: Step,
  scope: ScenarioScope,
  read: CallOnce,
  head: boolean,
  isMore: (made: number) => boolean = (made) => made < timesOf(step),
): Promise<Answer> {
  const reader = pagesOf(step, scope, read);
  const answer =
    reader === undefined ? await repeated(step, read, isMore) : await readList(reader, head);
  answer.response = step.operation?.responseFor(answer.status);
  answer.list = scope.of(answer, () => listIn(step, answer, scope));
  return answer;
}

export const timesOf = ({ mode }: Step): number => (mode?.kind === 'repeat' ? mode.times : 1);

/** The ids of one big page, read after a walk; undefined if the service serves no such page. */
export async function headAfter(
  step: Step,
  scope: ScenarioScope,
  read: CallOnce,
): Promise<readonly unknown[] | undefined> {
  const reader = pagesOf(step, scope, read);
  return reader && (await readHead(reader));
}

/** Undefined for a step that does not walk over a list. */
function pagesOf(
  { mode, operation }: Step,
  scope: ScenarioScope,
  read: CallOnce,
): PageReader | undefined {
  if (mode === undefined || mode.kind === 'repeat') return undefined;
  const size = mode.size === undefined ? undefined : Number(resolve(mode.size, scope));
  const paging = mode.kind === 'scimList' ? byStartIndex : byOffset;
  const usual = usualSize(operation?.parameters ?? [], paging);
  return { mode, paging, size, usual, scope, read };
}

async function repeated(
  { mode }: Step,
  read: CallOnce,
  isMore: (made: number) => boolean,
): Promise<Answer> {
  const first = await read({}, false);
  if (mode?.kind !== 'repeat') return first;
  const answers = [first];
  while (isMore(answers.length)) answers.push(await read({}, false, true));
  const last = answers.at(-1) ?? first;
  const all = last.withEvidence(answers.flatMap((answer) => answer.evidence));
  all.answers = answers;
  return all;
}

const mostPages = 500;
const mostHeadPages = 50;

type ListMode = Extract<Mode, { kind: 'walkPages' | 'scimList' }>;

interface PageReader {
  readonly mode: ListMode;
  readonly paging: Paging;
  /** Page size to ask for; undefined if none is sent. */
  readonly size: number | undefined;
  /** The size of a page if no size is sent. A service's largest page is not smaller. */
  readonly usual: number | undefined;
  readonly scope: Scope;
  /**
   * Makes the call of the step with these parameters. `beyond`: after the end that the total says.
   * `further`: not the first call of a `repeat`.
   */
  readonly read: (change: QueryChange, beyond: boolean, further?: true) => Promise<Answer>;
}

/**
 * Reads the keys of the whole list in few pages, to see whether it changes during a walk. It asks for one
 * big page, and for the following pages if the service makes it smaller. If the service refuses the size,
 * it asks for pages of the service's own size.
 */
async function readHead(reader: PageReader): Promise<readonly unknown[] | undefined> {
  return (await readWhole(reader, 1000)) ?? (await readWhole(reader, undefined));
}

async function readWhole(
  { mode, paging, scope, read }: PageReader,
  size: number | undefined,
): Promise<readonly unknown[] | undefined> {
  const ids: unknown[] = [];
  let total: number | undefined;
  for (let page = 0; page < mostHeadPages; page++) {
    const from = page === 0 ? {} : { [paging.position]: paging.first + ids.length };
    const long = size === undefined ? {} : { [paging.size]: size };
    const answer = await read({ ...from, ...long }, true);
    const items = follow(answer, mode.items, scope);
    if (!answer.ok || !Array.isArray(items)) return page === 0 ? undefined : ids;
    const known = new Set(ids);
    const fresh = items.map((item) => key(item, mode.key)).filter((id) => !known.has(id));
    for (const id of fresh) ids.push(id);
    if (page === 0) total = paging.about(answer.body).total;
    if (fresh.length === 0 || ids.length >= (total ?? 0)) break;
  }
  return ids;
}

/** Reads all pages; in pages of the usual size if larger ones are refused. */
async function readList(reader: PageReader, head: boolean): Promise<Answer> {
  const first = head ? await readHead(reader) : undefined;
  const answer = await readPages(reader, first);
  const { size = 0, usual = size } = reader;
  const isRefused = answer.walk === undefined && tooMuch.includes(answer.status);
  return isRefused && size > usual ? readPages({ ...reader, size: usual }, first) : answer;
}

/** The statuses that refuse a limit above the largest. */
const tooMuch: readonly number[] = [400, 413, 416, 422];

/**
 * Reads all pages. Returns the answer of the first page, with the walk. If the service refuses a page, or
 * answers with something else, it returns the answer to that page, without a walk.
 */
async function readPages(
  { mode, paging, size, usual, scope, read }: PageReader,
  head: readonly unknown[] = [],
): Promise<Answer> {
  const pages: Page[] = [];
  const seen = new Set<unknown>();
  const evidence: string[] = [];
  const { first } = paging;
  let asked = first;
  let answer: Answer | undefined;
  while (pages.length < mostPages) {
    const beyond = asked - first >= (pages[0]?.total ?? Number.POSITIVE_INFINITY);
    const page = await read(
      {
        ...(pages.length === 0 && size === undefined ? {} : { [paging.position]: asked }),
        ...(size === undefined ? {} : { [paging.size]: size }),
      },
      beyond,
    );
    const items = follow(page, mode.items, scope);
    const list = mode.kind === 'scimList' && items === undefined ? [] : items;
    if (!page.ok || !Array.isArray(list)) {
      if (beyond) break;
      return page;
    }
    const fresh = list.filter((item) => !seen.has(key(item, mode.key)));
    if (beyond && fresh.length === 0) break;
    answer ??= page;
    evidence.push(...page.evidence);
    for (const item of list) seen.add(key(item, mode.key));
    const about = paging.about(page.body);
    pages.push({ body: page.body, items: list, asked, askedSize: size, ...about });
    const isLast = asked - first + list.length >= (about.total ?? Number.POSITIVE_INFINITY);
    const isCut = !isLast && size !== undefined && isCapped(list.length, size, usual);
    const step = isCut ? list.length : stepOf(mode, list.length, size, about.size);
    if (list.length === 0 || step <= 0) break;
    asked += step;
    // There may be more after a full last page: one more page is read, even if the total denies it.
    const full = list.length >= step;
    const ended = about.total === undefined || asked - first >= about.total;
    if (!full && (ended || beyond)) break;
  }
  if (answer === undefined) throw new Error('a walk reads at least one page');
  const walked = answer.withEvidence(evidence);
  walked.walk = assembleWalk(pages, mode.key, head);
  return walked;
}

/** Whether a page is short because the service has a largest page. `pagination` need not say that. */
const isCapped = (length: number, asked: number, usual = Number.POSITIVE_INFINITY): boolean =>
  length >= usual && length < asked;

/** The distance from the start of this page to the start of the next one. */
function stepOf(
  mode: ListMode,
  length: number,
  asked: number | undefined,
  said: number | undefined,
): number {
  if (mode.kind === 'scimList') return length;
  const admitted = said === undefined || said <= 0 ? Number.POSITIVE_INFINITY : said;
  const step = Math.min(asked ?? Number.POSITIVE_INFINITY, admitted);
  return Number.isFinite(step) ? step : length;
}

function key(item: unknown, name: string): unknown {
  return isObject(item) ? item[name] : undefined;
}
