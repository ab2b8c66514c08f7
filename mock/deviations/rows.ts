/** Deviations as tables: under the statements that they break, what is wrong and how. */
import type { OperationId } from '../../spec/contract.ts';
import type { WrappingDeviation } from '../pipeline/stages.ts';
import { type Does, together } from './does.ts';

/** What is wrong, in a sentence; how; and the operations, where they are not those of the table. */
export type Row = readonly [
  text: string,
  does: Does | readonly Does[],
  operations?: readonly OperationId[],
];

/** Makes the deviations of an area. Each is called `<area>:<name>`. */
export function rowsOf(area: string, operations: readonly OperationId[]) {
  return (breaks: readonly string[], rows: Readonly<Record<string, Row>>): WrappingDeviation[] =>
    Object.entries(rows).map(([name, [text, does, own = operations]]) => ({
      id: `${area}:${name}`,
      text,
      breaks,
      operations: own,
      wraps: together([does].flat()),
    }));
}
