/** How two answers to the same read are alike, as far as the contract promises. */

import type { ConditionsText } from '../../conformance/language/scenario.ts';
import { pointerKeys } from '../../spec/base/json.ts';
import { type Operation, statement } from '../../spec/contract.ts';
import type { Call } from './call.ts';

/** Conditions of a later answer; none where the description does not show what one looks like. */
export function alikeSince({ operation, pages }: Call, since: string): ConditionsText[] {
  const response = operation.responseFor(200);
  // An export may show its rows in any order, and its columns are not described.
  if (response?.mediaType === 'text/csv') {
    return [{ csv: { rows: { $length: `{steps.${since}.csv.rows.length}` } } }];
  }
  const { required = [] } = response?.schema ?? {};
  const promised = Array.isArray(required) ? required.map(String) : [];
  if (operation.items === undefined) return unchanged(since, promised);
  const [place = ''] = pointerKeys(operation.items.at);
  const about =
    pages === undefined
      ? unchanged(
          since,
          promised.filter((name) => name !== place),
        )
      : [{ walk: { total: `{steps.${since}.walk.total}` } }];
  return [{ 'same set': since }, ...about];
}

const unchanged = (since: string, of: readonly string[]): ConditionsText[] =>
  of.length === 0 ? [] : [{ unchanged: { since, of } }];

const isPromised = (id: string): boolean => statement(id).level !== 'silent';

/** What a read contradicts that goes wrong: the promise of what it sends, else of its success. */
export function blameOf({ operation, query }: Call): string | undefined {
  const sent = operation.parameters.filter(({ name }) => query[name] !== undefined);
  return sent.flatMap(({ statements }) => statements).find(isPromised) ?? successOf(operation);
}

export const successOf = ({ success }: Operation): string | undefined =>
  success === 'none' ? undefined : success;
