/** Exports only past days, so that no new event can appear in them. */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

const maybe = (...values: readonly unknown[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

export const exported: ExploredOperation = {
  query: ({ bindings: { audit = {} } }) => {
    const { start, end, search, eventName, userEmail } = audit;
    // A search may match any part of an event.
    const wish = { search: maybe(search, eventName, userEmail), eventName: maybe(eventName) };
    return fc
      .record({ ...wish, userEmail: maybe(userEmail) })
      .map((some) => ({ start, end, ...some }));
  },
};
