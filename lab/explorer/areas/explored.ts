/** What the explorer is told of the areas. */

import type { ExploredArea } from '../move.ts';
import { dbt } from './dbt/moves.ts';
import { folders } from './folders/moves.ts';
import { lists } from './lists/walks.ts';
import { scim } from './scim/walks.ts';
import { staging } from './staging/moves.ts';
import { tokens } from './tokens/moves.ts';
import { versions } from './versions/moves.ts';

export const exploredAreas: readonly ExploredArea[] = [
  staging,
  versions,
  folders,
  dbt,
  tokens,
  lists,
  scim,
];
