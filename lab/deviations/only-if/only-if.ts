/**
 * Limits any deviation to the calls in which a condition holds. All other calls are served
 * correctly.
 */
import { type Operation, type OperationId, operation } from '../../../spec/contract.ts';
import type { Asked, Broken, Done } from '../does.ts';
import type { Deviation } from '../rows.ts';

/** The kind of a condition. The contract does not distinguish calls that differ only in this. */
export type Kind =
  | 'caller'
  | 'deployment'
  | 'spelling'
  | 'parameter'
  | 'page'
  | 'value'
  | 'type'
  | 'before'
  | 'connection'
  | 'header';

/** Earlier calls of the deviation's operations. */
export interface Earlier {
  readonly last: Done | undefined;
  readonly calls: number;
}

export interface Condition {
  /** The part of an id after the `@`. */
  readonly name: string;
  readonly kind: Kind;
  /** The words after "only": `for a scoped key`. */
  readonly text: string;
  /** Whether such calls of an operation exist. */
  readonly fits: (operation: Operation) => boolean;
  /** Whether a deviation can depend on this condition. If this is absent, every deviation can. */
  readonly suits?: (deviation: Deviation) => boolean;
  readonly holds: (asked: Asked, earlier: Earlier) => boolean | Promise<boolean>;
}

export type Fits = Condition['fits'];
export type Holds = Condition['holds'];

export type ConditionRow = readonly [name: string, text: string, fits: Fits, holds: Holds];

export const rows = (
  kind: Kind,
  own: readonly ConditionRow[],
  more: Pick<Condition, 'suits'> = {},
): readonly Condition[] =>
  own.map(([name, text, fits, holds]) => ({ name, kind, text, fits, holds, ...more }));

/** Whether calls may exist in which a deviation takes effect and the condition holds. */
export function canBeOnlyIf(deviation: Deviation, { fits, suits }: Condition): boolean {
  const { foundBy, operations } = deviation;
  // A deviation that needs a history of calls is already limited to some calls.
  if (foundBy === 'explore' || suits?.(deviation) === false) return false;
  return operations.some((id) => fits(operation(id)));
}

export function onlyIf(deviation: Deviation, condition: Condition): Deviation {
  const { alsoBreaks: _alsoBreaks, ...rest } = deviation;
  const { id, text, operations, does } = rest;
  const write = writeOf(operations);
  const fits = (of: OperationId): boolean => condition.fits(operation(of));
  /** A read that shows the effect of a write follows that write. */
  const follows = (of: OperationId): boolean => write !== undefined && of !== write && fits(write);
  return {
    ...rest,
    id: `${id}@${condition.name}`,
    text: `${text.replace(/\.$/, '')}, only ${condition.text}.`,
    async does(call, target) {
      const own = call.operation.id;
      const memory = memoryOf(target);
      const asks = async (): Promise<boolean> =>
        !fits(own) || (await condition.holds({ call, target }, memory));
      const holds = follows(own) ? (memory.wrote ?? false) : await asks();
      if (own === write) memory.wrote = holds;
      const reply = holds ? await does(call, target) : await target.handle(call);
      memory.last = { call, target, reply };
      memory.calls += 1;
      return reply;
    },
  };
}

/** The only write of a deviation, if reads show its effect. */
function writeOf(operations: readonly OperationId[]): OperationId | undefined {
  const [write, ...others] = operations.filter((id) => operation(id).effect !== 'none');
  return others.length === 0 && operations.length > 1 ? write : undefined;
}

interface Remembered {
  last: Done | undefined;
  calls: number;
  /** Whether the condition held at the last write. */
  wrote: boolean | undefined;
}

function memoryOf({ memory }: Broken): Remembered {
  const before = memory.get('only if') as Remembered | undefined;
  const own = before ?? { last: undefined, calls: 0, wrote: undefined };
  memory.set('only if', own);
  return own;
}
