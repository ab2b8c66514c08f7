/** An honest variant: one choice that the description leaves open, made differently. */
import type { Bindings } from '../../conformance/language/vocabulary.ts';
import type { Target as CertifiedTarget, WireResponse } from '../../conformance/target/target.ts';
import type { ServiceEvent } from '../../mock/world/service-event.ts';
import type { Random } from '../../spec/base/random.ts';
import { refusal as refusalOf } from '../deviations/replies.ts';
import { type Call, isServed, type Reply, type Request, type Target } from '../deviations/wire.ts';
import type { HabitId } from '../tenant/habits.ts';
import type { Traits } from '../tenant/traits.ts';

/** A request; a call if the contract has an operation for it. */
export type Asked = Request | Call;
export type Next = (asked: Asked) => Promise<Reply>;

/** Sits before a tenant, and answers in its place or changes its answers. */
export type Operator = (asked: Asked, next: Next) => Promise<Reply>;

/** Made anew for each tenant, as an operator may remember calls. */
export type Does = ((scene: Scene) => Operator) & {
  /** The only operations whose calls it looks at; undefined for any. */
  readonly operations?: readonly string[];
};

/** Says that it looks at the calls of these operations alone. */
export const lookingAt = (operations: readonly string[], does: Does): Does =>
  Object.assign((scene: Scene) => does(scene), { operations });

/** The tenant that an operator sits before. */
export interface Scene extends Pick<Target, 'snapshot' | 'restore' | 'now'> {
  readonly random: Random;
  readonly convergenceMs: number;
  readonly credentials: CertifiedTarget['credentials'];
  readonly bindings: Bindings;
  /** Says that a variant took effect, if no answer shows it. */
  readonly met: () => void;
  /** Lets something happen on the service's side; the mock alone knows how. */
  readonly emit?: ((event: ServiceEvent) => Readonly<Record<string, unknown>>) | undefined;
}

export interface Variant {
  readonly id: string;
  /** Why it is honest: a silence, an open node of the contract, or the sentence that leaves it open. */
  readonly ground: string;
  /** The choice that it makes: a tenant has one variant of a slot at most. */
  readonly slot: string;
  /** The only base that can make it. */
  readonly on?: BaseName;
  readonly does?: Does;
  /** Changes an answer as it goes over the wire. */
  readonly writes?: (answer: WireResponse) => WireResponse;
  /** Choices of the mock, by silence. */
  readonly assumptions?: Readonly<Record<string, string>>;
  /** Options of the mock's world. */
  readonly world?: Readonly<Record<string, unknown>>;
  /** Other people use the tenant as well. */
  readonly shared?: true;
  readonly habit?: HabitId;
  readonly traits?: Traits;
  /** The bindings in the tenant file of such a tenant. */
  readonly bindings?: (bindings: Bindings) => Bindings;
}

export type BaseName = 'mock' | 'tenant';

/** Status of a reply that never comes: the connection is closed. */
export const CLOSED = 0;

export const isCall = (asked: Asked): asked is Call => 'operation' in asked;
export const isWrite = ({ method }: Asked): boolean => method !== 'GET' && method !== 'HEAD';

/** Changes what the contract's operations answer; undefined leaves it. */
export const replies =
  (change: (reply: Reply, call: Call, next: Next) => MaybeReply): (() => Operator) =>
  () =>
  async (asked, next) => {
    const reply = await next(asked);
    return (isCall(asked) ? await change(reply, asked, next) : undefined) ?? reply;
  };

type MaybeReply = Reply | undefined | Promise<Reply | undefined>;

/** The same of calls of one operation that were served. */
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

/** Answers a call of the contract in place of the tenant; undefined leaves it to the tenant. */
export const insteadOf =
  (answer: (call: Call) => Reply | undefined): (() => Operator) =>
  () =>
  async (asked, next) =>
    (isCall(asked) ? answer(asked) : undefined) ?? next(asked);

/** A refusal in the words of the surface that a call goes to. */
export const refusal = (call: Call, status: number): Reply => refusalOf(call, status, '');

/** Whose secret a request carries, by the name of the credential. */
export function callerOf(asked: Asked, { credentials }: Scene): string | undefined {
  const words = asked.headers.authorization?.split(' ') ?? [];
  return [...credentials].find(([, { secret }]) => words.includes(secret))?.[0];
}

/**
 * A variant for each row, called `rule:name`. Unless something else is said, those of a rule contradict
 * each other.
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
