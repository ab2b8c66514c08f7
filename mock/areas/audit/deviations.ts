/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */

import type { Deviation } from '../../deviations/deviation.ts';
import { file } from './deviations/file.ts';
import { filters } from './deviations/filters.ts';
import { filtersTogether } from './deviations/filters-together.ts';
import { permission } from './deviations/permission.ts';

export const audit: readonly Deviation[] = [...filters, ...filtersTogether, ...file, ...permission];
