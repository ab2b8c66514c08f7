/** One person at two notifications, and one externalId in two embed tenants. */

import fc from 'fast-check';
import { isObject } from '../../../spec/base/json.ts';
import { type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import { call, here, send } from './add.ts';
import { sentOf, stateOf } from './belief.ts';
import { judgeLists } from './judge.ts';
import { type Person, shaped } from './person.ts';

/** Sent without properties, so that only who is subscribed where can differ. */
const people = ['hal', 'ina', 'jo', 'kim', 'lee'].map((key) => shaped(key));
const there = { deploymentId: '{otherDeployment.numericId}', id: '{foreignNotification.id}' };

const served = {
  'RECIP-18': { status: 200, because: 'an externalId like an email resolves' },
};

interface Wish {
  readonly person: Person;
  readonly actor: string;
  /** Whether a key that is scoped elsewhere tries before. */
  readonly scoped: boolean;
  /** Where the person is added, in this order; true: at the other notification. */
  readonly elsewhere: readonly boolean[];
}

async function addToBoth(session: Session, wish: Wish): Promise<void> {
  const { person, actor, scoped } = wish;
  if (scoped) {
    const { item, belief } = sentOf(session, person, undefined, true);
    await send(session, 'scoped', [item], { 'AUTH-8': { status: 403 } }, there);
    if (belief.subscribed !== true) belief.refused = 'RECIP-17';
  }
  for (const elsewhere of wish.elsewhere) {
    const sent = sentOf(session, person, undefined, elsewhere);
    const event = elsewhere ? 'elsewhere as well' : 'here as well';
    session.coverage.enter('recipient', stateOf(sent), event);
    const entry = await send(session, actor, [sent.item], served, elsewhere ? there : here);
    judgeLists(session, entry, [sent]);
  }
}

interface Name {
  readonly name: string;
  /** Indices of the embed users of the bindings whose tenants they are. */
  readonly order: readonly number[];
}

/** The same externalId in another embed tenant is somebody else. */
async function addInTenants(session: Session, { name, order }: Name): Promise<void> {
  for (const tenant of order) {
    const person = shaped(name, `{recipients.embedUsers[${tenant}].embedTenantName}`);
    const sent = sentOf(session, { ...person, key: `${name} of tenant ${tenant}` });
    const entry = await send(session, 'admin', [sent.item], served);
    judgeLists(session, entry, [sent]);
  }
}

/** An index of an embed user for each embed tenant that is bound. */
function tenantsOf({ bindings }: Setting['target']): number[] {
  const bound = bindings.recipients?.embedUsers;
  const names = (Array.isArray(bound) ? bound : []).map((user: unknown) =>
    isObject(user) ? user.embedTenantName : undefined,
  );
  return names.flatMap((name, index) => (names.indexOf(name) === index ? [index] : []));
}

export function placeMoves({ target, actors }: Setting): MoveKind[] {
  const needs = ['admin', 'deployment.numericId', 'notification.id'];
  const both = ['otherDeployment.numericId', 'foreignNotification.id', 'recipients.embedUsers'];
  const effect = 'permanent';
  const admins = actors(call, 'allowed').filter((name) => name !== 'scoped');
  const tenants = tenantsOf(target);
  const twoNotifications = moveKind(
    { kind: 'add to two notifications', weight: 4, needs: [...needs, ...both], effect },
    fc.record({
      person: fc.constantFrom(...people),
      actor: fc.constantFrom('admin', ...admins),
      scoped: target.credentials.has('scoped') ? fc.boolean() : fc.constant(false),
      elsewhere: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    }),
    addToBoth,
  );
  if (tenants.length < 2) return [twoNotifications];
  const twoTenants = moveKind(
    { kind: 'add one name in two embed tenants', weight: 2.5, needs, effect },
    fc.record({
      name: fc.constantFrom('mo', 'ned', 'oz'),
      order: fc.shuffledSubarray(tenants, { minLength: 1 }),
    }),
    addInTenants,
  );
  return [twoNotifications, twoTenants];
}
