/** What a walk that plays scenarios may make metadata tokens for. */

import type { ExploredArea } from '../../explore/move.ts';

export const tokens: ExploredArea = {
  holders: { environment_id: ['environment'] },
};
