/** Deviations as data: a row says what is wrong, which statements that breaks, how, and when. */
import type { DeviationRecord } from '../../mock/world/deviations.ts';
import type { Operation, OperationId } from '../../spec/contract.ts';
import { type Does, given, type When } from './does.ts';

/** One deliberate departure, of any target. */
export interface Deviation extends DeviationRecord {
  readonly does: Does;
}

/**
 * One way of going wrong, in a line. The title is `<name>`, or `<name>: <what is wrong, in a sentence>`
 * if the name does not say it. `breaks` names statements, with spaces between them. It goes wrong in
 * every call, unless `when` says in which.
 */
export type Row = readonly [title: string, breaks: string, does: Does, when?: When];

/** The deviations of these operations; the subject is an area, or an operation that they are made for. */
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
