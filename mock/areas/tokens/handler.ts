import type { Binding } from '../../pipeline/binding.ts';
import { signMetadataToken } from '../../pipeline/sign.ts';
import { fitsTimestamp } from '../../world/clock.ts';
import type { EnvironmentRow } from '../../world/rows.ts';

const DEFAULT_LIFETIME_S = 86_400;
const LONGEST_LIFETIME_S = 30 * 86_400;

export const createMetaSyncToken: Binding<'createMetaSyncToken', EnvironmentRow> = {
  validate(call) {
    const { security_context: context, expires_in: lifetime } = call.input;
    if (Object.keys(context).length === 0 && call.assume('META-17') === 'refused') {
      return call.invalidBody('security_context must not be empty', '/security_context', 'META-17');
    }
    if (lifetime === undefined) return undefined;
    if (lifetime <= 0 && call.assume('META-13') === 'refused') {
      return call.invalidBody(
        `expires_in must be above 0, not ${lifetime}`,
        '/expires_in',
        'META-13',
      );
    }
    if (lifetime > LONGEST_LIFETIME_S && call.assume('META-12') === 'refused') {
      return call.invalidBody(
        `expires_in must not be above ${LONGEST_LIFETIME_S}, as ${lifetime} is`,
        '/expires_in',
        'META-12',
      );
    }
    if (!fitsTimestamp(call.world.clock.now() + lifetime * 1000)) {
      return call.invalidBody('expires_in lies beyond what a timestamp can hold', '/expires_in');
    }
    return undefined;
  },
  find(call) {
    const row = call.world.state.tables.environments.get(call.path.environment_id);
    if (row !== undefined && row.deploymentId === call.path.deployment_id) return row;
    const { environment_id: id, deployment_id: deployment } = call.path;
    return call.refuseAssumed('META-15', `Deployment ${deployment} has no environment ${id}`);
  },
  async handle(call) {
    const { world } = call;
    const { security_context: context, expires_in: sent } = call.input;
    let lifetime = sent === undefined || sent <= 0 ? DEFAULT_LIFETIME_S : sent;
    if (call.peek('META-12') === 'cap') lifetime = Math.min(lifetime, LONGEST_LIFETIME_S);
    const createdAt = world.clock.now();
    const expiresAt = Math.round(createdAt + lifetime * 1000);
    const claim = call.assume('META-11');
    call.audit(
      'MetadataTokenCreated',
      call.path.deployment_id,
      `environment ${call.path.environment_id}`,
    );
    const token = await signMetadataToken(world, {
      context,
      claim,
      createdAt,
      expiresAt,
      environmentId: call.path.environment_id,
    });
    return call.reply(200, {
      data: {
        token,
        created_at: new Date(createdAt).toISOString(),
        expires_at: new Date(expiresAt).toISOString(),
      },
    });
  },
};
