/**
 * Keeps failures about access until later answers prove them. A refusal may have another cause than its
 * caller: a credential that has ended, an object that is not there, a gateway.
 */

import { hash } from 'node:crypto';
import { isSuccess } from '../judge/gateway.ts';
import type { Attributed } from './caller.ts';
import type { Judged, Reading } from './judge-answer.ts';
import { timesToCount } from './sequences.ts';

const mostWaiting = 100;
const mostRequests = 1000;

/** A failure, and the exchange that it is of. */
interface Doubt<Source> {
  readonly reading: Reading;
  readonly source: Source;
}

/** One answer other than the promised one. It may break several promises, and counts once. */
interface Refusal<Source> {
  readonly readings: readonly Reading[];
  readonly source: Source;
  readonly secret: string;
  readonly at: number;
}

/** The answers to one request, whoever sent it. */
interface Asked<Source> {
  /** Those who were served, by their secrets. */
  readonly served: Set<string>;
  /** Refusals after somebody else was served. */
  readonly waiting: Refusal<Source>[];
  /** By secret, the refusals between two answers that served somebody else: how many, and the time of the first. */
  readonly refused: Map<string, { readonly since: number; times: number }>;
}

export class Doubts<Source> {
  readonly #lagMs: number;
  readonly #onProven: (doubt: Doubt<Source>) => void;
  readonly #onOpen: (doubt: Doubt<Source>, why: string) => void;
  /** By secret of a caller: whether it was let in, and the refusals that wait for it to be let in again. */
  readonly #letIn = new Map<string, Doubt<Source>[]>();
  readonly #asked = new Map<string, Asked<Source>>();

  constructor(
    lagMs: number,
    onProven: (doubt: Doubt<Source>) => void,
    onOpen: (doubt: Doubt<Source>, why: string) => void,
  ) {
    this.#lagMs = lagMs;
    this.#onProven = onProven;
    this.#onOpen = onOpen;
  }

  note(judged: Judged, exchange: Attributed, source: Source): void {
    this.#mindCredential(judged, exchange, source);
    this.#mindOthers(judged, exchange, source);
  }

  /**
   * A credential may expire at any time. So a 401 or 403 for somebody who may make a call counts only if the same
   * credential was accepted before and is accepted afterwards.
   */
  #mindCredential({ refused }: Judged, { caller, status }: Attributed, source: Source): void {
    if (caller.kind !== 'named') return;
    const waiting = this.#letIn.get(caller.secret);
    if (isSuccess(status)) {
      for (const doubt of waiting ?? []) this.#onProven(doubt);
      this.#letIn.set(caller.secret, []);
      return;
    }
    for (const reading of refused) {
      const why = 'the credential may have ended: it was not let in before and afterwards';
      if (waiting === undefined || waiting.length >= mostWaiting)
        this.#onOpen({ reading, source }, why);
      else waiting.push({ reading, source });
    }
  }

  /**
   * Any other answer than the promised one counts only if somebody else was served with the very same request
   * before and is served afterwards, and if that came three times without the promised answer in between.
   */
  #mindOthers({ alone }: Judged, exchange: Attributed, source: Source): void {
    const { caller, status, request, texts } = exchange;
    if (typeof texts.sent === 'string') return;
    const { secret } = caller;
    const text = JSON.stringify([request.method, request.target, texts.sent.text]);
    const asked = this.#askedAs(hash('sha256', text));
    if (isSuccess(status)) {
      for (const refusal of asked.waiting.splice(0))
        if (refusal.secret !== secret) this.#count(asked, refusal);
      asked.served.add(secret);
    }
    if (alone.length === 0) {
      asked.refused.delete(secret);
      return;
    }
    const isAlone = asked.served.size > (asked.served.has(secret) ? 1 : 0);
    if (isAlone && asked.waiting.length < mostWaiting)
      asked.waiting.push({ readings: alone, source, secret, at: request.sentAt });
  }

  #count({ refused }: Asked<Source>, { readings, source, secret, at }: Refusal<Source>): void {
    const counted = refused.get(secret) ?? { since: at, times: 0 };
    counted.times += 1;
    refused.set(secret, counted);
    const isProven = counted.times >= timesToCount && at - counted.since >= this.#lagMs;
    const why = 'others were served before and afterwards, but it has not come three times yet';
    for (const reading of readings) {
      if (isProven) this.#onProven({ reading, source });
      else this.#onOpen({ reading, source }, why);
    }
  }

  #askedAs(key: string): Asked<Source> {
    const asked = this.#asked.get(key) ?? { served: new Set(), waiting: [], refused: new Map() };
    // The most recent request is last.
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > mostRequests && oldest !== undefined) this.#asked.delete(oldest);
    return asked;
  }

  /** Nothing more comes. */
  end(): void {
    for (const waiting of this.#letIn.values())
      for (const doubt of waiting.splice(0))
        this.#onOpen(doubt, 'the credential was not let in afterwards');
  }
}
