import { expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import * as dbt from '../../mock/areas/dbt/machine.ts';
import { cells as folders } from '../../mock/areas/folders/machine.ts';
import { cells as recipients } from '../../mock/areas/recipients/machine.ts';
import { cells as staging } from '../../mock/areas/staging/machine.ts';
import { cells as versions } from '../../mock/areas/versions/machine.ts';
import { createService } from '../../mock/kits/index.ts';
import { runOn } from '../exam/suite-run.ts';

/** Every cell (state and event) of the machines. Operations record the cells that they enter. */
const cells: readonly string[] = [...staging, ...dbt.cells, ...versions, ...folders, ...recipients];

test('the suite enters every cell that a call can enter', async () => {
  const service = await createService();
  let entered: ReadonlySet<string> = new Set();
  await runOn(service, loadOwnSuite(), {
    prepare: (world) => {
      entered = world.entered;
    },
  });
  const never = cells.filter((cell) => !entered.has(cell) && dbt.outOfReach[cell] === undefined);
  expect(never).toEqual([]);
  expect([...entered].filter((cell) => !cells.includes(cell))).toEqual([]);
});
