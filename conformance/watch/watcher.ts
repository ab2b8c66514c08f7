/**
 * Watches traffic: each exchange is judged, followed and recorded as it ends, in bounded memory. Nothing here
 * sends, listens or prints.
 */

import { parseJson } from '../../spec/base/json.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import type { CheckRecord } from '../judge/record.ts';
import type { Report } from '../judge/report.ts';
import { callTo, TargetCall } from '../target/call.ts';
import { Evidence, type KeptFile } from '../target/evidence.ts';
import { Latencies } from '../target/latencies.ts';
import { parametersIn } from './asked.ts';
import { basisOf, basisText } from './basis.ts';
import { type Caller, Callers, secretsOf } from './caller.ts';
import type { Seen, WatchFacts } from './facts.ts';
import { Journal } from './journal.ts';
import { type Judged, judgeAnswer, pathOf, type Reading, tokensIn } from './judge-answer.ts';
import { type Followed, Sequences, type Span } from './sequences.ts';
import { evidenceOf, keptTarget, shapeOf, shownValue } from './shapes.ts';
import { silencesShown } from './silences.ts';
import { Tally } from './tally.ts';
import { type Body, type Exchange, type Head, textOf } from './traffic.ts';
import { followedIn, scenarioOf, trafficReport, type Watched } from './traffic-report.ts';
import { Walks } from './walks.ts';

export interface WatchOptions extends Watched {
  readonly facts: WatchFacts;
  /** Bodies are kept as they are, but for secrets; default their shapes. */
  readonly keepBodies?: boolean | undefined;
  /** The recorder of the traffic may have left credentials out. */
  readonly hides?: boolean | undefined;
  /** How long a change may take to show; a run waits a tenth of it. */
  readonly lagMs?: number | undefined;
  readonly evidence?: boolean | undefined;
  readonly onViolation?: ((text: string) => void) | undefined;
}

/** The facts about a request before its answer. */
export interface Begun {
  readonly number: number;
  readonly operation: Operation | undefined;
  readonly span: Span | undefined;
}

const usualLagMs = 300_000;
/** The most exchanges kept for each operation and status; more are kept if they break a promise. */
const mostKept = 100;
const mostPending = 100;
const mostTold = 10;
const leastLearnt = 8;
/** Each is looked for in all that is kept. */
const mostLearnt = 100;

interface Pending {
  readonly reading: Reading;
  readonly operation: Operation;
  readonly number: number;
  readonly evidence: readonly string[];
}

export class Watcher {
  readonly journal = new Journal();
  readonly #options: WatchOptions;
  readonly #callers: Callers;
  readonly #sequences: Sequences;
  readonly #walks: Walks;
  readonly #evidence: Evidence | undefined;
  readonly #tally = new Tally();
  readonly #latencies = new Latencies();
  readonly #kept = new Map<string, number>();
  /** By caller: whether it was let in, and the refusals that wait for it to be let in again. */
  readonly #letIn = new Map<string, Pending[]>();
  readonly #told = new Map<string, number>();
  readonly #startedAt = new Date().toISOString();
  readonly #start = performance.now();
  readonly #learnt = new Set<string>();
  #requests = 0;
  #evidenceFull = false;

  constructor(options: WatchOptions) {
    const { target, facts, hides = false, lagMs = usualLagMs, redactor } = options;
    this.#options = options;
    this.#callers = new Callers(target, { hides });
    this.#sequences = new Sequences(facts.sequences, lagMs);
    this.#walks = new Walks(facts.lists);
    this.#evidence = options.evidence === false ? undefined : new Evidence(redactor);
  }

  begin(head: Head): Begun {
    this.#requests += 1;
    const { operation } = callTo(head.method, pathIn(head));
    return {
      number: this.#requests,
      operation,
      span: operation && this.#sequences.begin(operation),
    };
  }

