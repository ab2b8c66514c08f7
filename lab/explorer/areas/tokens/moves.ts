/** Metadata tokens of one lifetime and another, each with a context of its own. */

import fc from 'fast-check';
import { type ExploredArea, moveKind } from '../../move.ts';
import type { Session } from '../../session.ts';

/** `life`: seconds; undefined for those that the service grants where none are sent. */
async function make(session: Session, life: number | undefined): Promise<void> {
  const security_context = { lockstep: `{run.id} ${session.entries.length}` };
  const times = { secondsBetween: ['{body.data.created_at}', '{body.data.expires_at}'] };
  const seconds = life ?? 86_400;
  const checks = {
    'META-1': 200,
    [life === undefined ? 'META-4' : 'META-5']: {
      that: { value: times, is: { $min: seconds - 1, $max: seconds + 1 } },
    },
    'META-7': { jwt: { token: '{body.data.token}', payload: { $anywhere: security_context } } },
  };
  const body = { security_context, ...(life !== undefined && { expires_in: life }) };
  await session.call({ call: 'createMetaSyncToken', body, checks });
}

const needs = ['admin', 'deployment.id', 'environment.id'];
const life = fc.constantFrom(undefined, 3600);

export const tokens: ExploredArea = {
  moves: () => [moveKind('make a token', 4, { needs, effect: 'reversible' }, life, make)],
};
