/**
 * The only way in which a run talks to its target: guarded, patient with 429, and recorded.
 *
 * Reads are sent again after a network error or a 5xx, writes never (their outcome is unknown); an
 * answer of 429 was not served, so it is waited for and sent again whatever it was.
 */

import { parseJson } from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { Answer, type SentRequest, type WireAnswer } from '../language/answer.ts';
import { gatewayStatuses } from './contract-check.ts';
import type { Evidence, Occasion } from './evidence.ts';
import { type Guard, Unsafe, writeTarget } from './guard.ts';
import type { Redactor } from './redact.ts';
import { NetworkError, plainUrl, type Target, type WireRequest } from './target.ts';

/** A request before it is tied to a host. */
export interface Outgoing {
  readonly method: string;
  /** With path parameters filled in; without the base and the query. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** The body as it is sent. */
  readonly text: string | undefined;
  /** The body before it was written, for references. */
  readonly body: unknown;
  readonly plain: boolean;
}

/** The target does not answer, or only a gateway does: nothing can be judged. */
export class CouldNotRun extends Error {}

export interface ClientOptions {
  /** The longest that one call waits for 429 and gateways to pass. */
  readonly patienceMs: number;
  /** Told of a pause that the host asked for, before it is made. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
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
  readonly redactor: Redactor;
  readonly #guard: Guard;
  readonly #evidence: Evidence;
  readonly #options: ClientOptions;
  /** Until when, on the wall's clock, nobody calls: the host asked for a pause. */
  #pausedUntil = 0;

  constructor(
    target: Target,
    guard: Guard,
    redactor: Redactor,
    evidence: Evidence,
    options: ClientOptions,
  ) {
    this.target = target;
    this.redactor = redactor;
    this.#guard = guard;
    this.#evidence = evidence;
    this.#options = options;
  }

  /** Throws Unsafe before anything is sent, CouldNotRun where no service answers. */
  async call(outgoing: Outgoing, file: string, occasion: Occasion): Promise<Answer> {
    this.#guard.check(outgoing.method, outgoing.path, outgoing.body ?? parseJson(outgoing.text));
    const request = this.#request(outgoing);
    const idempotent = writeTarget(outgoing.method, outgoing.path, undefined) === undefined;
    const evidence: string[] = [];
    let waited = 0;
    let throttled = 0;
    for (let attempt = 0; ; attempt++) {
      await this.#pause();
      const outcome = await this.#once(request, throttled);
      if (outcome instanceof NetworkError) {
        const last = outgoing.plain || !idempotent || attempt >= 3;
        const nothing = noAnswer(throttled);
        const reference = this.#evidence.add(file, marked(occasion, !last), request, nothing);
        if (reference !== '') evidence.push(reference);
        if (outgoing.plain) return this.#answer(outgoing, nothing, evidence);
        if (last) throw new CouldNotRun(`no answer: ${outcome.message}`);
        this.counts.retries++;
        await this.#wait(250 * 2 ** attempt);
        continue;
      }
      if (outgoing.path.endsWith('/tokens-for-meta-sync')) this.#learnTokens(outcome.text);
      const pause = outgoing.plain
        ? undefined
        : this.#pauseFor(outcome, idempotent, attempt, waited);
      const reference = this.#evidence.add(
        file,
        marked(occasion, pause !== undefined),
        request,
        outcome,
      );
      if (reference !== '') evidence.push(reference);
      if (pause === undefined) {
        if (gatewayStatuses.includes(outcome.status) && !outgoing.plain) {
          const often = attempt === 0 ? '' : ' and went on doing so';
          throw new CouldNotRun(`a gateway answered ${outcome.status}${often}`);
        }
        const answer = this.#answer(outgoing, outcome, evidence);
        if (answer.ok && outgoing.path.endsWith('/recipients'))
          this.#guard.learnRecipients(answer.body);
        return answer;
      }
      waited += pause;
      if (outcome.status === 429) {
        throttled++;
        this.counts.throttled++;
        this.counts.throttledMs += pause;
        this.#options.onWait?.('the target answered 429', pause);
        if (this.target.kind === 'tenant')
          this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pause);
      } else {
        this.counts.retries++;
        this.#options.onWait?.(`the target answered ${outcome.status}`, pause);
      }
      await this.#wait(pause);
    }
  }

  /** How long to wait before sending again; undefined where the answer stands. */
  #pauseFor(
    answer: WireAnswer,
    read: boolean,
    attempt: number,
    waited: number,
  ): number | undefined {
    const { status } = answer;
    const gateway = gatewayStatuses.includes(status);
    const again = status === 429 || (read && (gateway || status === 500));
    if (!again) return undefined;
    if (!gateway && attempt >= 2) return undefined;
    const asked = retryAfter(answer);
    const own = gateway ? Math.min(500 * 2 ** attempt, 15_000) : 100 * 2 ** attempt;
    // A target that asks for no pause, again and again, gets longer and longer ones.
    const pause = asked === undefined ? own : attempt < 2 ? asked : Math.max(asked, own);
    return waited + pause > this.#options.patienceMs ? undefined : pause;
  }

  #request(outgoing: Outgoing): WireRequest {
    const search = new URLSearchParams(
      outgoing.query.map(([name, value]): [string, string] => [name, value]),
    );
    const query = outgoing.query.length === 0 ? '' : `?${search}`;
    const base = outgoing.plain ? plainUrl(this.target.baseUrl) : this.target.baseUrl;
    const url = `${base}${outgoing.path}${query}`;
    if (new URL(url).host !== new URL(base).host)
      throw new Unsafe(`${outgoing.path} leads to another host`);
    if (
      this.redactor.holds(url) ||
      (outgoing.text !== undefined && this.redactor.holds(outgoing.text))
    ) {
      throw new Unsafe(`${outgoing.path}: a secret stands outside the Authorization header`);
    }
    const { authorization } = outgoing;
    if (outgoing.plain && authorization !== undefined && this.redactor.holds(authorization)) {
      throw new Unsafe('a credential is never sent over plain HTTP');
    }
    return {
      method: outgoing.method,
      url,
      headers: {
        accept: '*/*',
        ...outgoing.headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: outgoing.text,
    };
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

  #answer(outgoing: Outgoing, wire: WireAnswer, evidence: readonly string[]): Answer {
    const search = new URLSearchParams(
      outgoing.query.map(([name, value]): [string, string] => [name, value]),
    );
    const sent: SentRequest = {
      method: outgoing.method,
      target: `${outgoing.path}${outgoing.query.length === 0 ? '' : `?${search}`}`,
      body: outgoing.body,
    };
    return new Answer(wire, sent, evidence, this.target.aliases);
  }

  #learnTokens(text: string): void {
    this.redactor.addMinted(parseJson(text));
  }

  async #pause(): Promise<void> {
    for (;;) {
      const left = this.#pausedUntil - Date.now();
      if (left <= 0) return;
      await this.#wait(left);
    }
  }

  #wait(milliseconds: number): Promise<void> {
    return this.target.wait(milliseconds);
  }
}

function marked(occasion: Occasion, again: boolean): Occasion {
  return again ? { ...occasion, again } : occasion;
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
