/** Pages, totals and filters of the deployments and environments lists that go wrong. */
import type { Deviation } from '../../deviations/deviation.ts';
import { pages } from './deviations/pages.ts';
import { reach } from './deviations/reach.ts';
import { typeFilter } from './deviations/type-filter.ts';

export const lists: readonly Deviation[] = [...pages, ...typeFilter, ...reach];
