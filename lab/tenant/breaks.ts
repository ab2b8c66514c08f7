/** Faults of this tenant alone, which no row of the catalogue says. */

import type { Deviation } from '../deviations/rows.ts';

export const breaks: readonly Deviation[] = [];
