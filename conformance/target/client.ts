/**
 * The only way in which a run talks to its target: guarded, patient with 429, and recorded.
 *
 * Reads are sent again after a network error or a 5xx, writes never (their outcome is unknown); an
 * answer of 429 was not served, so it is waited for and sent again whatever it was.
 */

import { parseJson } from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { Answer, type WireAnswer } from '../language/answer.ts';
import type { TargetCall } from './call.ts';
import { gatewayStatuses } from './contract-check.ts';
import { Evidence, type Occasion } from './evidence.ts';
import { type Guard, Unsafe } from './guard.ts';
import { Redactor } from './redact.ts';
import { NetworkError, plainUrl, type Target, type WireRequest } from './target.ts';

/** The target does not answer, or only a gateway does: nothing can be judged. */
export class CouldNotRun extends Error {}

export interface ClientOptions {
  /** The longest that one call waits for 429 and gateways to pass; default two minutes. */
  readonly patienceMs?: number | undefined;
  /** Requests per second at most. */
  readonly rate?: number | undefined;
  /** Keeps every exchange as evidence. */
  readonly evidence?: boolean | undefined;
  /** Told of a pause that the host asked for, before it is made. */
  readonly onWait?: ((reason: string, milliseconds: number) => void) | undefined;
}

export interface Counts {
  total: number;
  readonly byStatus: Record<string, number>;
  retries: number;
  throttled: number;
  throttledMs: number;
  networkErrors: number;
}

export class Client {
  readonly counts: Counts = {
    total: 0,
    byStatus: {},
    retries: 0,
    throttled: 0,
    throttledMs: 0,
    networkErrors: 0,
  };
  readonly target: Target;
  readonly redactor: Redactor = new Redactor();
  readonly evidence: Evidence;
  readonly #guard: Guard;
  readonly #patienceMs: number;
  readonly #onWait: ClientOptions['onWait'];
  readonly #rate: number | undefined;
  /** When the next request may be sent, so that the rate is kept. */
  #nextAt = 0;
  /** Until when, on the wall's clock, nobody calls: the host asked for a pause. */
  #pausedUntil = 0;

  constructor(target: Target, guard: Guard, options: ClientOptions = {}) {
    this.target = target;
    this.#guard = guard;
    this.#patienceMs = options.patienceMs ?? 120_000;
    this.#rate = options.rate;
    this.#onWait = options.onWait;
    for (const { name, secret } of target.credentials.values()) {
      this.redactor.add(secret, `{${name}}`);
    }
    this.evidence = new Evidence(this.redactor, options.evidence ?? false);
  }

  /** Throws Unsafe before anything is sent, CouldNotRun where no service answers. */
  async call(call: TargetCall, file: string, occasion: Occasion): Promise<Answer> {
    this.#guard.check(call);
    const { request: outgoing } = call;
    const request = this.#request(call);
    const sending: Sending = { call, references: [], attempt: 0, waited: 0, throttled: 0 };
    const record = (again: boolean, answer: WireAnswer): void => {
      const about = again ? { ...occasion, again: true as const } : occasion;
      const reference = this.evidence.add(file, about, request, answer);
      if (reference !== '') sending.references.push(reference);
    };
    for (; ; sending.attempt++) {
      await this.#pause();
      const outcome = await this.#once(request, sending.throttled);
      if (outcome instanceof NetworkError) {
        const last = outgoing.plain || call.object !== undefined || sending.attempt >= 3;
        const nothing = noAnswer(sending.throttled);
        record(!last, nothing);
        if (outgoing.plain) return this.#answer(nothing, sending);
        if (last) throw new CouldNotRun(`no answer: ${outcome.message}`);
        this.counts.retries++;
        await this.target.wait(250 * 2 ** sending.attempt);
        continue;
      }
      if (call.secret) this.redactor.addMinted(parseJson(outcome.text));
      const pause = outgoing.plain ? undefined : this.#pauseFor(outcome, sending);
      record(pause !== undefined, outcome);
      if (pause === undefined) return this.#stands(outcome, sending);
      await this.#waitAgain(outcome, pause, sending);
    }
  }

