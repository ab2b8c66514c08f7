/**
 * The limits on a target, so that none can hold a run for ever or fill this machine's memory. An answer
 * beyond them is not judged, as no promise limits its size.
 */

import { DEEPEST, deeperThan } from '../../spec/base/json.ts';

/** The longest that one call may take, from the first byte to the last. */
export const callMs = 120_000;
export const bodyBytes = 32 * 2 ** 20;
const jsonBytes = 8 * 2 ** 20;
/** The most bytes of answers that the running scenarios keep in memory. */
const heldBytes = 64 * 2 ** 20;
/** The most JSON values in an answer; a page of a thousand objects has about ten thousand. */
const jsonValues = 100_000;
/** If so many writes in a row, of so many scenarios, are answered 5xx, the service itself is broken. */
const failing = { writes: 6, scenarios: 3 } as const;
/** If something else answers for so long, so often and for so many operations, the service is not there. */
const outage = { ms: 20_000, answers: 8, operations: 3 } as const;
/** The most requests of a run. A scenario needs three or four, and more if lists are long. */
export const requestsOf = (turns: number): number => 5000 + 30 * turns;

/** The reason why an answer is too large to be judged; undefined if it is not. `csv`: it may be a long file. */
export function tooLarge(text: string, csv: boolean): string | undefined {
  const json = !csv || /^\s*[[{]/.test(text);
  if (json && deeperThan(text, DEEPEST)) return `it is nested deeper than ${DEEPEST} levels`;
  if (json && text.length > jsonBytes) return `it is longer than ${jsonBytes} characters`;
  // A shorter text cannot reach a limit.
  if (text.length < jsonValues) return undefined;
  const { values } = contentOf(text);
  if (json && values > jsonValues) return `it holds more than ${jsonValues} values`;
  return weightOf(text) > heldBytes ? `it would take more than ${heldBytes} bytes` : undefined;
}

/** Counts the bytes of the answers that scenarios in progress hold. */
export class Held {
  readonly #byScenario = new Map<string, number>();

  /** False if the scenarios in progress would hold too much. */
  take(scenario: string, text: string): boolean {
    const all = this.#byScenario.values().reduce((sum, bytes) => sum + bytes, 0);
    const bytes = weightOf(text);
    if (all + bytes > heldBytes) return false;
    this.#byScenario.set(scenario, (this.#byScenario.get(scenario) ?? 0) + bytes);
    return true;
  }

  release(scenario: string): void {
    this.#byScenario.delete(scenario);
  }
}

/** Notices a service that fails one write after the other. Then the run stops. */
export class FailingWrites {
  /** The scenarios of the latest writes, as long as all were answered 5xx. */
  #row: string[] = [];

  /** Why the run should end; undefined while it may go on. */
  note(status: number, scenario: string): string | undefined {
    this.#row = status >= 500 ? [...this.#row, scenario] : [];
    const { length } = this.#row;
    if (length < failing.writes || new Set(this.#row).size < failing.scenarios) return undefined;
    return `the run was stopped, as ${length} writes in a row were answered 5xx`;
  }
}

/** Notices that the service has stopped answering: no answer comes, or that of a gateway, or a web page. */
export class Outage {
  readonly #operations = new Set<string>();
  #answers = 0;
  /** The time of the first call that the service did not answer. */
  #since: number | undefined;
  #servedAt = Number.NEGATIVE_INFINITY;

  /** Notes that the service itself answered. */
  served(now: number): void {
    this.#servedAt = now;
    this.#since = undefined;
    this.#answers = 0;
    this.#operations.clear();
  }

  /** Notes a call that the service did not answer. `from`: the time from which it counts. */
  missed(operation: string, from: number): void {
    this.#since ??= Math.max(from, this.#servedAt);
    this.#answers++;
    this.#operations.add(operation);
  }

  /** Whether the service has not answered for long. */
  isLong(now: number): boolean {
    return this.#since !== undefined && now - this.#since >= outage.ms;
  }

  /**
   * The reason to end the run; undefined as long as the service may only be slow, or only one operation
   * may be broken. `instead`: the last thing that came in place of its answer.
   */
  reason(now: number, instead: string): string | undefined {
    const isEverywhere = this.#operations.size >= outage.operations;
    if (!this.isLong(now) || !isEverywhere || this.#answers < outage.answers) return undefined;
    const seconds = Math.round((now - (this.#since ?? now)) / 1000);
    return `the run was stopped, as for ${seconds} s the service answered none of ${this.#answers} calls; ${instead} came instead`;
  }
}

/** The memory for a parsed text: the text itself, and some forty bytes for each value in it. */
function weightOf(text: string): number {
  if (text.length < 10_000) return text.length;
  const { values, escapes } = contentOf(text);
  return text.length + 40 * values + 5 * escapes;
}

/** How many values a text separates, and how many characters grow when it is written as JSON. */
function contentOf(text: string): { readonly values: number; readonly escapes: number } {
  let values = 0;
  let escapes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b || code === 0x0a) values++;
    if (code < 0x20) escapes++;
  }
  return { values, escapes };
}
