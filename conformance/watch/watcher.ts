/**
 * Watches traffic: each exchange is judged, followed and recorded as it ends, in bounded memory. Nothing here
 * sends, listens or prints.
 */

import { parseJson } from '../../spec/base/json.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import type { CheckRecord } from '../judge/record.ts';
import type { Report } from '../judge/report.ts';
import type { WireAnswer } from '../language/answer.ts';
import { callTo, TargetCall } from '../target/call.ts';
import { Evidence, type KeptFile } from '../target/evidence.ts';
import { Latencies } from '../target/latencies.ts';
import type { WireRequest } from '../target/target.ts';
import { parametersIn } from './asked.ts';
import { basisOf, basisText } from './basis.ts';
import { type Attributed, Callers, secretsOf } from './caller.ts';
import { Doubts } from './doubts.ts';
import type { Seen, WatchFacts } from './facts.ts';
import { type Judged, judgeAnswer, type Reading, tokensIn } from './judge-answer.ts';
import { type Followed, Sequences, type Span } from './sequences.ts';
import { evidenceOf, shapesOf, shownValue } from './shapes.ts';
import { silencesShown } from './silences.ts';
import { Tally } from './tally.ts';
import { type Exchange, type Head, type ReadBody, textOf } from './traffic.ts';
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
  /** Asks for the newest secrets of those credentials that change in time, by their names. */
  readonly newest?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
  readonly onViolation?: ((text: string) => void) | undefined;
  /** Told of each exchange, for a journal. */
  readonly onEntry?: ((entry: WatchedEntry) => void) | undefined;
}

/** An exchange without secrets and personal data: bodies are shapes. */
export interface WatchedEntry {
  /** Of the exchange, from 1. */
  readonly number: number;
  readonly operation: Operation['id'] | undefined;
  /** Of the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly caller: string | null;
  /** With the path for its address. */
  readonly request: WireRequest;
  readonly answer: Omit<WireAnswer, 'headers'> & {
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly ending: Exchange['ending'];
  /** As `Lockstep-Basis` says it; undefined if the answer says nothing of the service. */
  readonly basis: { readonly text: string; readonly silences: readonly string[] } | undefined;
  /** The choices that the answer shows, by silence. */
  readonly choices: ReadonlyMap<string, string>;
  /** Statement and pointer. */
  readonly violations: readonly string[];
  readonly notJudged: readonly string[];
  /** The whole body of an answer that was judged, to be looked at and not kept. */
  readonly page: unknown;
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
const mostTold = 10;
/** Between two looks for newer secrets. */
const restMs = 1000;
const leastLearnt = 8;
/** Each is looked for in all that is kept. */
const mostLearnt = 100;

/** The exchange that a reading is of. */
interface Source {
  readonly operation: Operation;
  readonly number: number;
  readonly evidence: readonly string[];
}

export class Watcher {
  readonly #options: WatchOptions;
  readonly #callers: Callers;
  readonly #sequences: Sequences;
  readonly #walks: Walks;
  readonly #evidence: Evidence | undefined;
  readonly #tally = new Tally();
  readonly #latencies = new Latencies();
  readonly #kept = new Map<string, number>();
  readonly #doubts: Doubts<Source>;
  readonly #told = new Map<string, number>();
  readonly #startedAt = new Date().toISOString();
  readonly #start = performance.now();
  readonly #learnt = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #requests = 0;
  #evidenceFull = false;

  constructor(options: WatchOptions) {
    const { target, facts, hides = false, lagMs = usualLagMs, redactor } = options;
    this.#options = options;
    this.#callers = new Callers(target, { hides });
    this.#sequences = new Sequences(facts.sequences, lagMs);
    this.#walks = new Walks(facts.lists);
    this.#doubts = new Doubts(
      lagMs,
      ({ reading, source }) => this.#note(reading, source),
      ({ reading, source }, why) =>
        this.#tally.leaveOpen(source.operation.id, reading.check.statement, why),
    );
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
  basis(answer: Pick<Exchange, 'request' | 'sent' | 'status'>): readonly string[] | undefined {
    const { call, caller } = this.#asked(
      answer.request,
      textOf(answer.sent, answer.request.headers),
    );
    return basisOf(call, answer.request, answer.status, caller.cells);
  }

  #asked(request: Head, sent: ReadBody) {
    const call = callOf(request, sent);
    const caller = this.#callers.of(request, call);
    if (caller.kind === 'unknown') this.#askForNewest();
    return { call, caller };
  }

