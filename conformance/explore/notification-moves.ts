/** One person at two notifications, and one externalId in two embed tenants. */

import fc from 'fast-check';
import { isObject } from '../../spec/base/json.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import { type Person, shaped } from './recipient-item.ts';
import { judgeLists, type Sent } from './recipient-judge.ts';
import type { Session } from './session.ts';

const call = 'addNotificationRecipients' as const;
/** Sent without properties, so that only who is subscribed where can differ. */
const people: readonly Person[] = ['hal', 'ina', 'jo', 'kim', 'lee'].map(shaped);
const here = { deploymentId: '{deployment.numericId}', id: '{notification.id}' };
const there = { deploymentId: '{otherDeployment.numericId}', id: '{foreignNotification.id}' };

interface Wish {
  readonly person: number;
  readonly actor: string;
  /** Whether a key that is scoped elsewhere tries before. */
  readonly scoped: boolean;
  /** Where the person is added, in this order; true: at the other notification. */
  readonly elsewhere: readonly boolean[];
}

async function addToBoth(session: Session, wish: Wish): Promise<void> {
  const person = people[wish.person];
  if (person === undefined) return;
  if (wish.scoped) await add(session, person, 'scoped', true);
  for (const elsewhere of wish.elsewhere) await add(session, person, wish.actor, elsewhere);
}

async function add(
  session: Session,
  person: Person,
  actor: string,
  elsewhere: boolean,
): Promise<void> {
  const belief = session.model.recipient(person.key + (elsewhere ? ' elsewhere' : ''), true);
  const properties = { securityContext: undefined, userAttributes: undefined, groups: undefined };
  const sent: Sent = { person, belief, item: person.names, properties, email: undefined };
  const state = belief.subscribed === true ? 'subscribed' : 'absent';
  session.coverage.enter('recipient', state, elsewhere ? 'elsewhere as well' : 'here as well');
  const entry = await session.call({
    as: actor,
    call,
    path: elsewhere ? there : here,
    body: { recipients: [person.names] },
  });
  if (elsewhere && actor === 'scoped') {
    session.expectStatus(entry, 'AUTH-8', 403, 'the key is scoped elsewhere');
    if (belief.subscribed !== true) belief.refused = 'RECIP-17';
    return;
  }
  const statement = accessStatement(actor, entry.answer.status, 'RECIP-18');
  session.expectStatus(entry, statement, 200, 'an externalId like an email resolves');
  judgeLists(session, entry, [sent]);
}

interface Name {
  readonly name: string;
  /** Index of the embed user of the bindings whose tenant it is. */
  readonly tenant: number;
}

/** The same externalId in another embed tenant is somebody else. */
async function addInTenant(session: Session, { name, tenant }: Name): Promise<void> {
  const names = {
    embedTenantName: `{recipients.embedUsers[${tenant}].embedTenantName}`,
    externalId: `${name}-{run.id}@example.com`,
  };
  const person: Person = { key: `${name} of tenant ${tenant}`, kind: 'shaped', names, fresh: true };
  const belief = session.model.recipient(person.key, true);
  const properties = { securityContext: undefined, userAttributes: undefined, groups: undefined };
  const sent: Sent = { person, belief, item: names, properties, email: undefined };
  const body = { recipients: [names] };
  const entry = await session.call({ as: 'admin', call, path: here, body });
  session.expectStatus(entry, 'RECIP-18', 200, 'an externalId like an email resolves');
  judgeLists(session, entry, [sent]);
}

/** An index of an embed user for each embed tenant that is bound. */
function tenantsOf({ bindings }: Setting['target']): number[] {
  const bound = bindings.recipients?.embedUsers;
  const names = (Array.isArray(bound) ? bound : []).map((user: unknown) =>
    isObject(user) ? user.embedTenantName : undefined,
  );
  return names.flatMap((name, index) => (names.indexOf(name) === index ? [index] : []));
}

export function notificationMoves({ target, principals }: Setting): MoveKind[] {
  const tenants = tenantsOf(target);
  const actors = principals.filter((name) => name !== 'scoped');
  const scoped = target.credentials.has('scoped') ? fc.boolean() : fc.constant(false);
  return [
    moveKind(
      {
        kind: 'add to two notifications',
        weight: 4,
        needs: [
          'admin',
          'deployment.numericId',
          'notification.id',
          'otherDeployment.numericId',
          'foreignNotification.id',
          'recipients.embedUsers',
        ],
        effect: 'permanent',
      },
      fc.record({
        person: fc.nat(people.length - 1),
        actor: fc.constantFrom('admin', ...actors),
        scoped,
        elsewhere: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      }),
      addToBoth,
    ),
    ...(tenants.length < 2
      ? []
      : [
          moveKind(
            {
              kind: 'add one name in two embed tenants',
              weight: 2.5,
              needs: ['admin', 'deployment.numericId', 'notification.id'],
              effect: 'permanent',
            },
            fc.record({
              name: fc.constantFrom('mo', 'ned', 'oz'),
              order: fc.shuffledSubarray(tenants, { minLength: 1 }),
            }),
            async (session, { name, order }) => {
              for (const tenant of order) await addInTenant(session, { name, tenant });
            },
          ),
        ]),
  ];
}
