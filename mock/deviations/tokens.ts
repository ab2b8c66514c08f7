/**
 * Metadata tokens that live too long or too short, lack their security context or carry another
 * one's. A changed token is signed again, so that it is wrong in nothing else.
 */
import type { Deviation } from './deviation.ts';
import { context } from './tokens/context.ts';
import { form } from './tokens/form.ts';
import { lifetime } from './tokens/lifetime.ts';
import { request } from './tokens/request.ts';

export const tokens: readonly Deviation[] = [...lifetime, ...context, ...form, ...request];
