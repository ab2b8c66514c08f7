/** Counts the results of checks by operation, so that memory does not grow with the traffic. */

import { canonical } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { CheckRecord } from '../judge/record.ts';
import { type Observation, placeOf, type Report } from '../judge/report.ts';
import type { Exchange } from './traffic.ts';

type Counts<Item> = Map<string, Item & { count: number }>;

interface OfOperation {
  readonly id: OperationId;
  requests: number;
  /** The checks that held, each with one of its answers. */
  readonly held: Counts<{ readonly record: CheckRecord }>;
  /** The failures by check and place in the answer, each with the first one. */
  readonly failed: Counts<{ readonly record: CheckRecord }>;
  readonly open: Counts<{ readonly statement: string; readonly why: string }>;
}

/** The most kinds of failure of a check, and of observed values. */
const mostPlaces = 200;
const mostObserved = 2000;
const mostSkipped = 500;

export class Tally {
  readonly #operations = new Map<OperationId, OfOperation>();
  readonly #skipped: Counts<{ readonly operation: string | undefined; readonly why: string }> =
    new Map();
  readonly #observed: Counts<Observation> = new Map();
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
    const { held, failed } = this.#of(operation);
    const result = record.readings[0]?.result;
    const check = placeOf(record);
    if (result?.kind === 'fails') {
      const place = `${check} ${result.pointer.replaceAll(/\/\d+/g, '/*')}`;
      add(failed, failed.has(place) || failed.size < mostPlaces ? place : check, { record });
    } else add(held, check, { record });
  }

  leaveOpen(operation: OperationId, statement: string, why: string): void {
    add(this.#of(operation).open, statement + why, { statement, why });
  }

  /** Counts the reasons why answers were not judged, or only in part. */
  skip(operation: string | undefined, reasons: readonly string[]): void {
    for (const why of reasons)
      add(this.#skipped, `${operation} ${why}`, { operation, why }, mostSkipped);
  }

  observe(observations: readonly Observation[]): void {
    for (const item of observations) {
      const { kind, statement, operation, choice, value } = item;
      const key = canonical([kind, statement ?? '', operation ?? '', choice ?? '', value]);
      add(this.#observed, key, item, mostObserved);
    }
  }

  operations() {
    return [...this.#operations.values()].map(({ id, requests, held, failed, open }) => {
      const broken = [...failed.values()].map(({ record, count }) => {
        return { record, failed: count, held: held.get(placeOf(record))?.count ?? 0 };
      });
      // A check that failed in one place is not also reported as held.
      const places = new Set(broken.map(({ record }) => placeOf(record)));
      const whole = [...held].flatMap(([check, { record, count }]) =>
        places.has(check) ? [] : [{ record, failed: 0, held: count }],
      );
      return { id, requests, open: [...open.values()], checks: [...broken, ...whole] };
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
    const counts = { held: new Map(), failed: new Map(), open: new Map() };
    const known = this.#operations.get(id) ?? { id, requests: 0, ...counts };
    this.#operations.set(id, known);
    return known;
  }
}

/** Counts an item once more; a new one only while there are fewer than `most`. */
function add<Item>(counts: Counts<Item>, key: string, item: Item, most = Infinity): void {
  const known = counts.get(key);
  if (known !== undefined) known.count += 1;
  else if (counts.size < most) counts.set(key, { ...item, count: 1 });
}
