/** Who can be named as a recipient, and with which properties. */

import fc from 'fast-check';
import { isObject } from '../../../spec/base/json.ts';

const tenant = '{recipients.embedUsers[0].embedTenantName}';

export type PersonKind = 'console' | 'shaped' | 'shaped with email' | 'plain' | 'bulk';

export interface Person {
  readonly key: string;
  readonly kind: PersonKind;
  /** How the person is named; of `plain` without an email. */
  readonly names: Readonly<Record<string, unknown>>;
  /** Sent beside the names. */
  readonly email?: string;
}

/** An embed user whose externalId is shaped like an email. */
export const shaped = (key: string, embedTenantName = tenant): Person => ({
  key,
  kind: 'shaped',
  names: { embedTenantName, externalId: `${key}-{run.id}@example.com` },
});

const plain = (key: string): Person => ({
  key,
  kind: 'plain',
  names: { embedTenantName: tenant, externalId: `${key}-{run.id}` },
  email: `${key}-{run.id}@example.com`,
});

export const people: readonly Person[] = [
  ...['ada', 'bo', 'cy'].map((key) => shaped(key)),
  ...['dee', 'eli', 'gus'].map(plain),
  { ...shaped('flo'), kind: 'shaped with email', email: 'flo-elsewhere-{run.id}@example.com' },
];

/** The console users that the tenant file binds. */
export function consolePeople(bound: unknown): Person[] {
  const list = Array.isArray(bound) ? bound.filter(isObject) : [];
  return list.map((user, index): Person => {
    const fields = ['userId', 'email'].filter((field) => user[field] !== undefined);
    const names = fields.map((field) => [field, `{recipients.users[${index}].${field}}`]);
    return { key: `user ${index}`, kind: 'console', names: Object.fromEntries(names) };
  });
}

/** One of a crowd. */
export const bulk = (index: number): Person => shaped(`many${index}`);

// ── properties ──────────────────────────────────────────────────────────────────

/** Values of each property, near to one another. */
export const pools = {
  securityContext: [
    { tenant_id: 42, region: { area: 'north', zones: [1, 2] } },
    { tenant_id: '42', region: { area: 'north', zones: [1, 2] } },
    { tenant_id: 42, region: { area: 'north', zones: [1, 3] } },
    { tenant_id: 42 },
  ],
  userAttributes: [
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
  ],
  groups: [['analysts', 'managers'], ['analysts', 'readers'], ['analysts']],
} as const;

export type Property = keyof typeof pools;
export const properties: readonly Property[] = ['securityContext', 'userAttributes', 'groups'];

/** Whom a call names and how; indices into the pools, undefined where a property is not sent. */
export interface Pick extends Readonly<Record<Property, number | undefined>> {
  readonly person: number;
  /** Whether the email that goes with a name is sent. */
  readonly withEmail: boolean;
}

export const picks = (persons: number, least: number, most: number): fc.Arbitrary<Pick[]> => {
  const one = (property: Property) =>
    fc.option(fc.nat(pools[property].length - 1), { nil: undefined, freq: 12 });
  const pick = fc.record({
    person: fc.nat(persons - 1),
    securityContext: one('securityContext'),
    userAttributes: one('userAttributes'),
    groups: one('groups'),
    withEmail: fc.constantFrom(true, true, false),
  });
  return fc.uniqueArray(pick, {
    minLength: least,
    maxLength: most,
    selector: ({ person }) => person,
  });
};
