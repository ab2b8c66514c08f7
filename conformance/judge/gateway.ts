/**
 * Answers that are not the service's: what stands in front of it gave them in its own words. The
 * description promises nothing of them, so one of them alone breaks no promise.
 */

import type { MadeCall } from './record.ts';

/** As much of an answer as tells whose it is. */
interface Given {
  readonly status: number;
  readonly text: string;
}

/** They are always a gateway's: nothing of the service can be judged by them. */
export const gatewayStatuses: readonly number[] = [429, 502, 503, 504];

const oddRefusals: readonly number[] = [405, 408, 413, 414, 415, 421, 425, 431];

/** Whether a gateway may have answered. It counts as the service's answer if it comes again. */
export function mayBeGateway(given: Given): boolean {
  const { status } = given;
  return isPage(given) || status >= 500 || status === 429 || oddRefusals.includes(status);
}

/** Comments and declarations may stand before a page. */
const mostBefore = 2000;

/** A page for people, or the way to one: maintenance, a login. A refusal may be HTML, and the service's. */
export function isPage({ status, text }: Given): boolean {
  if (status >= 300 && status < 400) return true;
  const isSuccess = status >= 200 && status < 300;
  return (
    isSuccess && /^\s*</.test(text) && /<(!doctype html|html)[\s>]/i.test(text.slice(0, mostBefore))
  );
}

/** So many pages in a row, for so many operations, are no matter of one operation or one caller. */
const [ROW, OPERATIONS] = [8, 3];

/**
 * The calls that were answered with a page while nobody was answered by the service. An operation that
 * answers so while others are served does it itself.
 */
export function pagesInPlace(calls: readonly MadeCall[]): Set<MadeCall> {
  const rows: MadeCall[][] = [[]];
  for (const call of calls.toSorted((a, b) => a.at - b.at)) {
    if (call.page) rows.at(-1)?.push(call);
    else rows.push([]);
  }
  const operationsOf = (row: readonly MadeCall[]) => new Set(row.map(({ operation }) => operation));
  const found = rows.filter((row) => row.length >= ROW && operationsOf(row).size >= OPERATIONS);
  return new Set(found.flat());
}
