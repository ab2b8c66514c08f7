/** Events of the audit log that the service causes itself. */
import type { EventTypesOf } from '../../world/world.ts';

/** The fields of each type of event, as a caller writes them. */
export interface Fields {
  readonly login: { readonly userEmail: string };
}

export const events = {
  login: {
    fields: ['userEmail'],
    happen(world, fields) {
      const userEmail = fields.text('userEmail');
      world.audit({ name: 'Login', userEmail, deploymentId: '', details: 'password' });
      return { userEmail };
    },
  },
} satisfies EventTypesOf<Fields>;