  /** The answer that is judged. Throws CouldNotRun where it is a gateway's. */
  #stands(wire: WireAnswer, sending: Sending): Answer {
    const { call, attempt } = sending;
    if (gatewayStatuses.includes(wire.status) && !call.request.plain) {
      const often = attempt === 0 ? '' : ' and went on doing so';
      throw new CouldNotRun(`a gateway answered ${wire.status}${often}`);
    }
    const answer = this.#answer(wire, sending);
    if (answer.ok) this.#guard.learn(call, answer.body);
    return answer;
  }

  async #waitAgain({ status }: WireAnswer, pause: number, sending: Sending): Promise<void> {
    sending.waited += pause;
    if (status === 429) {
      sending.throttled++;
      this.counts.throttled++;
      this.counts.throttledMs += pause;
      if (this.target.kind === 'tenant') {
        this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pause);
      }
    } else this.counts.retries++;
    this.#onWait?.(`the target answered ${status}`, pause);
    await this.target.wait(pause);
  }

  /** How long to wait before sending again; undefined where the answer stands. */
  #pauseFor(answer: WireAnswer, { call, attempt, waited }: Sending): number | undefined {
    const { status } = answer;
    const gateway = gatewayStatuses.includes(status);
    const again = status === 429 || (call.object === undefined && (gateway || status === 500));
    if (!again) return undefined;
    if (!gateway && attempt >= 2) return undefined;
    const asked = retryAfter(answer);
    const own = gateway ? Math.min(500 * 2 ** attempt, 15_000) : 100 * 2 ** attempt;
    // A target that asks for no pause, again and again, gets longer and longer ones.
    const pause = asked === undefined ? own : attempt < 2 ? asked : Math.max(asked, own);
    return waited + pause > this.#patienceMs ? undefined : pause;
  }

  #request({ request, place }: TargetCall): WireRequest {
    const { authorization, headers, method, path, plain, text } = request;
    const base = plain ? plainUrl(this.target.baseUrl) : this.target.baseUrl;
    const url = `${base}${place}`;
    if (new URL(url).host !== new URL(base).host) throw new Unsafe(`${path} leads to another host`);
    if (this.redactor.holds(url) || this.redactor.holds(text ?? '')) {
      throw new Unsafe(`${path}: a secret stands outside the Authorization header`);
    }
    if (plain && this.redactor.holds(authorization ?? '')) {
      throw new Unsafe('a credential is never sent over plain HTTP');
    }
    const own = authorization === undefined ? headers : { ...headers, authorization };
    return { method, url, headers: { accept: '*/*', ...own }, body: text };
  }

  async #once(request: WireRequest, throttled: number): Promise<WireAnswer | NetworkError> {
    const sentAt = Date.now();
    const start = performance.now();
    this.counts.total++;
    try {
      const answer = await this.target.transport(request);
      const status = String(answer.status);
      this.counts.byStatus[status] = (this.counts.byStatus[status] ?? 0) + 1;
      return { sentAt, durationMs: performance.now() - start, ...answer, throttled };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      this.counts.networkErrors++;
      return error;
    }
  }

  #answer(wire: WireAnswer, { call, references }: Sending): Answer {
    const { method, body } = call.request;
    return new Answer(wire, { method, target: call.place, body }, references, this.target.aliases);
  }

  async #pause(): Promise<void> {
    for (;;) {
      const left = this.#pausedUntil - Date.now();
      if (left <= 0) break;
      await this.target.wait(left);
    }
    if (this.#rate === undefined) return;
    const now = Date.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / this.#rate;
    if (at > now) await this.target.wait(at - now);
  }
}

/** What one call has been through so far. */
interface Sending {
  readonly call: TargetCall;
  /** Where its exchanges stand in the evidence. */
  readonly references: string[];
  attempt: number;
  waited: number;
  throttled: number;
}

function noAnswer(throttled: number): WireAnswer {
  return { status: 0, headers: {}, text: '', durationMs: 0, sentAt: Date.now(), throttled };
}

/** Milliseconds that Retry-After asks for, as seconds or as a date; undefined without one. */
export function retryAfter(
  answer: Pick<WireAnswer, 'headers'>,
  now = Date.now(),
): number | undefined {
  const header = answer.headers['retry-after'];
  const value = typeof header === 'string' ? header.trim() : undefined;
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = toMillis(value);
  return until === undefined ? undefined : Math.max(0, until - now);
}
