/** Metadata tokens: their lifetime, and the context that they carry. */

import fc from 'fast-check';
import { type ExploredArea, moveKind } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

const call = 'createMetaSyncToken' as const;
const needs = ['admin', 'deployment.id', 'environment.id'];
const path = { deployment_id: '{deployment.id}', environment_id: '{environment.id}' };

/** Contexts of which a careless service would lose or change something. */
const contexts: readonly Readonly<Record<string, unknown>>[] = [
  { lockstep: '{run.id}', tenant_id: 42, region: { area: 'North', zones: [1, 2, 3] } },
  { lockstep: '{run.id}', Name: 'Größe Über', active: true, count: 0, note: '', nothing: null },
  { lockstep: '{run.id}', postcode: '01234', digits: '42', retired: false, roles: ['a', 'b'] },
  { lockstep: '{run.id}' },
];

interface Mint {
  readonly actor: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly lifetime: number | undefined;
}

async function mint(session: Session, { actor, context, lifetime }: Mint): Promise<void> {
  const body = { security_context: context, ...(lifetime && { expires_in: lifetime }) };
  const seconds = lifetime ?? 86_400;
  const times = { secondsBetween: ['{body.data.created_at}', '{body.data.expires_at}'] };
  const token = '{body.data.token}';
  const exp = { $sameTime: { as: '{body.data.expires_at}', within: '2s' } };
  const checks = {
    'META-1': { status: 200 },
    [lifetime === undefined ? 'META-4' : 'META-5']: {
      that: { value: times, is: { $min: seconds - 2, $max: seconds + 2 } },
    },
    'META-7': { jwt: { token, payload: { $anywhere: { $equals: context } } } },
    'META-14': {
      jwt: { token, payload: { exp: { $type: 'integer', $below: 100_000_000_000, ...exp } } },
      only: { jwt: { token, payload: { exp: { $present: true } } } },
    },
  };
  await session.call({ as: actor, call, path, body }, { checks });
}

const own = { deployment_id: '{deployment.id}' };
const doors = [
  { call: 'listDeployments' },
  { call: 'listEnvironments', path: own },
  { call: 'listVersions', path: own },
  { call: 'listBranches', path: own },
  { call: 'listScimUsers' },
] as const;

/** A metadata token opens nothing of this API, however often it is tried. */
async function knock(session: Session, tried: readonly (typeof doors)[number][]): Promise<void> {
  const body = { security_context: contexts[0], expires_in: 600 };
  const { id } = await session.call({ as: 'admin', call, path, body });
  const as = { header: `Bearer {steps.${id}.body.data.token}` };
  const checks = { 'META-8': { status: [400, 401, 403, 404] } };
  for (const door of tried) await session.call({ ...door, as }, { checks });
}

export const tokens: ExploredArea = {
  moves: ({ actors }) => [
    moveKind(
      { kind: 'use a token', weight: 3, needs, effect: 'reversible' },
      fc.array(fc.constantFrom(...doors), { minLength: 1, maxLength: 4 }),
      knock,
    ),
    moveKind(
      { kind: 'make a token', weight: 3, needs, effect: 'reversible' },
      fc.record({
        actor: fc.constantFrom('admin', ...actors(call, 'allowed')),
        context: fc.constantFrom(...contexts),
        lifetime: fc.constantFrom(undefined, undefined, 60, 90, 600, 5400, 86_400, 172_800),
      }),
      mint,
    ),
  ],
  holders: {
    deployment_id: ['deployment', 'otherDeployment'],
    environment_id: ['environment'],
  },
};
