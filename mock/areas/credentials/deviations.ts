/** Credentials and scopes that go wrong in time, in state, or in how they are written. */

import type { Deviation } from '../../deviations/deviation.ts';
import { expiry } from './deviations/expiry.ts';
import { form } from './deviations/form.ts';
import { metadataTokens } from './deviations/metadata-tokens.ts';
import { refused } from './deviations/refused.ts';
import { scope } from './deviations/scope.ts';

export const credentials: readonly Deviation[] = [
  ...expiry,
  ...form,
  ...metadataTokens,
  ...scope,
  ...refused,
];
