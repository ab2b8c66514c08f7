/** Deviations as tables: under the statements that they break, what is wrong and how. */
import type { OperationId } from '../../spec/contract.ts';
import type { WrappingDeviation } from '../pipeline/stages.ts';
import { type Does, together } from './does.ts';

/**
 * What is wrong, in a sentence; how; and the operations, where they are not those of the table. How
 * alone, where the name says what is wrong.
 */
export type Row =
  | Does
  | readonly Does[]
  | readonly [text: string, does: Does | readonly Does[], operations?: readonly OperationId[]];

export type Rows = Readonly<Record<string, Row>>;

/** Makes the deviations of an area. Each is called `<area>:<name>`. */
export function rowsOf(area: string, operations: readonly OperationId[]) {
  return (breaks: readonly string[], rows: Rows): WrappingDeviation[] =>
    Object.entries(rows).map(([name, row]) => {
      const [text, does, own = operations] = isTuple(row) ? row : [sentenceOf(name), row];
      const wraps = together([does].flat());
      return { id: `${area}:${name}`, text, breaks, operations: own, wraps };
    });
}

/** The deviation `<kind>:<operation>`, or `<kind>:<operation>:<name>`, that follows from the contract. */
export const wrongIn =
  (operation: OperationId) =>
  (
    [kind, ...name]: readonly [kind: string, name?: string],
    text: string,
    breaks: readonly string[],
    wraps: Does,
  ): WrappingDeviation => ({
    id: [kind, operation, ...name].join(':'),
    text: `${operation}: ${text}.`,
    breaks,
    operations: [operation],
    wraps,
  });

const isTuple = (row: Row): row is Extract<Row, readonly [string, ...unknown[]]> =>
  Array.isArray(row) && typeof row[0] === 'string';

/** `quotes-not-doubled`: "Quotes not doubled." */
function sentenceOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
