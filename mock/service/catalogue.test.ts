/** Every hand-written deviation is named after its area, and breaks what a client can see. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { audit } from '../areas/audit/deviations.ts';
import { credentials } from '../areas/credentials/deviations.ts';
import { dbt } from '../areas/dbt/deviations.ts';
import { folders } from '../areas/folders/deviations.ts';
import { lists } from '../areas/lists/deviations.ts';
import { recipients } from '../areas/recipients/deviations.ts';
import { scim } from '../areas/scim/deviations.ts';
import { staging } from '../areas/staging/deviations.ts';
import { tokens } from '../areas/tokens/deviations.ts';
import { versions } from '../areas/versions/deviations.ts';

const byArea = {
  credentials,
  lists,
  staging,
  versions,
  tokens,
  folders,
  recipients,
  audit,
  dbt,
  scim,
};

for (const [area, deviations] of Object.entries(byArea)) {
  describe(area, () => {
    test('breaks what can be seen', () => {
      for (const { id, breaks, collateral = [] } of deviations) {
        expect(id).toMatch(new RegExp(`^${area}:[a-z0-9-]+$`));
        expect(breaks.length, id).toBeGreaterThan(0);
        for (const statement of [...breaks, ...collateral]) {
          const found = contract.statements.get(statement);
          expect(found?.level, `${id}: ${statement}`).toMatch(/^(documented|standard)$/);
          expect(found?.unobservable, `${id}: ${statement}`).toBeUndefined();
        }
        expect(
          collateral.filter((statement) => breaks.includes(statement)),
          id,
        ).toEqual([]);
      }
    });
  });
}

test('ids and sentences are unique', () => {
  const all = Object.values(byArea).flat();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
});
