/** Tests which answers contradict a tenant file, and which show that the service is wrong. */

import { describe, expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import type { Step } from '../language/scenario.ts';
import type { TargetCall } from '../target/call.ts';
import { ClaimWatch } from './claim-watch.ts';

const operation = contract.operations.get('setStagingEnvironment');
const step = { checks: [], expect: { status: 'refused' } } as unknown as Step;
/** Switches the personal branch on, by one of its names. */
const switchOn = (fields: Readonly<Record<string, unknown>>): TargetCall =>
  ({
    operation,
    object: { fields, parameters: {} },
    sent: { ...fields, enabled: true },
  }) as unknown as TargetCall;
const byName = switchOn({ branchName: 'dev-ana' });
const byId = switchOn({ branchId: 104 });

function findingsOf(...answers: readonly (readonly [TargetCall, number, string])[]) {
  const bindings = { personalBranch: { id: 104, name: 'dev-ana' } };
  const watch = new ClaimWatch(bindings, new Set(), []);
  for (const [call, status, credential] of answers)
    watch.note({ call, answer: { status }, credential }, step, 'a scenario');
  return watch.findings().map(({ name }) => name);
}

describe('a personal branch that is switched on', () => {
  test('contradicts the tenant file if it is never refused', () => {
    expect(findingsOf([byId, 200, 'admin'])).toEqual(['personalBranch']);
  });

  test.for(['admin', 'member'])('is the fault of the service if %s was refused by name', (who) => {
    expect(findingsOf([byName, 409, who], [byId, 200, 'admin'])).toEqual([]);
  });

  test('contradicts it if only somebody without the right was refused', () => {
    expect(findingsOf([byName, 403, 'member'], [byId, 200, 'admin'])).toEqual(['personalBranch']);
  });
});
