import type { CoverageTables } from '../../explore/coverage.ts';

const switches = ['enable by name', 'enable by id', 'disable by name', 'disable by id'];

/** One table for each kind of branch. */
export const tables: CoverageTables = {
  'staging/shared': {
    states: ['unknown', 'disabled', 'enabled'],
    events: [
      ...switches,
      'without branch',
      'without enabled',
      'in another deployment',
      'without authorisation',
      'listed',
      'listed by type',
    ],
  },
  'staging/personal': { states: ['disabled'], events: switches },
  'staging/production': { states: ['disabled'], events: switches },
  'staging/missing': { states: ['absent'], events: ['enable by name'] },
};
