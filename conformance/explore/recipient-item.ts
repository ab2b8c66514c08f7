/** Who can be named as a recipient, and with which properties. */

import fc from 'fast-check';
import type { Properties } from './model.ts';

const tenant = '{recipients.embedUsers[0].embedTenantName}';

export type PersonKind = 'console' | 'shaped' | 'shaped with email' | 'plain' | 'bulk';

export interface Person {
  readonly key: string;
  readonly kind: PersonKind;
  /** How the person is named; of `plain` without an email. */
  readonly names: Readonly<Record<string, unknown>>;
  /** Sent beside the names. */
  readonly email?: string;
  /** Nobody can have subscribed or made this person before the walk. */
  readonly fresh: boolean;
}

export const shaped = (key: string): Person => ({
  key,
  kind: 'shaped',
  names: { embedTenantName: tenant, externalId: `${key}-{run.id}@example.com` },
  fresh: true,
});

const plain = (key: string): Person => ({
  key,
  kind: 'plain',
  names: { embedTenantName: tenant, externalId: `${key}-{run.id}` },
  email: `${key}-{run.id}@example.com`,
  fresh: true,
});

export const people: readonly Person[] = [
  shaped('ada'),
  shaped('bo'),
  shaped('cy'),
  plain('dee'),
  plain('eli'),
  plain('gus'),
  {
    ...shaped('flo'),
    kind: 'shaped with email',
    email: 'flo-elsewhere-{run.id}@example.com',
  },
];

export function consolePeople(bound: unknown): Person[] {
  const list = Array.isArray(bound) ? bound : [];
  return list.map((item: unknown, index): Person => {
    const names: Record<string, unknown> = {};
    for (const field of ['userId', 'email'] as const) {
      if ((item as Record<string, unknown>)[field] !== undefined) {
        names[field] = `{recipients.users[${index}].${field}}`;
      }
    }
    return { key: `user ${index}`, kind: 'console', names, fresh: false };
  });
}

export const bulk = (index: number): Person => shaped(`many${index}`);

const contexts = [
  { tenant_id: 42, region: { area: 'north', zones: [1, 2] } },
  { tenant_id: '42', region: { area: 'north', zones: [1, 2] } },
  { tenant_id: 42, region: { area: 'north', zones: [1, 3] } },
  { tenant_id: 42 },
];
const attributes = [
  [
    { name: 'team', value: 'blue' },
    { name: 'tier', value: 'gold' },
  ],
  [
    { name: 'team', value: 'red' },
    { name: 'tier', value: 'gold' },
  ],
  // A part of both others.
  [{ name: 'tier', value: 'gold' }],
];
const groups = [['analysts', 'managers'], ['analysts', 'readers'], ['analysts']];

export const poolSizes = {
  context: contexts.length,
  attributes: attributes.length,
  groups: groups.length,
} as const;

/** Indices into the pools; undefined: the property is not sent. */
export interface Choice {
  readonly person: number;
  readonly context: number | undefined;
  readonly attributes: number | undefined;
  readonly groups: number | undefined;
  /** Whether the email that goes with a name is sent. */
  readonly withEmail: boolean;
}

export const choice = (persons: number): fc.Arbitrary<Choice> => {
  const one = (size: number) => fc.option(fc.nat(size - 1), { nil: undefined, freq: 12 });
  return fc.record({
    person: fc.nat(persons - 1),
    context: one(contexts.length),
    attributes: one(attributes.length),
    groups: one(groups.length),
    withEmail: fc.constantFrom(true, true, false),
  });
};

export function propertiesOf(pick: Choice): Properties {
  const of = <Item>(list: readonly Item[], index: number | undefined): Item | undefined =>
    index === undefined ? undefined : list[index];
  return {
    securityContext: of(contexts, pick.context),
    userAttributes: of(attributes, pick.attributes),
    groups: of(groups, pick.groups),
  };
}
