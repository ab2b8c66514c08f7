/** What the explorer is told of the areas. */

import type { ExploredArea } from '../explore/move.ts';
import { folders } from './folders/moves.ts';
import { lists } from './lists/moves.ts';
import { recipients } from './recipients/moves.ts';
import { scim } from './scim/moves.ts';
import { staging } from './staging/moves.ts';
import { tokens } from './tokens/moves.ts';
import { versions } from './versions/moves.ts';

export const exploredAreas: readonly ExploredArea[] = [
  staging,
  versions,
  folders,
  recipients,
  lists,
  tokens,
  scim,
];
