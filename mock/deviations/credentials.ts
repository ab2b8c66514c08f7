/** Credentials and scopes that go wrong in time, in state, or in how they are written. */

import { expiry } from './credentials/expiry.ts';
import { form } from './credentials/form.ts';
import { metadataTokens } from './credentials/metadata-tokens.ts';
import { refused } from './credentials/refused.ts';
import { scope } from './credentials/scope.ts';
import type { Deviation } from './deviation.ts';

export const credentials: readonly Deviation[] = [
  ...expiry,
  ...form,
  ...metadataTokens,
  ...scope,
  ...refused,
];
