/** Deviations as data: a row says what is wrong, which statements that breaks, how, and when. */
import type { DeviationRecord } from '../../mock/world/deviations.ts';
import type { OperationId } from '../../spec/contract.ts';
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

/** The deviations `<area>:<name>` of these operations. */
export const table = (
  area: string,
  operations: readonly OperationId[],
  rows: readonly Row[],
  more: Partial<Deviation> = {},
): readonly Deviation[] =>
  rows.map(([title, breaks, does, when]) => {
    const [name = '', text = `${area}: ${title.replaceAll('-', ' ')}.`] = title.split(': ');
    return {
      ...{ id: `${area}:${name}`, text, breaks: breaks.split(' '), operations },
      ...{ does: when === undefined ? does : given(when, does), ...more },
    };
  });

/** One way in which an operation goes wrong that follows from the contract; `of` says what of it. */
export type Wrong = readonly [
  kind: string,
  of: string,
  text: string,
  breaks: readonly string[],
  does: Does,
];

/** The deviations `<kind>:<operation>:<of>`. */
export const wrongIn = (id: OperationId, wrong: readonly Wrong[]): readonly Deviation[] =>
  wrong.map(([kind, of, text, breaks, does]) => ({
    id: [kind, id, ...(of === '' ? [] : [of])].join(':'),
    text: `${id}: ${text}.`,
    ...{ breaks, operations: [id], does },
  }));
