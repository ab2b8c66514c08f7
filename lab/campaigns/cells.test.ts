import { expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { cells, outOfReach } from '../../mock/areas/testing/cells.ts';
import { createService } from '../../mock/kits/index.ts';
import { runOn } from '../exam/suite-run.ts';

test('the suite enters every cell of the machines that a call can enter', async () => {
  const service = await createService();
  let entered: ReadonlySet<string> = new Set();
  await runOn(service, loadOwnSuite(), {
    prepare: (world) => {
      entered = world.entered;
    },
  });
  const never = cells.filter((cell) => !entered.has(cell) && outOfReach[cell] === undefined);
  expect(never).toEqual([]);
  expect([...entered].filter((cell) => !cells.includes(cell))).toEqual([]);
});
