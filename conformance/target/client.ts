/**
 * The only way in which a run talks to its target: guarded, patient with 429, and recorded. Reads and
 * idempotent put-backs are sent again after a network error or an answer that may be a gateway's. Other
 * writes are not, as their outcome is unknown. Any call is sent again after 429, as it was not served.
 */

import { randomUUID } from 'node:crypto';
import { parseJson } from '../../spec/base/json.ts';
import { Redactor } from '../../spec/base/redactor.ts';
import { inWords } from '../../spec/base/refused.ts';
import { gatewayStatuses, isOfService, isPage, isSuccess } from '../judge/gateway.ts';
import type { RequestCounts } from '../judge/report.ts';
import { Answer, type WireAnswer } from '../language/answer.ts';
import type { TargetCall, TenantObject } from './call.ts';
import { Evidence, isOfEngine, type Occasion } from './evidence.ts';
import { namesIn } from './field-names.ts';
import type { Guard } from './guard.ts';
import { Latencies } from './latencies.ts';
import { FailingWrites, Held, Outage, tooLarge } from './limits.ts';
import { type Came, EarlierStates, pauseFor, type Sending, whyAgain } from './pace.ts';
import { Busiest, Rate } from './rate.ts';
import { wireRequest } from './request.ts';
import { AnswerTooLarge, isShared, NetworkError, type Target, type WireRequest } from './target.ts';

/** The calls that put an object back: a read, the write, and a read. */
const writesOfPutBack = 3;

/** A long pause is made in pieces, so that the end of the run is noticed. */
const pieceMs = 5000;

/** The target does not answer, or only a gateway does: nothing can be judged. */
export class CouldNotRun extends Error {
  /** The status of the answer that came in place of the service's answer; 0 if none came. */
  readonly status: number;
  /** That answer; undefined if nothing came. */
  readonly answer: Answer | undefined;

  constructor(message: string, answer?: Answer) {
    super(message);
    this.status = answer?.status ?? 0;
    this.answer = answer;
  }
}

/** The answer to this call is too large to be read; others may be smaller. */
export class Unreadable extends CouldNotRun {}

export interface ClientOptions {
  /** Identifies the run in the X-Request-Id of each request; random by default. */
  readonly runId?: string | undefined;
  /** The longest that one call waits for 429 and gateways to pass; default two minutes. */
  readonly patienceMs?: number | undefined;
  /** How long a change may take to show; by default each answer counts at once. */
  readonly convergenceMs?: number | undefined;
  /** Requests per second at most; undefined for no limit. */
  readonly rate?: number | undefined;
  /** The most requests in all, without those that put objects back; by default there is no limit. */
  readonly budget?: number | undefined;
  /** The most writes. Put-backs count too, but the client keeps calls for them and never refuses them. */
  readonly maxWrites?: number | undefined;
  /** Ends every call but those that put things back. */
  readonly signal?: AbortSignal | undefined;
  /** Holds the texts that must not leave the process: secrets of the target, and tokens that it mints. */
  readonly redactor?: Redactor | undefined;
  readonly evidence?: boolean | undefined;
  /** Called with every exchange, also with those of the engine itself. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called before a pause that the host asked for. */
  readonly onWait?: ((reason: string, milliseconds: number) => void) | undefined;
}

/** A request and its answer as sent, secrets included, and the step that they belong to. */
export type Exchange = Occasion & { readonly request: WireRequest; readonly answer: WireAnswer };

/** The figures of the report, so far. */
type Counts = { -readonly [K in keyof RequestCounts]: RequestCounts[K] } & {
  readonly byStatus: Record<string, number>;
};