  /** A client may have a newer token than the one that was read: the caller of its next request is known. */
  #askForNewest(): void {
    const { newest } = this.#options;
    if (newest === undefined || performance.now() - this.#askedAt < restMs) return;
    this.#askedAt = performance.now();
    void newest().then((secrets) => this.#callers.learn(secrets));
  }

  end(exchange: Exchange, begun: Begun): void {
    const { request, status, durationMs } = exchange;
    const { number } = begun;
    const texts = {
      sent: textOf(exchange.sent, request.headers),
      body: textOf(exchange.body, exchange.headers),
    };
    const whole = { ...exchange, ...this.#asked(request, texts.sent), texts };
    const { call, caller } = whole;
    const { operation } = call;
    const { target, facts } = this.#options;
    const judged = judgeAnswer(whole, target, facts.open);
    const followed = this.#follow(whole, judged, begun);
    const results = [...judged.readings, ...followed.filter((item) => item.kind === 'counts')];
    const isBroken =
      results.some(({ result }) => result.kind === 'fails') || judged.refused.length > 0;
    const evidence = this.#keep(whole, isBroken, number);
    this.#tally.count(operation?.id, status, exchange.ending);
    if (operation !== undefined && judged.answer?.ok) this.#latencies.add(operation.id, durationMs);
    this.#tally.skip(operation?.id, judged.why);
    const source = operation && { operation, number, evidence };
    const { told, shown } =
      source === undefined ? { told: [], shown: [] } : this.#record(judged, followed, source);
    if (source !== undefined) this.#doubts.note(judged, whole, source);
    if (this.#options.onEntry === undefined) return;
    const basis = basisOf(call, request, status, caller.cells);
    this.#options.onEntry({
      ...{ number, operation: operation?.id, parameters: call.parameters, caller: caller.label },
      ...shapesOf(whole),
      ending: exchange.ending,
      basis: basis && { text: basisText(basis), silences: basis },
      choices: new Map(shown.map(({ statement = '', choice = '' }) => [statement, choice])),
      ...{ violations: told, notJudged: judged.why, page: judged.answer?.body },
    });
  }

  /** Remembers the answer for promises over several calls, and returns their results. */
  #follow(exchange: Attributed, judged: Judged, { operation, span }: Begun): Followed[] {
    const answer = judged.answer ?? judged.followed;
    if (operation === undefined || span === undefined) return [];
    const { request, durationMs, call, caller } = exchange;
    // A cache in between may show an old state.
    const isOld = Number(exchange.headers.age ?? 0) > 0;
    const seen: Seen | undefined =
      answer === undefined || isOld
        ? undefined
        : {
            ...{ operation: operation.id, answer, path: call.parameters, sent: call.sent },
            query: parametersIn(operation, request.target),
            ...{ sentAt: request.sentAt, endedAt: request.sentAt + durationMs },
          };
    if (seen !== undefined && operation.secret)
      for (const token of tokensIn(seen.answer.body)) this.#callers.learnMinted(token);
    const followed = this.#sequences.end(span, operation, seen);
    if (seen === undefined) return followed;
    return [...followed, ...this.#walks.note(operation, seen, caller.label ?? '')];
  }

  #record({ readings, seen, answer }: Judged, followed: readonly Followed[], source: Source) {
    const { operation, evidence } = source;
    const told = readings.flatMap((reading) => this.#note(reading, source));
    for (const item of followed) {
      if (item.kind === 'open') this.#tally.leaveOpen(operation.id, item.statement, item.why);
      else told.push(...this.#note(readingOf(item), source));
    }
    const about = { operation: operation.id, count: 1, evidence: evidence.slice(0, 1) };
    this.#tally.observe(seen.map((item) => ({ ...item, ...about })));
    const shown = answer === undefined ? [] : silencesShown(operation, answer, evidence);
    this.#tally.observe(shown);
    return { told, shown };
  }

  /** Counts a reading. A failure is told at once, in words for people. */
  #note({ check, kind, result }: Reading, { operation, number, evidence }: Source): string[] {
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

  #keep(exchange: Attributed, isBroken: boolean, number: number): readonly string[] {
    if (this.#evidence === undefined || this.#evidenceFull) return [];
    const { call } = exchange;
    const name = call.operation?.id ?? 'unknown';
    const place = `${name} ${exchange.status}`;
    const times = (this.#kept.get(place) ?? 0) + 1;
    // If every answer breaks a promise, a limited number of them is enough.
    if (times > mostKept * (isBroken ? 10 : 1)) return [];
    this.#kept.set(place, times);
    const { target, redactor } = this.#options;
    const keepBodies =
      this.#options.keepBodies === true &&
      secretsOf(exchange.request).every((secret) => this.#learn(secret));
    const { request, answer } = evidenceOf(exchange, target.baseUrl, keepBodies);
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
    this.#doubts.end();
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

function callOf(head: Head, sent: ReadBody): TargetCall {
  const text = typeof sent === 'string' || sent.text === '' ? undefined : sent.text;
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
