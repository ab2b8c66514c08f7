/** What a walk that plays scenarios may add recipients to. */

import type { ExploredArea } from '../../explore/move.ts';

export const recipients: ExploredArea = {
  holders: { id: ['notification', 'foreignNotification'] },
};
