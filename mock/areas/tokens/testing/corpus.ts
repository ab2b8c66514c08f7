import { type CorpusEntry, post } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const tokens = `${one}/environments/201/tokens-for-meta-sync`;
const context = { security_context: { tenant: 1 } };

export const corpus: readonly CorpusEntry[] = [
  { name: 'metadata token', send: post(tokens, context) },
  { name: 'metadata token for a year', send: post(tokens, { ...context, expires_in: 31_536_000 }) },
  { name: 'metadata token for a day', send: post(tokens, { ...context, expires_in: 86_400 }) },
  {
    name: 'metadata token whose context has a claim of the token',
    send: post(tokens, { security_context: { exp: 1, tenant: 1 } }),
  },
  { name: 'metadata token for no time', send: post(tokens, { ...context, expires_in: 0 }) },
  {
    name: 'metadata token for a part of a second',
    send: post(tokens, { ...context, expires_in: 90.5 }),
  },
  {
    name: 'metadata token of an environment that is not listed',
    send: post(`${one}/environments/202/tokens-for-meta-sync`, context),
  },
  { name: 'metadata token with an empty context', send: post(tokens, { security_context: {} }) },
  { name: 'metadata token without a context', send: post(tokens, {}) },
  {
    name: 'metadata token of no environment',
    send: post(`${one}/environments/999/tokens-for-meta-sync`, context),
  },
  {
    name: 'metadata token of an environment whose id is not a number',
    send: post(`${one}/environments/production/tokens-for-meta-sync`, context),
  },
];
