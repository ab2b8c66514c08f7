/**
 * Deviations as data: a row names the fault, the statements that it breaks, the operator, and the
 * condition.
 */
import type { DeviationRecord } from '../../mock/world/deviations.ts';
import type { Operation, OperationId } from '../../spec/contract.ts';
import { type Does, given, type When } from './does.ts';

/** One deliberate departure from the description, for any target. */
export interface Deviation extends DeviationRecord {
  readonly does: Does;
}

/**
 * One deviation as a row. The title is `<name>`, or `<name>: <what is wrong, in a sentence>` if the
 * name does not say it. `breaks` names statements, with spaces between them. Without `when` it
 * takes effect in every call.
 */
export type Row = readonly [title: string, breaks: string, does: Does, when?: When];

/** Makes deviations of these operations from rows. The subject is an area or an operation. */
export const table = (
  subject: string,
  operations: readonly OperationId[],
  rows: readonly Row[],
  more: Partial<Deviation> = {},
  idOf = (name: string) => `${subject}:${name}`,
): readonly Deviation[] =>
  rows.map(([title, breaks, does, when]) => {
    const [name = '', words = name.replaceAll('-', ' ')] = title.split(': ');
    const text = words.endsWith('.') ? words : `${subject}: ${words}.`;
    return {
      ...{ id: idOf(name), text, breaks: breaks.split(' '), operations },
      ...{ does: when === undefined ? does : given(when, does), ...more },
    };
  });

/** The rows that follow from the contract for one operation. */
export const derived = (
  { id }: Operation,
  idOf: (name: string, operation: OperationId) => string,
  rows: readonly Row[],
): readonly Deviation[] => table(id, [id], rows, {}, (name) => idOf(name, id));
