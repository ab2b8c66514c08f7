import type { Call } from '../../pipeline/call.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { signMetadataToken } from '../../pipeline/sign.ts';
import { fitsTimestamp } from '../../world/clock.ts';
import type { EnvironmentRow } from '../../world/rows.ts';

const DEFAULT_LIFETIME_S = 86_400;
/** The longest lifetime that a choice of META-12 serves. */
const longest: Readonly<Record<string, number>> = { refused: 30 * 86_400, hour: 3600 };
const LOWERED_TO_S = 30 * 86_400;

export const createMetaSyncToken: Handler<'createMetaSyncToken', EnvironmentRow> = {
  validate(call) {
    const { security_context: context, expires_in: lifetime } = call.input;
    if (Object.keys(context).length === 0 && call.assume('META-17') === 'refused') {
      return call.invalidBody('security_context must not be empty', '/security_context', 'META-17');
    }
    // A fixture may have ids that are not numbers.
    const isThere = call.world.state.tables.environments.has(String(call.path.environment_id));
    const unfit = isThere ? undefined : call.refuseText('environment_id', 'every-number');
    if (unfit !== undefined || lifetime === undefined) return unfit;
    const refuse = (problem: string, silence?: string) =>
      call.invalidBody(`expires_in ${problem}`, '/expires_in', silence);
    if (lifetime <= 0 && call.assume('META-13') === 'refused') {
      return refuse(`must be above 0, not ${lifetime}`, 'META-13');
    }
    if (lifetime > 0 && !Number.isInteger(lifetime) && call.assume('META-20') === 'refused') {
      return refuse(`must be a whole number of seconds, not ${lifetime}`, 'META-20');
    }
    const most = lifetime > 3600 ? longest[call.assume('META-12')] : undefined;
    if (most !== undefined && lifetime > most) {
      return refuse(`must not be above ${most}, as ${lifetime} is`, 'META-12');
    }
    return fitsTimestamp(call.world.clock.now() + lifetime * 1000)
      ? undefined
      : refuse('lies beyond what a timestamp can hold');
  },
  find(call) {
    const { environment_id: id, deployment_id: deployment } = call.path;
    const row = call.world.state.tables.environments.get(id);
    const isThere = row?.deploymentId === deployment;
    if (isThere && (isListed(call, row) || call.assume('META-19') === 'accepted')) return row;
    return call.refuseAssumed('META-15', `Deployment ${deployment} has no environment ${id}`);
  },
  handle(call) {
    const { world } = call;
    const { deployment_id: deploymentId, environment_id: environmentId } = call.path;
    const { security_context: context, expires_in: sent } = call.input;
    let lifetime = sent === undefined || sent <= 0 ? DEFAULT_LIFETIME_S : sent;
    if (call.choice('META-20') === 'cut') lifetime = Math.floor(lifetime);
    if (call.choice('META-12') === 'cap') lifetime = Math.min(lifetime, LOWERED_TO_S);
    const createdAt = world.clock.now();
    const expiresAt = Math.round(createdAt + lifetime * 1000);
    const claim = call.assume('META-11');
    call.audit('MetadataTokenCreated', deploymentId, `environment ${environmentId}`);
    const [place] = call.details('META-11');
    const minted = { context, claim, place, createdAt, expiresAt, environmentId };
    const token = signMetadataToken(world, minted);
    return call.reply(200, {
      data: {
        token,
        created_at: isoTime(call, createdAt),
        expires_at: isoTime(call, expiresAt),
      },
    });
  },
};

/** A time in the form that SVC-20 chooses. */
function isoTime(call: Call, at: number): string {
  const text = new Date(at).toISOString();
  const end = { seconds: 'Z', offset: '+00:00' }[call.choice('SVC-20')];
  return end === undefined ? text : text.slice(0, -'.000Z'.length) + end;
}

/** The staging environment of a branch is listed only while it is enabled. */
function isListed({ world }: Call, { type, branchId }: EnvironmentRow): boolean {
  const branch = branchId === null ? undefined : world.state.tables.branches.get(branchId);
  return type !== 'staging' || branch?.stagingEnabled !== false;
}
