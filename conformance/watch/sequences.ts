/**
 * Follows promises over several calls. Other users may use the account, changes may show late, and the
 * client may make calls at the same time. So a failure counts only if none of these explains it, and if it
 * came three times while the promise never held.
 */

import { contract, type Operation } from '../../spec/contract.ts';
import type { Result } from '../judge/record.ts';
import type { Seen, Sequence } from './facts.ts';

/** The number of failures, without a success in between, that count as one. */
export const timesToCount = 3;
const mostChains = 1000;
const longestChain = 6;
const mostSubjects = 100;
/** A longer answer is not remembered. */
const mostRemembered = 64 * 1024;

/** The result of a sequence; `open` if calls of others may explain it. */
export type Followed =
  | {
      readonly kind: 'counts';
      readonly statement: string;
      readonly area: string;
      readonly result: Extract<Result, { kind: 'holds' | 'fails' }>;
    }
  | { readonly kind: 'open'; readonly statement: string; readonly why: string };

interface Chain {
  readonly calls: Seen[];
  /** How often it failed since it last held, by subject. */
  readonly failed: Map<string, number>;
}

/** A call in progress, and whether another call overlaps it. */
export interface Span {
  readonly area: string;
  readonly writes: boolean;
  overlaps: boolean;
}

export class Sequences {
  readonly #sequences: readonly Sequence[];
  readonly #lagMs: number;
  readonly #chains = new Map<string, Chain>();
  readonly #open = new Set<Span>();

  constructor(sequences: readonly Sequence[], lagMs: number) {
    this.#sequences = sequences;
    this.#lagMs = lagMs;
  }

  begin(operation: Operation): Span {
    const { lock, area, effect } = operation;
    const span = {
      area: lock?.writes ?? lock?.reads ?? area,
      writes: effect !== 'none',
      overlaps: false,
    };
    for (const other of this.#open) {
      if (other.area !== span.area || !(other.writes || span.writes)) continue;
      other.overlaps = true;
      span.overlaps = true;
    }
    this.#open.add(span);
    return span;
  }

  /** `seen`: undefined if the effect of the call, or its answer, is unknown. */
  end(span: Span, operation: Operation, seen: Seen | undefined): Followed[] {
    this.#open.delete(span);
    const told = this.#sequences.filter(({ operations }) => operations.includes(operation.id));
    const isUnsure = seen === undefined || span.overlaps;
    if (isUnsure && span.writes) this.#forget(span.area);
    if (seen === undefined || told.length === 0) return [];
    if (span.overlaps)
      return told.map(({ statement }) =>
        open(statement, 'the client made other calls at the same time'),
      );
    if (seen.answer.wire.text.length > mostRemembered)
      return told.map(({ statement }) =>
        open(statement, 'the answer is too large to be remembered'),
      );
    return told.flatMap((sequence) => this.#follow(sequence, seen, span.area) ?? []);
  }

  /** Drops the earlier answers of an area: they no longer count. */
  #forget(area: string): void {
    for (const [key, chain] of this.#chains) if (key.startsWith(`${area} `)) chain.calls.length = 0;
  }

  #follow(sequence: Sequence, seen: Seen, area: string): Followed | undefined {
    const { statement, compare } = sequence;
    const chain = this.#chainOf(sequence, seen, area);
    chain.calls.push(seen);
    if (chain.calls.length > longestChain) chain.calls.shift();
    const settled = (from: Seen, to: Seen): boolean => to.sentAt - from.endedAt >= this.#lagMs;
    const result = compare(chain.calls, settled);
    if (result === undefined) return undefined;
    const subject = sequence.subject?.(seen) ?? '';
    if (result === 'holds') {
      chain.failed.delete(subject);
      return { kind: 'counts', statement, area, result: { kind: 'holds' } };
    }
    const write = chain.calls.slice(0, -1).findLast(({ operation }) => isWrite(operation));
    if (sequence.lags === true && write !== undefined && !settled(write, seen))
      return open(statement, 'the change may still be on its way');
    const failed = (chain.failed.get(subject) ?? 0) + 1;
    if (failed > 1 || chain.failed.size < mostSubjects) chain.failed.set(subject, failed);
    if (failed < timesToCount)
      return open(
        statement,
        'somebody else may have changed it: it has not failed three times yet',
      );
    return { kind: 'counts', statement, area, result: { kind: 'fails', ...result } };
  }

  #chainOf({ statement, key }: Sequence, seen: Seen, area: string): Chain {
    const { deployment = '' } = contract.operations.get(seen.operation)?.requires ?? {};
    const id = `${area} ${statement} ${seen.path[deployment] ?? ''} ${key?.(seen) ?? ''}`;
    const chain = this.#chains.get(id) ?? { calls: [], failed: new Map() };
    // The most recently used chain is last.
    this.#chains.delete(id);
    this.#chains.set(id, chain);
    const [oldest] = this.#chains.keys();
    if (this.#chains.size > mostChains && oldest !== undefined) this.#chains.delete(oldest);
    return chain;
  }
}

const isWrite = (id: Operation['id']): boolean => contract.operations.get(id)?.effect !== 'none';

const open = (statement: string, why: string): Followed => ({ kind: 'open', statement, why });
