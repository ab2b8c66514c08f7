/** Counts the results of checks by operation, so that memory does not grow with the traffic. */

import { canonical } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { CheckRecord } from '../judge/record.ts';
import { type Observation, placeOf, type Report } from '../judge/report.ts';
import type { Exchange } from './traffic.ts';

interface Counted {
  /** The first failure; as long as there is none, an answer in which it held. */
  record: CheckRecord;
  held: number;
  failed: number;
}

interface OfOperation {
  readonly id: OperationId;
  requests: number;
  readonly checks: Map<string, Counted>;
  readonly open: Map<string, { readonly statement: string; readonly why: string; count: number }>;
}

/** Kinds of failure of one check, and kinds of what is observed. */
const mostPlaces = 200;
const mostObserved = 2000;
const mostSkipped = 500;

export class Tally {
  readonly #operations = new Map<OperationId, OfOperation>();
  readonly #skipped = new Map<
    string,
    { operation: string | undefined; why: string; count: number }
  >();
  readonly #observed = new Map<string, Observation>();
  readonly #byStatus: Record<string, number> = {};
  #total = 0;
  #lost = 0;
  #throttled = 0;

  count(operation: OperationId | undefined, status: number, ending: Exchange['ending']): void {
    this.#total += 1;
    if (status !== 0) this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1;
    if (status === 429) this.#throttled += 1;
    if (ending === 'died' || ending === 'unreachable') this.#lost += 1;
    if (operation !== undefined) this.#of(operation).requests += 1;
  }

  note(operation: OperationId, record: CheckRecord): void {
    const { checks } = this.#of(operation);
    const result = record.readings[0]?.result;
    const failed = result?.kind === 'fails';
    const place = `${placeOf(record)} ${failed ? result.pointer.replaceAll(/\/\d+/g, '/*') : ''}`;
    const whole = placeOf(record);
    // A check that fails in several places of an answer counts once for each; one that holds counts once.
    const key = failed && checks.size < mostPlaces ? place : `${whole} `;
    const known = checks.get(key) ?? { record, held: 0, failed: 0 };
    if (failed && known.failed === 0) known.record = record;
    if (failed) known.failed += 1;
    else known.held += 1;
    checks.set(key, known);
  }

  leaveOpen(operation: OperationId, statement: string, why: string): void {
    const { open } = this.#of(operation);
    const known = open.get(statement + why) ?? { statement, why, count: 0 };
    known.count += 1;
    open.set(statement + why, known);
  }

  /** Why answers were not judged, or not wholly. */
  skip(operation: string | undefined, reasons: readonly string[]): void {
    for (const why of reasons) {
      const key = `${operation} ${why}`;
      const known = this.#skipped.get(key) ?? { operation, why, count: 0 };
      known.count += 1;
      if (this.#skipped.has(key) || this.#skipped.size < mostSkipped) this.#skipped.set(key, known);
    }
  }

  observe(observations: readonly Observation[]): void {
    for (const item of observations) {
      const { kind, statement, operation, choice, value } = item;
      const key = canonical([kind, statement ?? '', operation ?? '', choice ?? '', value]);
      const known = this.#observed.get(key);
      if (known === undefined && this.#observed.size >= mostObserved) continue;
      this.#observed.set(key, known === undefined ? item : { ...known, count: known.count + 1 });
    }
  }

  operations() {
    return [...this.#operations.values()].map(({ id, requests, checks, open }) => {
      // A check that failed in one place is not also reported as held.
      const broken = new Map<string, number>();
      for (const { record, failed } of checks.values())
        if (failed > 0) broken.set(placeOf(record), (broken.get(placeOf(record)) ?? 0) + failed);
      const held = new Map(
        [...checks.values()].map((one) => [placeOf(one.record), one.failed > 0 ? 0 : one.held]),
      );
      for (const { record, held: times, failed } of checks.values())
        if (failed === 0) held.set(placeOf(record), times);
      const shown = [...checks.values()].filter(
        ({ record, failed }) => failed > 0 || !broken.has(placeOf(record)),
      );
      return {
        ...{ id, requests, open: [...open.values()] },
        checks: shown.map(({ record, failed, held: own }) => {
          return {
            record,
            failed,
            held: failed > 0 ? (held.get(placeOf(record)) ?? 0) + own : own,
          };
        }),
      };
    });
  }

  skipped() {
    return [...this.#skipped.values()].sort((a, b) => b.count - a.count);
  }

  observations(): Observation[] {
    return [...this.#observed.values()];
  }

  get requests(): Report['requests'] {
    const none = { retries: 0, throttledMs: 0 };
    const byStatus = { ...this.#byStatus };
    return {
      ...none,
      byStatus,
      total: this.#total,
      throttled: this.#throttled,
      networkErrors: this.#lost,
    };
  }

  #of(id: OperationId): OfOperation {
    const known = this.#operations.get(id) ?? {
      id,
      requests: 0,
      checks: new Map(),
      open: new Map(),
    };
    this.#operations.set(id, known);
    return known;
  }
}