export class Client {
  readonly counts: Counts = {
    ...{ total: 0, byStatus: {}, retries: 0 },
    ...{ throttled: 0, throttledMs: 0, networkErrors: 0 },
  };
  /** How often a read was answered 500 and served when it was sent again, by operation. */
  readonly healed = new Map<string, number>();
  /** The number of answers that came from the service itself; 0 means that it was not reached yet. */
  served = 0;
  /** The first read that each Authorization header opened. */
  readonly opened = new Map<string, TargetCall>();
  /** The reason why only put-backs are still sent; undefined while the run goes on. */
  stopped: string | undefined;
  /** Objects that are written and not put back yet. */
  readonly unrestored = new Set<string>();
  readonly held = new Held();
  readonly latencies: Latencies = new Latencies();
  readonly target: Target;
  readonly redactor: Redactor;
  /** Undefined if no exchange is kept. */
  readonly evidence: Evidence | undefined;
  readonly #guard: Guard;
  readonly #options: ClientOptions;
  readonly #patienceMs: number;
  /** Scenarios that lock an area while others wait to read it: their requests go first. */
  readonly urgent = new Set<string>();
  readonly #rate: Rate | undefined;
  readonly #busiest: Busiest = new Busiest();
  #writes = 0;
  readonly #failing: FailingWrites = new FailingWrites();
  readonly #outage: Outage = new Outage();
  readonly #earlier: EarlierStates;
  /** The time until which a restart may keep the service away. */
  #restartedUntil = Number.NEGATIVE_INFINITY;
  /** The service no longer answers, so even a put-back does not wait for it. */
  #isOut = false;
  /** The time, on the target's clock, until which the run makes no call, because the host asked for a pause. */
  #pausedUntil = 0;

  constructor(target: Target, guard: Guard, options: ClientOptions = {}) {
    this.target = target;
    this.#guard = guard;
    this.#options = { ...options, runId: options.runId ?? randomUUID() };
    this.#patienceMs = options.patienceMs ?? 120_000;
    // The run moves the time of a mock, so it does not wait there.
    const paced = options.rate !== undefined && target.kind === 'tenant';
    this.#rate = paced ? new Rate(options.rate) : undefined;
    // A mock's world that belongs to the run shows each change at once.
    this.#earlier = new EarlierStates(isShared(target) ? (options.convergenceMs ?? 0) : 0);
    this.redactor = options.redactor ?? new Redactor();
    for (const [name, { secret }] of target.credentials) this.redactor.add(secret, `{${name}}`);
    this.evidence = options.evidence === true ? new Evidence(this.redactor) : undefined;
  }

  /** The most calls that one credential of the run made within a minute without a throttled one. */
  get unthrottled(): number {
    return this.counts.throttled > 0 ? 0 : this.#busiest.most;
  }

  /** Whether the plan of the run holds a write to this object. */
  mayWrite(object: TenantObject): boolean {
    return this.#guard.isPermitted(object);
  }

  /** Throws Unsafe before anything is sent, CouldNotRun if no service answers. */
  async call(
    call: TargetCall,
    file: string,
    occasion: Occasion,
    patienceMs: number = this.#patienceMs,
  ): Promise<Answer> {
    this.#guard.check(call);
    const restores = occasion.kind === 'restore';
    const sending: Sending = {
      ...{ call, file, occasion, patienceMs },
      request: wireRequest(call, this.target, this.redactor),
      ...{ references: [], attempt: 0, waited: 0, throttled: 0 },
      repeatable:
        call.object === undefined || (isOfEngine(occasion) && call.operation?.idempotent === true),
      // A put-back is never cut short.
      signal: restores ? undefined : this.#options.signal,
    };
    for (; ; sending.attempt++) {
      if (!restores) this.#mustGoOn(call);
      await this.#pause(sending);
      const sentAt = this.#now();
      const { authorization } = call.request.headers;
      // The time of a mock moves between two calls, so two calls in a row may be more than a minute
      // apart.
      if (authorization !== undefined && this.target.kind === 'tenant')
        this.#busiest.note(authorization, sentAt);
      const wire = await this.#once(sending);
      if (call.object !== undefined && this.target.kind === 'tenant')
        this.stopped ??= this.#failing.note(wire.status, occasion.scenario);
      this.#mindOutage(wire, sentAt, sending);
      const pause =
        this.#pauseFor(wire, sending) ?? this.#earlier.pauseAfter(wire, call, sentAt, this.#now());
      this.#record(pause !== undefined, wire, sending);
      if (pause === undefined) return this.#stands(wire, sending);
      await this.#waitAgain(wire, pause, sending);
    }
  }

  /** The writes that the run may still make, apart from those that are kept for put-backs. */
  get writesLeft(): number {
    const { maxWrites = Number.POSITIVE_INFINITY } = this.#options;
    return maxWrites - this.#writes - writesOfPutBack * this.unrestored.size;
  }

