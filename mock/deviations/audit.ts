/**
 * Exports of the audit log whose filters let through too much or too little, alone, together or the
 * second time, and files that are no CSV.
 */

import { file } from './audit/file.ts';
import { filters } from './audit/filters.ts';
import { filtersTogether } from './audit/filters-together.ts';
import { permission } from './audit/permission.ts';
import type { Deviation } from './deviation.ts';

export const audit: readonly Deviation[] = [...filters, ...filtersTogether, ...file, ...permission];
