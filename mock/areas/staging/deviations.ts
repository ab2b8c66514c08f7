/** The staging switch and what the environments list shows of it, going wrong. */
import type { Deviation } from '../../deviations/deviation.ts';
import { branches } from './deviations/branches.ts';
import { list } from './deviations/list.ts';
import { refusals } from './deviations/refusals.ts';
import { switches } from './deviations/switches.ts';

export const staging: readonly Deviation[] = [...switches, ...branches, ...list, ...refusals];
