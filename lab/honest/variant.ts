/** An honest variant: another choice at one point that the description leaves open. */
import type { Bindings } from '../../conformance/language/vocabulary.ts';
import type { Target as CertifiedTarget, WireResponse } from '../../conformance/target/target.ts';
import type { ServiceEvent } from '../../mock/world/service-event.ts';
import type { Random } from '../../spec/base/random.ts';
import { refusal as refusalOf } from '../deviations/replies.ts';
import { type Call, isServed, type Reply, type Request, type Target } from '../deviations/wire.ts';
import type { HabitId } from '../tenant/habits.ts';
import type { Traits } from '../tenant/traits.ts';

/** A request, or a call if it belongs to an operation of the contract. */
export type Asked = Request | Call;
export type Next = (asked: Asked) => Promise<Reply>;

/** Sits in front of a tenant. It answers in its place, or changes its answers. */
export type Operator = (asked: Asked, next: Next) => Promise<Reply>;

/** Makes the operator for one tenant, because an operator may remember calls. */
export type Does = ((scene: Scene) => Operator) & {
  /** The only operations whose calls the operator handles; undefined for all. */
  readonly operations?: readonly string[];
};

/** Declares that an operator handles only calls of these operations. */
export const lookingAt = (operations: readonly string[], does: Does): Does =>
  Object.assign((scene: Scene) => does(scene), { operations });

/** The tenant that an operator works on. */
export interface Scene extends Pick<Target, 'snapshot' | 'restore' | 'now'> {
  readonly random: Random;
  readonly convergenceMs: number;
  readonly credentials: CertifiedTarget['credentials'];
  readonly bindings: Bindings;
  /** Reports that a variant took effect, if no answer shows it. */
  readonly met: () => void;
  /** Causes an event on the service's side. Only the mock supports this. */
  readonly emit?: ((event: ServiceEvent) => Readonly<Record<string, unknown>>) | undefined;
}

export interface Variant {
  readonly id: string;
  /**
   * Why the variant is honest: a silence, an open node of the contract, or the sentence that leaves
   * the choice open.
   */
  readonly ground: string;
  /** The choice that the variant makes. A tenant has at most one variant for each slot. */
  readonly slot: string;
  /** The only base that supports the variant. */
  readonly on?: BaseName;
  readonly does?: Does;
  /** Changes the bytes of an answer. */
  readonly writes?: (answer: WireResponse) => WireResponse;
  /** Choices of the mock, by silence. */
  readonly assumptions?: Readonly<Record<string, string>>;
  /** Options of the mock's world. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** Other users change the tenant during the run. */
  readonly shared?: true;
  readonly habit?: HabitId;
  readonly traits?: Traits;
  /** Adapts the bindings of the tenant file. */
  readonly bindings?: (bindings: Bindings) => Bindings;
}

export type BaseName = 'mock' | 'tenant';

/** The status that stands for a closed connection without an answer. */
export const CLOSED = 0;

export const isCall = (asked: Asked): asked is Call => 'operation' in asked;
export const isWrite = ({ method }: Asked): boolean => method !== 'GET' && method !== 'HEAD';

/** Changes answers of the contract's operations; undefined keeps an answer. */
export const replies =
  (change: (reply: Reply, call: Call, next: Next) => MaybeReply): (() => Operator) =>
  () =>
  async (asked, next) => {
    const reply = await next(asked);
    return (isCall(asked) ? await change(reply, asked, next) : undefined) ?? reply;
  };

type MaybeReply = Reply | undefined | Promise<Reply | undefined>;

/** Changes 2xx answers of one operation. */
export const serves = (
  operation: string,
  change: (reply: Reply, call: Call, next: Next) => MaybeReply,
): (() => Operator) & Does =>
  Object.assign(
    replies((reply, call, next) =>
      call.operation.id === operation && isServed(reply) ? change(reply, call, next) : undefined,
    ),
    { operations: [operation] },
  );

/** Answers a call in place of the tenant; undefined lets the tenant answer. */
export const insteadOf =
  (answer: (call: Call) => Reply | undefined): (() => Operator) =>
  () =>
  async (asked, next) =>
    (isCall(asked) ? answer(asked) : undefined) ?? next(asked);

/** A refusal in the form of the call's surface. */
export const refusal = (call: Call, status: number): Reply => refusalOf(call, status, '');

/** The name of the credential that a request carries. */
export function callerOf(asked: Asked, { credentials }: Scene): string | undefined {
  const words = asked.headers.authorization?.split(' ') ?? [];
  return [...credentials].find(([, { secret }]) => words.includes(secret))?.[0];
}

/**
 * Makes a variant named `rule:name` from each row. By default the variants of a rule share a slot,
 * so a tenant has only one of them.
 */
export function each<Row>(
  { rule, slot = rule, ...about }: About,
  rows: Readonly<Record<string, Row>> | readonly (Row & (string | number))[],
  make: (row: Row, name: string) => Partial<Variant>,
): Variant[] {
  const named = Array.isArray(rows)
    ? rows.map((row): [string, Row] => [String(row), row])
    : Object.entries(rows);
  return named.map(([name, row]) => ({
    id: `${rule}:${name}`,
    slot,
    ...about,
    ...make(row as Row, name),
  }));
}

interface About extends Pick<Variant, 'ground' | 'on' | 'shared'> {
  readonly rule: string;
  readonly slot?: string;
}
