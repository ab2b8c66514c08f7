/** Metadata tokens: their lifetime, and the context that they carry. */

import fc from 'fast-check';
import { type ExploredArea, moveKind } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

const call = 'createMetaSyncToken' as const;
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

export const tokens: ExploredArea = {
  moves: ({ actors }) => [
    moveKind(
      {
        kind: 'make a token',
        weight: 4,
        needs: ['admin', 'deployment.id', 'environment.id'],
        effect: 'reversible',
      },
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
