/**
 * The groups of operations that a statement may name instead of operations. A new operation belongs
 * to those that what it says of itself puts it in.
 */
import type { OperationData } from './contract-data.ts';

type Classified = Pick<OperationData, 'effect' | 'parameters' | 'requires'>;

export const groups: Readonly<Record<string, (operation: Classified) => boolean>> = {
  all: () => true,
  management: ({ requires }) => requires.surface === 'management',
  build: ({ requires }) => requires.surface === 'build',
  scim: ({ requires }) => requires.surface === 'scim',
  /** Of the management and build API. */
  console: ({ requires }) => requires.surface !== 'scim',
  noEmbed: ({ requires }) => requires.surface !== 'scim' && !requires.credentials.includes('embed'),
  deployment: ({ requires }) => requires.deployment !== undefined,
  reads: ({ effect }) => effect === 'none',
  writes: ({ effect }) => effect !== 'none',
  query: ({ parameters }) => parameters.some((item) => item.in === 'query'),
  pages: ({ parameters }) =>
    parameters.some((item) => item.in === 'query' && item.name === 'limit'),
};
