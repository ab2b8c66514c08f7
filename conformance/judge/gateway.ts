/**
 * Recognises answers that are not the service's, but come from a gateway in front of it. The description
 * promises nothing about them, so a single one breaks no promise.
 */

import type { MadeCall } from './record.ts';

/** The part of an answer that shows its origin. */
interface Given {
  readonly status: number;
  readonly text: string;
}

/** These statuses always come from a gateway: they do not show how the service behaves. */
export const gatewayStatuses: readonly number[] = [429, 502, 503, 504];

const oddRefusals: readonly number[] = [405, 408, 413, 414, 415, 421, 425, 431];

/** Whether a gateway may have answered. If the answer comes again, it counts as the service's. */
export function mayBeGateway(given: Given): boolean {
  const { status } = given;
  return isPage(given) || status >= 500 || status === 429 || oddRefusals.includes(status);
}

/** A page may begin with comments and declarations of this length. */
const mostBefore = 2000;

/** Whether an answer is a page for people, or a redirect to one. A refusal in HTML may be the service's. */
export function isPage({ status, text }: Given): boolean {
  if (status >= 300 && status < 400) return true;
  return (
    isSuccess(status) &&
    /^\s*</.test(text) &&
    /<(!doctype html|html)[\s>]/i.test(text.slice(0, mostBefore))
  );
}

/** Whether a call was served; no answer at all has the status 0. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Whether the service itself answered, with any status. */
export function isOfService(given: Given): boolean {
  return !isPage(given) && !gatewayStatuses.includes(given.status);
}

/** If so many pages come in a row, for so many operations, a single operation or caller is not the cause. */
const [ROW, OPERATIONS] = [8, 3];

/**
 * The calls that got a page while the service answered no call at all. If other calls are served meanwhile,
 * the operation itself answers with a page. `stopped`: the run ended because the service was away, so the
 * last pages count however few they are.
 */
export function pagesInPlace(calls: readonly MadeCall[], stopped: boolean): Set<MadeCall> {
  const rows: MadeCall[][] = [[]];
  const sorted = calls.toSorted((a, b) => a.at - b.at);
  // Nobody knows which of the calls of one millisecond was first.
  for (const together of Map.groupBy(sorted, ({ at }) => at).values()) {
    const row = rows.at(-1) ?? [];
    const hadBegun = row.length > 0;
    row.push(...together.filter(({ page }) => page));
    const isServed = together.some(({ page, plain }) => !page && plain !== true);
    if (isServed && hadBegun) rows.push([]);
  }
  const operationsOf = (row: readonly MadeCall[]) => new Set(row.map(({ operation }) => operation));
  const lengthOf = (row: readonly MadeCall[]) => row.filter(({ plain }) => plain !== true).length;
  const last = stopped ? rows.at(-1) : undefined;
  const found = rows.filter(
    (row) => row === last || (lengthOf(row) >= ROW && operationsOf(row).size >= OPERATIONS),
  );
  return new Set(found.flat());
}
