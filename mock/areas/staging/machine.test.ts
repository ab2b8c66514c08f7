import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BranchRow, EnvironmentRow } from '../../world/rows.ts';
import { isFresh, listedType, STAGING_LAG_MS } from '../environments/machine.ts';
import { type StagingEvent, stagingTable, stepStaging, switchStaging } from './machine.ts';

function branchOf(kind: BranchRow['kind'], stagingEnabled = false): BranchRow {
  return {
    id: 102,
    deploymentId: '1',
    name: 'feature-orders',
    kind,
    parentBranch: 'main',
    lastHash: 'c0ffee',
    stagingEnabled,
    switchedAt: null,
  };
}

/** The branch after an event, for each outcome of the machine. */
function after(branch: BranchRow, event: StagingEvent, now: number): BranchRow {
  const step = stepStaging(branch, event);
  return step === 'enabled' || step === 'disabled' ? switchStaging(branch, step, now) : branch;
}

describe('kind x state x event', () => {
  test.for([
    ['shared', 'disabled', 'enable', 'enabled'],
    ['shared', 'disabled', 'disable', 'same'],
    ['shared', 'enabled', 'enable', 'same'],
    ['shared', 'enabled', 'disable', 'disabled'],
    ['personal', 'disabled', 'enable', 'refused'],
    ['personal', 'disabled', 'disable', 'idle'],
    ['production', 'disabled', 'enable', 'refused'],
    ['production', 'disabled', 'disable', 'idle'],
    // Unreachable states: no event may leave them by accident.
    ['personal', 'enabled', 'enable', 'refused'],
    ['personal', 'enabled', 'disable', 'refused'],
    ['production', 'enabled', 'enable', 'refused'],
    ['production', 'enabled', 'disable', 'refused'],
  ] as const)('%s, %s, %s: %s', ([kind, state, event, step]) => {
    expect(stepStaging(branchOf(kind, state === 'enabled'), event)).toBe(step);
  });

  test('the table has exactly these cells', () => {
    const cells = Object.entries(stagingTable).flatMap(([kind, states]) =>
      Object.entries(states).flatMap(([state, events]) =>
        Object.keys(events).map((event) => `${kind} ${state} ${event}`),
      ),
    );
    expect(cells).toHaveLength(8);
  });
});

describe('the environments list', () => {
  const environmentOf = (type: EnvironmentRow['type']): EnvironmentRow => ({
    id: '202',
    deploymentId: '1',
    name: 'feature-orders',
    type,
    branchId: 102,
    restUrl: 'https://env-202.data.example.com/v1',
    sqlHost: 'env-202.sql.example.com',
    sqlPort: 15432,
  });

  test.for([
    ['staging', true, false, 'staging'],
    ['staging', true, true, 'staging'],
    ['staging', false, false, undefined],
    ['staging', false, true, 'development'],
    ['development', false, false, 'development'],
    ['development', true, false, 'development'],
    ['production', false, false, 'production'],
    ['production', true, true, 'production'],
  ] as const)(
    '%s, enabled %s, disabled ones as development %s: %s',
    ([type, enabled, asDevelopment, listed]) => {
      expect(listedType(environmentOf(type), enabled, asDevelopment)).toBe(listed);
    },
  );

  test('a switch is fresh while the list may not show it yet', () => {
    const switched = switchStaging(branchOf('shared'), 'enabled', 1000);
    expect(isFresh(switched, 1000)).toBe(true);
    expect(isFresh(switched, 1000 + STAGING_LAG_MS - 1)).toBe(true);
    expect(isFresh(switched, 1000 + STAGING_LAG_MS)).toBe(false);
    expect(isFresh(branchOf('shared'), 1000)).toBe(false);
  });
});

// A failing property names the seed and path that replay it.
describe('any events, in any order', () => {
  const kinds = fc.constantFrom<BranchRow['kind']>('shared', 'personal', 'production');
  const events = fc.array(fc.constantFrom<StagingEvent>('enable', 'disable'), { minLength: 1 });
  const run = (kind: BranchRow['kind'], asked: readonly StagingEvent[]) =>
    asked.reduce((branch, event, index) => after(branch, event, index), branchOf(kind));

  test('a personal or production branch is never enabled, nor touched', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('personal' as const, 'production' as const),
        events,
        (kind, asked) => {
          expect(run(kind, asked)).toEqual(branchOf(kind));
        },
      ),
    );
  });

  test('the last event decides the state of a shared branch', () => {
    fc.assert(
      fc.property(events, (asked) => {
        expect(run('shared', asked).stagingEnabled).toBe(asked.at(-1) === 'enable');
      }),
    );
  });

  test('a repeated event changes nothing', () => {
    fc.assert(
      fc.property(kinds, events, (kind, asked) => {
        const last = asked.at(-1) ?? 'enable';
        const branch = run(kind, asked);
        expect(after(branch, last, 999)).toBe(branch);
      }),
    );
  });

  test('only the switch and its time change', () => {
    fc.assert(
      fc.property(kinds, events, (kind, asked) => {
        const { stagingEnabled: _enabled, switchedAt: _at, ...rest } = run(kind, asked);
        expect(branchOf(kind)).toMatchObject(rest);
      }),
    );
  });
});
