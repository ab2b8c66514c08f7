/** Events of versions on the service's side. */
import { insteadOf } from '../../../spec/base/similar.ts';
import { compareVersions } from '../../world/rows.ts';
import { EventError } from '../../world/service-event.ts';
import type { EventTypesOf } from '../../world/world.ts';

/** The fields of each type of event, as a caller writes them. */
export interface Fields {
  readonly publishVersion: {
    readonly channel: string;
    readonly version: string;
    readonly newChannel?: boolean;
  };
}

export const events = {
  publishVersion: {
    fields: ['channel', 'version', 'newChannel'],
    happen(world, fields) {
      const channel = fields.text('channel');
      const version = fields.text('version');
      if (!/^\d+\.\d+\.\d+$/.test(version)) throw new EventError('version must look like 1.2.3');
      const { channels } = world.state.tables;
      const head = channels.get(channel)?.head;
      if (head === undefined && !fields.flag('newChannel')) {
        const names = channels.rows().map(({ name }) => name);
        throw new EventError(
          `there is no channel ${channel}${insteadOf(channel, names)}; newChannel: true opens another`,
        );
      }
      if (head !== undefined && compareVersions(version, head) <= 0) {
        throw new EventError(`version must be above ${head}, the head of ${channel}`);
      }
      channels.put(channel, { name: channel, head: version });
      return { channel, version };
    },
  },
} satisfies EventTypesOf<Fields>;