  /** Throws CouldNotRun if the run is over, or has sent more requests than any run needs. */
  #mustGoOn({ object }: TargetCall): void {
    const { signal } = this.#options;
    const { budget = Number.POSITIVE_INFINITY, maxWrites } = this.#options;
    if (signal?.aborted === true) throw new CouldNotRun(interruption(signal));
    if (this.stopped !== undefined) throw new CouldNotRun(this.stopped);
    if (object !== undefined && this.writesLeft <= 0)
      throw new CouldNotRun(`the run may make no more than ${maxWrites} writes (--max-writes)`);
    if (this.counts.total >= budget) {
      throw new CouldNotRun(`the run has made its ${budget} requests: lists without an end?`);
    }
  }

  /** A throttled call says nothing: the service, or its gateway, asked for the wait. */
  #mindOutage(wire: Came, sentAt: number, { call }: Sending): void {
    const { operation, object, request } = call;
    if (request.plain || wire.status === 429 || this.target.kind === 'mock') return;
    const now = this.#now();
    if (wire.problem === undefined && isOfService(wire)) {
      this.#outage.served(now);
      // The run itself may have asked for a restart. A restart does not answer with a web page.
      if (object?.effect === 'disruptive') this.#restartedUntil = now + this.#patienceMs;
    } else {
      const from = isPage(wire) ? sentAt : Math.max(sentAt, this.#restartedUntil);
      this.#outage.missed(operation?.id ?? request.path, from);
    }
    this.#mindTime(wire);
  }

  #mindTime(wire: Came): void {
    const told = wire.problem === undefined ? `status ${wire.status}` : wire.problem.message;
    const reason = this.#outage.reason(this.#now(), isPage(wire) ? `a web page (${told})` : told);
    if (reason === undefined) return;
    this.#isOut = true;
    this.stopped ??= reason;
  }

  /** Nothing is judged without evidence, but a put-back goes on without it. */
  #record(again: boolean, { problem, ...answer }: Came, sending: Sending): void {
    const { file, occasion, request, references } = sending;
    const about = {
      ...occasion,
      ...(again && { again: true as const }),
      ...(problem && { noAnswer: problem.message }),
      ...(problem instanceof AnswerTooLarge && { tooLarge: true as const }),
    };
    this.#options.onExchange?.({ ...about, request, answer });
    try {
      const reference = this.evidence?.add(file, about, request, answer);
      if (reference !== undefined) references.push(reference);
    } catch (error) {
      if (occasion.kind === 'restore') return;
      throw new CouldNotRun(`the evidence cannot be kept: ${inWords(error)}`);
    }
  }

  #now(): number {
    return this.target.now?.() ?? performance.now();
  }

  async #wait(milliseconds: number, { signal }: Sending): Promise<void> {
    try {
      await this.target.wait(milliseconds, signal);
    } catch (error) {
      throw signal?.aborted === true ? new CouldNotRun(interruption(signal)) : error;
    }
  }

  /** Returns the answer that is judged. Throws CouldNotRun if a gateway answered, or nobody did. */
  #stands({ problem, ...wire }: Came, sending: Sending): Answer {
    const { call, attempt, occasion } = sending;
    if (problem instanceof AnswerTooLarge)
      throw new Unreadable(`the answer is too large: ${problem.message}`);
    if (problem !== undefined && !call.request.plain)
      throw new CouldNotRun(`no answer: ${problem.message}`);
    if (gatewayStatuses.includes(wire.status) && !call.request.plain) {
      const often = attempt === 0 ? '' : ' and went on doing so';
      const answer = this.#answer(wire, sending);
      throw new CouldNotRun(`a gateway answered ${wire.status}${often}`, answer);
    }
    if (this.#isOut && occasion.kind === 'restore' && isPage(wire))
      throw new CouldNotRun('a web page came in place of the answer');
    if (occasion.kind === 'call' && !this.held.take(occasion.scenario, wire.text)) {
      throw new CouldNotRun('the answers of the scenarios in progress are too large together');
    }
    const answer = this.#answer(wire, sending);
    if (sending.failed === true && wire.status !== 500) {
      const id = call.operation?.id ?? call.request.path;
      this.healed.set(id, (this.healed.get(id) ?? 0) + 1);
    }
    const isServed = !isPage(wire);
    if (isServed) this.served++;
    if (!answer.ok) return answer;
    const { authorization = '' } = call.request.headers;
    if (call.request.method === 'GET' && isServed && !this.opened.has(authorization))
      this.opened.set(authorization, call);
    this.#guard.learn(call, answer.body);
    // A refusal is often quicker than a success, so its latency is not counted.
    if (call.operation !== undefined) this.latencies.add(call.operation.id, wire.durationMs);
    return answer;
  }

  async #waitAgain(wire: Came, pause: number, sending: Sending): Promise<void> {
    const { status, problem } = wire;
    if (problem === undefined) sending.waited += pause;
    sending.failed ||= status === 500;
    if (status === 429) {
      sending.throttled++;
      this.counts.throttled++;
      this.counts.throttledMs += pause;
      if (this.target.kind === 'tenant') {
        this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + pause);
      }
    } else if (!isSuccess(wire.status)) this.counts.retries++;
    if (problem === undefined) this.#options.onWait?.(whyAgain(wire), pause);
    for (let left = pause; left > 0 && !this.#isOut; left -= pieceMs) {
      await this.#wait(Math.min(left, pieceMs), sending);
      this.#mindTime(wire);
    }
  }

  /** How long to wait before sending again; undefined if this answer counts. */
  #pauseFor(wire: Came, sending: Sending): number | undefined {
    const { call, attempt } = sending;
    if (call.request.plain) return undefined;
    const isThrottled = wire.status === 429;
    // A call during a long outage does not begin a wait of its own.
    const isLong = !isThrottled && attempt === 0 && this.#outage.isLong(this.#now());
    if (wire.problem === undefined && (this.#isOut || isLong)) return undefined;
    return pauseFor(wire, isThrottled ? { ...sending, patienceMs: this.#patienceMs } : sending);
  }

  async #once(sending: Sending): Promise<Came> {
    const { call, throttled, signal } = sending;
    const sentAt = Date.now();
    const start = performance.now();
    this.counts.total++;
    // The tenant's logs and the evidence know it by the same name.
    const id = `lockstep-${this.#options.runId}-${this.counts.total}`;
    const headers = { ...sending.request.headers, 'x-request-id': id };
    sending.request = { ...sending.request, headers };
    if (call.object !== undefined) this.#writes++;
    try {
      const answer = await this.target.transport(sending.request, signal);
      const status = String(answer.status);
      this.counts.byStatus[status] = (this.counts.byStatus[status] ?? 0) + 1;
      const declared = call.operation?.responseFor(answer.status)?.mediaType;
      const reason = tooLarge(answer.text, declared === 'text/csv');
      if (reason !== undefined)
        return { ...nothing, sentAt, throttled, problem: new AnswerTooLarge(reason) };
      if (call.secret) this.redactor.addMinted(parseJson(answer.text));
      return { sentAt, durationMs: performance.now() - start, ...answer, throttled };
    } catch (error) {
      if (signal?.aborted === true) throw new CouldNotRun(interruption(signal));
      if (!(error instanceof NetworkError)) throw error;
      // A probe over plain HTTP may fail, because most services have no port for it.
      if (!call.request.plain) this.counts.networkErrors++;
      return { ...nothing, sentAt: Date.now(), throttled, problem: error };
    }
  }

  #answer(wire: WireAnswer, { call, references }: Sending): Answer {
    const { method, body } = call.request;
    const nameOf = namesIn(call.operation, this.target.aliases);
    return new Answer(wire, { method, target: call.place, body }, references, nameOf);
  }

  async #pause(sending: Sending): Promise<void> {
    // The host may ask for a longer pause while this one lasts.
    while (this.#pausedUntil > this.#now())
      await this.#wait(this.#pausedUntil - this.#now(), sending);
    const urgent = this.urgent.has(sending.occasion.scenario);
    await this.#rate?.pass(urgent, (milliseconds) => this.#wait(milliseconds, sending));
  }
}

/** The reasons why a run ends early. */
export function interruption({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : 'the run was interrupted';
}

const nothing = { status: 0, headers: {}, text: '', durationMs: 0 } as const;
