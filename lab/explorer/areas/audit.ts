/** Exports between two days that are over, so that no event comes to them. */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

const maybe = (...values: readonly unknown[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

export const exported: ExploredOperation = {
  query: ({ bindings: { audit = {} } }) => {
    const { start, end, search, eventName, userEmail } = audit;
    // Any part of an event can be searched for.
    const wish = { search: maybe(search, eventName, userEmail), eventName: maybe(eventName) };
    return fc
      .record({ ...wish, userEmail: maybe(userEmail) })
      .map((some) => ({ start, end, ...some }));
  },
};
