/** Deviations as data: a row says what is wrong, which statements that breaks, and how it is done. */
import type { DeviationRecord } from '../../mock/world/deviations.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { Does } from './does.ts';

/** One deliberate departure, of any target. */
export interface Deviation extends DeviationRecord {
  readonly does: Does;
}

/** How it goes wrong; with the operations, where they are not the table's. */
type Placed = Does | { readonly operations: readonly OperationId[]; readonly does: Does };

/** A row whose operations are these. */
export const on = (operations: readonly OperationId[], does: Does): Placed => ({
  operations,
  does,
});

/**
 * What goes wrong, under the statements that it breaks, with spaces between them: `<name>`, or
 * `<name>: <what is wrong, in a sentence>` where the name does not say it; and how it is done.
 */
export type Rows = Readonly<Record<string, Readonly<Record<string, Placed>>>>;

/** The deviations `<area>:<name>` of tables. */
export function table(
  area: string,
  operations: readonly OperationId[],
  tables: Rows | readonly Rows[],
  more: Partial<Deviation> = {},
): readonly Deviation[] {
  const rows = [tables].flat().flatMap((one: Rows) => Object.entries(one));
  return rows.flatMap(([breaks, own]) =>
    Object.entries(own).map(([title, placed]) => {
      const [, name = title, text = sentenceOf(area, name)] = /^([\w-]+): (.+)$/.exec(title) ?? [];
      const how = typeof placed === 'function' ? { operations, does: placed } : placed;
      return { id: `${area}:${name}`, text, breaks: breaks.split(' '), ...how, ...more };
    }),
  );
}

/** What follows from the contract for an operation: kind, what is wrong with it, and in words. */
export const wrongIn =
  (operation: OperationId) =>
  (kind: string, of: string, text: string, breaks: readonly string[], does: Does): Deviation => ({
    id: [kind, operation, ...(of === '' ? [] : [of])].join(':'),
    text: `${operation}: ${text}.`,
    breaks,
    operations: [operation],
    does,
  });

/** `quotes-not-doubled` in audit: "audit: quotes not doubled." */
const sentenceOf = (area: string, name: string): string => `${area}: ${name.replaceAll('-', ' ')}.`;
