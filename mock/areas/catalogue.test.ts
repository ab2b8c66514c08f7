/** Every hand-written deviation is named after its area, and breaks what a client can see. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { byArea } from './catalogue.ts';

for (const [area, deviations] of Object.entries(byArea)) {
  describe(area, () => {
    test('breaks what can be seen', () => {
      for (const { id, breaks, collateral = [], operations } of deviations) {
        // `<area>:<name>`, or a name like those that follow from the contract, with the operation.
        const [operation = ''] = operations;
        expect(id).toMatch(new RegExp(`^(${area}:[a-z0-9-]+|[a-z-]+:${operation}(:[a-z-]+)?)$`));
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
