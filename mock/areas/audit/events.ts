/** What the audit log records of the service's own side. */
import type { EventTypes } from '../../world/world.ts';

export const events = {
  login: {
    fields: ['userEmail'],
    happen(world, fields) {
      const userEmail = fields.text('userEmail');
      world.audit({ name: 'Login', userEmail, deploymentId: '', details: 'password' });
      return { userEmail };
    },
  },
} satisfies EventTypes;
