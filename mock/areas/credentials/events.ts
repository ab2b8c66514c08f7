/** Events that end credentials on the service's side. */
import { insteadOf } from '../../../spec/base/similar.ts';
import { EventError } from '../../world/service-event.ts';
import type { EventTypesOf } from '../../world/world.ts';

/** The fields of each type of event, as a caller writes them. */
export interface Fields {
  readonly revokeCredential: { readonly credential: string };
  readonly expireCredential: { readonly credential: string };
}

export const events = {
  revokeCredential: ending('revoked'),
  expireCredential: ending('expired'),
} satisfies EventTypesOf<Fields>;

function ending(state: 'revoked' | 'expired'): EventTypesOf<Fields>['expireCredential'] {
  return {
    fields: ['credential'],
    happen(world, fields) {
      const given = fields.text('credential');
      const name = given.startsWith(`${world.id}-`) ? given.slice(world.id.length + 1) : given;
      const { credentials } = world.state.tables;
      const row = credentials.get(name);
      if (row === undefined) {
        const known = credentials.rows().map((one) => one.name);
        throw new EventError(`there is no credential ${name}${insteadOf(name, known)}`);
      }
      credentials.put(name, { ...row, state });
      return { credential: name };
    },
  };
}