  /** The silences that an answer rests on, before its body is there; undefined if it is not graded. */
  basis({
    request,
    sent,
    status,
  }: Pick<Exchange, 'request' | 'sent' | 'status'>): readonly string[] | undefined {
    const call = callOf(request, sent);
    return basisOf(call, request, status, this.#callers.of(request).cells(call));
  }

  end(exchange: Exchange, begun: Begun): void {
    const { request, status, durationMs } = exchange;
    const call = callOf(request, exchange.sent);
    const caller = this.#callers.of(request);
    const cells = caller.cells(call);
    const { operation } = call;
    const { target, facts } = this.#options;
    const judged = judgeAnswer(exchange, call, caller, cells, target, facts.open);
    const followed = this.#follow(exchange, call, caller, judged, begun);
    const failed = judged.readings.some(({ result }) => result.kind === 'fails');
    const counted = followed.filter((item) => item.kind === 'counts');
    const broken =
      failed || counted.some(({ result }) => result.kind === 'fails') || judged.refused.length > 0;
    const evidence = this.#keep(exchange, call, caller, broken, begun.number);
    this.#tally.count(operation?.id, status, exchange.ending);
    if (operation !== undefined && judged.answer?.ok) this.#latencies.add(operation.id, durationMs);
    const told = this.#record(judged, followed, operation, begun.number, evidence);
    this.#mindAccess(judged, caller, operation, status, begun.number, evidence);
    const basis = basisOf(call, request, status, cells);
    this.journal.add({
      number: begun.number,
      at: new Date(request.sentAt).toISOString(),
      method: request.method,
      path: keptTarget(call, request.target),
      ...{ operation: operation?.id, caller: caller.label, status, ending: exchange.ending },
      durationMs: Math.round(durationMs * 100) / 100,
      basis: basis && basisText(basis),
      violations: told,
      notJudged: judged.why,
      sent: shapeIn(exchange.sent, request.headers),
      body: shapeIn(exchange.body, exchange.headers),
    });
  }

  /** Remembers the answer for promises over several calls, and returns their results. */
  #follow(
    exchange: Exchange,
    call: TargetCall,
    caller: Caller,
    { answer }: Judged,
    begun: Begun,
  ): Followed[] {
    const { operation, span } = begun;
    if (operation === undefined || span === undefined) return [];
    const { request, durationMs } = exchange;
    // A cache in between may show an old state.
    const isOld = Number(exchange.headers.age ?? 0) > 0;
    const seen: Seen | undefined =
      answer === undefined || isOld
        ? undefined
        : {
            ...{ operation: operation.id, answer, path: pathOf(operation, call), sent: call.sent },
            query: parametersIn(operation, request.target),
            ...{ sentAt: request.sentAt, endedAt: request.sentAt + durationMs },
          };
    if (seen !== undefined && operation.secret)
      for (const token of tokensIn(seen.answer.body)) this.#callers.learnMinted(token);
    const followed = this.#sequences.end(span, operation, seen);
    if (seen === undefined) return followed;
    return [...followed, ...this.#walks.note(operation, seen, caller.label ?? '')];
  }

  #record(
    { readings, why, seen, answer }: Judged,
    followed: readonly Followed[],
    operation: Operation | undefined,
    number: number,
    evidence: readonly string[],
  ): string[] {
    if (operation === undefined) {
      this.#tally.skip(undefined, why);
      return [];
    }
    this.#tally.skip(operation.id, why);
    const told: string[] = [];
    for (const reading of readings) told.push(...this.#note(reading, operation, number, evidence));
    for (const item of followed) {
      if (item.kind === 'open') this.#tally.leaveOpen(operation.id, item.statement, item.why);
      else told.push(...this.#note(readingOf(item), operation, number, evidence));
    }
    const about = { operation: operation.id, count: 1, evidence: evidence.slice(0, 1) };
    this.#tally.observe(seen.map((item) => ({ ...item, ...about })));
    if (answer !== undefined) this.#tally.observe(silencesShown(operation, answer, evidence));
    return told;
  }

  /** Counts a reading. A failure is told at once, in words for people. */
  #note(
    { check, kind, result }: Reading,
    operation: Operation,
    number: number,
    evidence: readonly string[],
  ): string[] {
    const { statement, level, location } = check;
    const isOwn =
      kind === 'contract' ||
      !JSON.stringify('conditions' in check ? check.conditions : {}).includes('"{');
    const shown =
      result.kind === 'holds' || this.#options.keepBodies === true
        ? result
        : {
            ...result,
            expected: isOwn ? result.expected : shownValue(result.expected, result.pointer),
            actual: isFollowed(check) ? result.actual : shownValue(result.actual, result.pointer),
          };
    const record: CheckRecord = {
      ...{ statement, level, kind, location, scenario: scenarioOf(operation.id), step: 'answer' },
      readings: [{ result: shown, evidence, circumstances: [] }],
    };
    this.#tally.note(operation.id, record);
    if (shown.kind !== 'fails') return [];
    const { text } = contract.statements.get(statement) ?? { text: '' };
    const expected = JSON.stringify(shown.expected) ?? 'nothing';
    const actual = JSON.stringify(shown.actual) ?? 'nothing';
    const verb = level === 'standard' ? 'deviates from' : 'violates';
    const line = `#${number} ${operation.id} ${verb} ${statement} at ${shown.pointer || '/'}: promised ${expected}, came ${actual}: ${text}`;
    this.#tell(`${statement} ${operation.id} ${shown.pointer}`, line);
    return [`${statement} ${shown.pointer}`];
  }

  #tell(place: string, line: string): void {
    const times = (this.#told.get(place) ?? 0) + 1;
    if (this.#told.size > 1000 || times > mostTold) return;
    this.#told.set(place, times);
    const more = times === mostTold ? ' (more of these are only counted)' : '';
    this.#options.onViolation?.(line + more);
  }

  /**
   * A credential may expire at any time. So a refusal of somebody who may make a call counts only if the same
   * credential was accepted before and is accepted afterwards.
   */
  #mindAccess(
    { refused }: Judged,
    caller: Caller,
    operation: Operation | undefined,
    status: number,
    number: number,
    evidence: readonly string[],
  ): void {
    if (caller.kind !== 'named' || caller.label === null || operation === undefined) return;
    const waiting = this.#letIn.get(caller.label);
    if (status >= 200 && status < 300) {
      for (const { reading, ...about } of waiting ?? [])
        this.#note(reading, about.operation, about.number, about.evidence);
      this.#letIn.set(caller.label, []);
      return;
    }
    for (const reading of refused) {
      const why = 'the credential may have ended: it was not let in before and afterwards';
      if (waiting === undefined || waiting.length >= mostPending)
        this.#tally.leaveOpen(operation.id, reading.check.statement, why);
      else waiting.push({ reading, operation, number, evidence });
    }
  }

  #keep(
    exchange: Exchange,
    call: TargetCall,
    caller: Caller,
    broken: boolean,
    number: number,
  ): readonly string[] {
    if (this.#evidence === undefined || this.#evidenceFull) return [];
    const name = call.operation?.id ?? 'unknown';
    const place = `${name} ${exchange.status}`;
    const times = (this.#kept.get(place) ?? 0) + 1;
    // If every answer breaks a promise, a limited number of them is enough.
    if (times > mostKept * (broken ? 10 : 1)) return [];
    this.#kept.set(place, times);
    const { target, redactor } = this.#options;
    const keepBodies =
      this.#options.keepBodies === true &&
      secretsOf(exchange.request).every((secret) => this.#learn(secret));
    const { request, answer } = evidenceOf(exchange, call, caller, {
      to: target.baseUrl,
      keepBodies,
    });
    if (keepBodies && call.secret) redactor.addMinted(parseJson(answer.text));
    const occasion = { scenario: `Traffic: ${name}`, step: String(number), kind: 'call' } as const;
    try {
      return [this.#evidence.add(`traffic-${name}`, occasion, request, answer)];
    } catch {
      this.#evidenceFull = true;
      return [];
    }
  }

  /**
   * A body may hold a secret of its request, also one that the tenant file does not name. False if there were
   * too many of them to look for.
   */
  #learn(secret: string): boolean {
    // A shorter one may be a word of any answer.
    if (secret.length < leastLearnt || this.#learnt.has(secret)) return true;
    if (this.#learnt.size >= mostLearnt) return false;
    this.#learnt.add(secret);
    this.#options.redactor.add(secret, '{redacted}');
    return true;
  }

  /** The report of the traffic so far. */
  report(): Report {
    const reason = 'the credential was not let in afterwards';
    for (const waiting of this.#letIn.values())
      for (const { reading, operation } of waiting.splice(0))
        this.#tally.leaveOpen(operation.id, reading.check.statement, reason);
    const durationMs = Math.round(performance.now() - this.#start);
    const about = { startedAt: this.#startedAt, durationMs, latency: this.#latencies.table() };
    const full = this.#evidenceFull ? ['the evidence is full: later exchanges are not kept'] : [];
    return trafficReport(this.#tally, this.#options, about, full);
  }

  /** The final report, with its evidence; afterwards no exchange can be added. */
  finish(): { readonly report: Report; readonly evidence: readonly KeptFile[] } {
    const report = this.report();
    const evidence = this.#evidence?.files() ?? [];
    const files = evidence.map(({ file, sha256, entries }) => ({ file, sha256, entries }));
    return { report: { ...report, evidence: files }, evidence };
  }
}

const isFollowed = ({ location }: Reading['check']): boolean => location.file.endsWith('/watch.ts');

function readingOf({ statement, area, result }: Extract<Followed, { kind: 'counts' }>): Reading {
  const { level = 'documented' } = contract.statements.get(statement) ?? {};
  return {
    check: { statement, level, location: followedIn(area), because: undefined },
    kind: 'check',
    result,
  };
}

const pathIn = ({ target }: Head): string => target.split('?')[0] ?? '';

function callOf(head: Head, sent: Body): TargetCall {
  const read = textOf(sent, head.headers);
  const text = typeof read === 'string' || read.text === '' ? undefined : read.text;
  const { method } = head;
  const headers = Object.fromEntries(
    Object.entries(head.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return new TargetCall({
    method,
    path: pathIn(head),
    query: {},
    headers,
    text,
    body: undefined,
    plain: false,
  });
}

function shapeIn(body: Body, headers: Head['headers']): unknown {
  const read = textOf(body, headers);
  return typeof read === 'string' ? read : shapeOf(read.text);
}
