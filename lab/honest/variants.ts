/** All honest variants. The first are applied nearest to the service. */
import { bodyVariants } from './rules/bodies.ts';
import { branchVariants } from './rules/branches.ts';
import { choiceVariants } from './rules/choices.ts';
import { exportVariants } from './rules/export.ts';
import { gatewayVariants } from './rules/gateways.ts';
import { headerVariants } from './rules/headers.ts';
import { identifierVariants } from './rules/identifiers.ts';
import { listVariants } from './rules/lists.ts';
import { nameVariants } from './rules/names.ts';
import { otherVariants } from './rules/others.ts';
import { rightVariants } from './rules/rights.ts';
import { statusVariants } from './rules/statuses.ts';
import { textVariants } from './rules/texts.ts';
import { timeVariants } from './rules/time.ts';
import { tokenVariants } from './rules/tokens.ts';
import type { BaseName, Variant } from './variant.ts';

export const variants: readonly Variant[] = [
  ...choiceVariants,
  ...timeVariants,
  ...otherVariants,
  ...statusVariants,
  ...nameVariants,
  ...tokenVariants,
  ...listVariants,
  ...identifierVariants,
  ...textVariants,
  ...exportVariants,
  ...bodyVariants,
  ...branchVariants,
  ...rightVariants,
  ...gatewayVariants,
  ...headerVariants,
];

export const variantsOn = (base: BaseName): readonly Variant[] =>
  variants.filter(({ on = base }) => on === base);
