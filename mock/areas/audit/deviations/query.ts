/** The filters of an export, and how a deviation lets the handler see others. */

import type { Memory } from '../../../deviations/deviation.ts';
import { callOf, deviationOf, type Handle, same } from '../../../deviations/transforms.ts';
import type { Call } from '../../../pipeline/call.ts';

export type Filter = 'start' | 'end' | 'search' | 'eventName' | 'userEmail';
export type Query = Readonly<Partial<Record<Filter, string>>>;

/** The filters are tried together, so a fault of one may show in a check of another. */
export const FILTERS = ['AUDIT-5', 'AUDIT-6', 'AUDIT-7', 'AUDIT-8', 'AUDIT-9'];

export const deviation = deviationOf('audit', 'exportAuditLogs');

export function queryOf(call: Call): Query {
  return callOf<'exportAuditLogs'>(call).query;
}

export function setQuery(call: Call, query: Query): void {
  const own = queryOf(call) as Record<string, string | undefined>;
  for (const key of Object.keys(own)) delete own[key];
  Object.assign(own, query);
}

export function without(query: Query, ...filters: readonly Filter[]): Query {
  const left: Partial<Record<Filter, string>> = { ...query };
  for (const filter of filters) delete left[filter];
  return left;
}

/** Lets the handler see other filters than those that were sent. */
export function sees(change: (query: Query, memory: Memory) => Query): Handle {
  return (next, { call, memory, took }) => {
    const sent = queryOf(call);
    const seen = change(sent, memory);
    if (!same(sent, seen)) {
      setQuery(call, seen);
      took();
    }
    return next();
  };
}
