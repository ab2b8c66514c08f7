/** A target that answers from evidence, so that the same engine derives the same verdicts. */

import { equal, parseJson, shape } from '../../spec/base/json.ts';
import type { Report } from '../judge/report.ts';
import type { Claims } from '../language/vocabulary.ts';
import { Stopped } from '../run/running.ts';
import { callTo } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { type CredentialWatch, isRefusal } from '../target/credential-watch.ts';
import type { EvidenceEntry } from '../target/evidence.ts';
import { AnswerTooLarge, NetworkError, type Target, type Transport } from '../target/target.ts';
import { completeBindings } from '../target/tenant.ts';

/** The end of the reason of a check that needs a call which the evidence does not hold. */
export const noFurtherAnswer = 'the evidence holds no further answer';

/** The exchanges of one scenario, in order. The engine's own protective calls are left out. */
export class Replay {
  readonly #entries: readonly EvidenceEntry[];
  readonly #isWhole: boolean;
  readonly #end = new AbortController();
  #next = 0;
  /** Calls of the engine that differ from the evidence. */
  readonly mismatches: string[] = [];

  /** `isWhole`: nothing broke the scenario off, so a call that was not made is a write that was left out. */
  constructor(entries: readonly EvidenceEntry[], isWhole: boolean) {
    this.#isWhole = isWhole;
    this.#entries = entries.filter(
      ({ _lockstep: { kind } }) => kind !== 'protect' && kind !== 'restore' && kind !== 'preflight',
    );
  }

  readonly send: Transport = async (request) => {
    const entry = this.#entries[this.#next];
    const { method, url, body } = request;
    const isMeant = entry?.request.method === method && entry.request.url === url;
    // An anonymous certificate has other values.
    const isSent = isMeant && equal(formOf(entry.request.postData?.text), formOf(body));
    // The run left the write out, because it could not put the object back.
    if (entry === undefined ? this.#isWhole : method !== 'GET' && !isSent)
      throw new Stopped({ rule: 'not-written', reason: noFurtherAnswer });
    if (entry === undefined) {
      this.#end.abort(new Error(noFurtherAnswer));
      throw new NetworkError(noFurtherAnswer);
    }
    this.#next++;
    if (!isMeant) {
      this.mismatches.push(
        `${method} ${url} was asked, and the evidence holds ${entry.request.method} ${entry.request.url}`,
      );
    }
    const { status, headers, content } = entry.response;
    if (status === 0) {
      const { noAnswer = 'no answer came', again, tooLarge } = entry._lockstep;
      if (tooLarge === true) throw new AnswerTooLarge(noAnswer);
      throw new NetworkError(noAnswer, again !== true);
    }
    const merged: Record<string, string | string[]> = {};
    for (const { name, value } of headers) {
      const known = merged[name];
      merged[name] = known === undefined ? value : [known, value].flat();
    }
    const sentAt = Date.parse(entry.startedDateTime);
    const isEarlier = entry._lockstep.again === true;
    const text = content.text ?? '';
    return { status, headers: merged, text, sentAt, durationMs: entry.time, isEarlier };
  };

  readonly morePolls = (step: string): 'no' | 'in time' | 'late' => {
    const about = this.#entries[this.#next]?._lockstep;
    if (about?.step !== step) return 'no';
    return about.late === true ? 'late' : 'in time';
  };

  readonly moreCalls = (step: string): boolean => {
    const about = this.#entries[this.#next]?._lockstep;
    return about?.step === step && about.further === true;
  };

  /** Sends the probes in the evidence again, as often as the run did. */
  watch(client: Client): CredentialWatch {
    return async (_credential, _call, { status }, { file, scenario }) => {
      const entry = this.#entries[this.#next];
      if (!isRefusal(status) || entry?._lockstep.kind !== 'probe') return false;
      const { method, url } = entry.request;
      const call = callTo(method, url.slice(client.target.baseUrl.length));
      const occasion = { scenario: scenario.title, step: 'probe', kind: 'probe' } as const;
      return isRefusal((await client.call(call, file, occasion)).status);
    };
  }

  /** Aborts if a call has no further answer. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get left(): number {
    return this.#entries.length - this.#next;
  }
}

/** The fields of a body and their types. */
const formOf = (body: string | undefined): unknown => shape(parseJson(body));

/** The target of a report, with labels in place of secrets, as in the evidence. */
export function replayTarget(report: Report, send: Transport): Target {
  const { target } = report;
  return {
    kind: target.kind,
    baseUrl: target.baseUrl,
    transport: send,
    credentials: new Map(
      Object.entries(target.credentials).map(([name, claims]) => [
        name,
        { secret: `{${name}}`, claims: claims as Claims },
      ]),
    ),
    bindings: completeBindings(target.bindings),
    features: target.features,
    aliases: new Map(Object.entries(target.aliases)),
    wait: async () => undefined,
    close: async () => undefined,
  };
}
