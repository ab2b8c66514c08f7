/**
 * The cells of the machines' tables: every state and event that a world can meet. Operations say
 * which they enter, so that a suite or a walk can be asked what it never tried.
 */
import { dbtSyncTable } from './dbt/machine.ts';
import { stagingTable } from './staging/machine.ts';

const staging = Object.entries(stagingTable).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([state, events]) =>
    Object.keys(events).map((event) => `staging: ${kind}, ${state}, ${event}`),
  ),
);
const dbtMoves = Object.entries(dbtSyncTable).flatMap(([state, events]) =>
  Object.keys(events).map((event) => `dbt sync: ${state}, ${event}`),
);
const dbtReads = Object.keys(dbtSyncTable).map((state) => `dbt sync: ${state}, read`);
const versions = [
  ...['1.2.3', 'v1.2.3', 'full', 'channel'].flatMap((spelling) =>
    ['current', 'other'].map((target) => `version: by ${spelling}, to ${target}`),
  ),
  'version: unlisted',
  'version: unknown channel',
];
const folders = ['name', 'position', 'name and position', 'nothing'].map(
  (sent) => `folder: ${sent}`,
);
const recipients = [
  ...['USER', 'EMBED_USER'].flatMap((kind) => [
    `recipient: ${kind}, created`,
    `recipient: ${kind}, unchanged`,
  ]),
  'recipient: EMBED_USER, updated',
  ...['slack', 'unresolved', 'stranger', 'disagree'].map((problem) => `recipient: ${problem}`),
];

export const cells: readonly string[] = [
  ...staging,
  ...dbtMoves,
  ...dbtReads,
  ...versions,
  ...folders,
  ...recipients,
];

/** Cells that the suite does not enter, and why. */
export const outOfReach: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    dbtMoves.map((cell) => [cell, "a sync ends on the service's side; POST events does it here"]),
  ),
  'recipient: disagree': 'one item for two people: who of them would get mail is open',
};
