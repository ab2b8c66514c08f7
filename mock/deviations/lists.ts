/** Pages, totals and filters of the deployments and environments lists that go wrong. */
import type { Deviation } from './deviation.ts';
import { pages } from './lists/pages.ts';
import { reach } from './lists/reach.ts';
import { typeFilter } from './lists/type-filter.ts';

export const lists: readonly Deviation[] = [...pages, ...typeFilter, ...reach];
