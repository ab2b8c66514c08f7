/**
 * Metadata tokens that live too long or too short, lack their security context or carry another
 * one's. A changed token is signed again, so that it is wrong in nothing else.
 */
import type { Deviation } from '../../deviations/deviation.ts';
import { context } from './deviations/context.ts';
import { form } from './deviations/form.ts';
import { lifetime } from './deviations/lifetime.ts';
import { request } from './deviations/request.ts';

export const tokens: readonly Deviation[] = [...lifetime, ...context, ...form, ...request];
