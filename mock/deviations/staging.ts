/** The staging switch and what the environments list shows of it, going wrong. */
import type { Deviation } from './deviation.ts';
import { branches } from './staging/branches.ts';
import { list } from './staging/list.ts';
import { refusals } from './staging/refusals.ts';
import { switches } from './staging/switches.ts';

export const staging: readonly Deviation[] = [...switches, ...branches, ...list, ...refusals];
