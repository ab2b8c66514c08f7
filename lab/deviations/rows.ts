/** Deviations as tables: under the statements that they break, what is wrong and how. */

import type { Deviation } from '../../mock/pipeline/stages.ts';
import type { OperationId } from '../../spec/contract.ts';
import { type Does, together } from './does.ts';

export type { Deviation } from '../../mock/pipeline/stages.ts';

/** How a deviation goes wrong; `on`, where its operations are not those of the table. */
export type Row = Does | readonly Does[] | Placed;

interface Placed {
  readonly operations: readonly OperationId[];
  readonly does: Does | readonly Does[];
}

/** By `<name>: <what is wrong, in a sentence>`; by the name alone where that says it. */
export type Rows = Readonly<Record<string, Row>>;

/** A row of these operations. */
export const on = (operations: Placed['operations'], does: Placed['does']) => ({
  operations,
  does,
});

/** Adds the deviations of an area to a list, table by table. Each is called `<area>:<name>`. */
export function rowsOf(
  list: Deviation[],
  area: string,
  operations: readonly OperationId[],
  more: Partial<Deviation> = {},
) {
  return (breaks: readonly string[], rows: Rows): void => {
    for (const [title, row] of Object.entries(rows)) {
      const [, name = title, text = sentenceOf(name)] = /^([\w-]+): (.+)$/.exec(title) ?? [];
      const { does, ...at } = 'operations' in row ? row : on(operations, row);
      const wraps = together([does].flat());
      list.push({ id: `${area}:${name}`, text, breaks, ...at, wraps, ...more });
    }
  };
}

/** The deviation `<kind>:<operation>`, or `<kind>:<operation>:<name>`, that follows from the contract. */
export const wrongIn =
  (operation: OperationId) =>
  (
    [kind, ...name]: readonly [kind: string, name?: string],
    text: string,
    breaks: readonly string[],
    wraps: Does,
  ): Deviation => ({
    id: [kind, operation, ...name].join(':'),
    text: `${operation}: ${text}.`,
    breaks,
    operations: [operation],
    wraps,
  });

/** `quotes-not-doubled`: "Quotes not doubled." */
function sentenceOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
