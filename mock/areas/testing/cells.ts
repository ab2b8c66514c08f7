/**
 * The cells of the machines' tables: every state and event that a world can meet. Operations
 * record the cells that they enter, so that a suite or a walk can list the cells that it never tried.
 */
import * as dbt from '../dbt/machine.ts';
import { cells as folders } from '../folders/machine.ts';
import { cells as recipients } from '../recipients/machine.ts';
import { cells as staging } from '../staging/machine.ts';
import { cells as versions } from '../versions/machine.ts';

export const cells: readonly string[] = [
  ...staging,
  ...dbt.cells,
  ...versions,
  ...folders,
  ...recipients,
];

/** Cells that the suite does not enter, and why. */
export const outOfReach: Readonly<Record<string, string>> = dbt.outOfReach;
