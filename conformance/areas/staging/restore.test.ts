/** Putting back if each switch gives a new identifier, and other users switch too. */

import { expect, test } from 'vitest';
import { operation } from '../../../spec/contract.ts';
import { Answer } from '../../language/answer.ts';
import type { Ask } from '../../safety/areas.ts';
import { isKnown } from '../../safety/restorer.ts';
import type { TenantObject } from '../../target/call.ts';
import { stagingRestorer } from './restore.ts';

const object: TenantObject = {
  key: 'x',
  text: 'staging environment of branch fares',
  operation: operation('setStagingEnvironment'),
  parameters: { deployment_id: '1' },
  fields: { branchName: 'fares' },
  effect: 'reversible',
};

/**
 * A service that lists the environments of enabled branches. Before each third call another user
 * switches the branch `routes`.
 */
function fakeService(on: readonly string[], named: boolean) {
  const switches = new Map([...on, 'fares', 'routes'].map((name) => [name, 0]));
  const enabled = new Set(on);
  let calls = 0;
  const turn = (name: string, wanted: boolean): void => {
    if (!wanted) enabled.delete(name);
    else if (!enabled.has(name)) {
      enabled.add(name);
      switches.set(name, (switches.get(name) ?? 0) + 1);
    }
  };
  const ask: Ask = async (call, _parameters, { body } = {}) => {
    if (++calls % 3 === 0) turn('routes', !enabled.has('routes'));
    if (call === 'setStagingEnvironment') turn('fares', (body as { enabled: boolean }).enabled);
    const environments = [...enabled].map((name) => ({
      id: `${name}-${switches.get(name)}`,
      name: named ? `staging of ${name}` : 'staging',
      type: 'staging',
    }));
    const branches = [...switches.keys()].map((name) => ({ name }));
    const pagination = { offset: 0, limit: 20, total: environments.length };
    const shown =
      call === 'listBranches' ? { data: { branches } } : { data: { environments }, pagination };
    const wire = { status: 200, headers: {}, durationMs: 0, sentAt: 0, throttled: 0 };
    return new Answer({ ...wire, text: JSON.stringify(shown) }, request, []);
  };
  return { ask, enabled };
}

const request = { method: 'GET', target: '/', body: undefined };
const rest = async (): Promise<void> => {};

test.for([true, false])(
  'the name of an environment shows that its branch was on: %s',
  async (wasOn) => {
    const service = fakeService(wasOn ? ['fares', 'quays'] : ['quays'], true);
    const before = await stagingRestorer.read?.(object, service.ask);
    for (const enabled of [true, false, true])
      await service.ask('setStagingEnvironment', {}, { body: { branchName: 'fares', enabled } });
    expect(await stagingRestorer.apart?.(object, before, service.ask, rest)).toBe(true);
    expect(service.enabled.has('fares')).toBe(wasOn);
  },
);

test('a new identifier is the same state if all names are unchanged', () => {
  const before = { enabled: undefined, staging: ['fares-1'], names: ['staging of fares'] };
  const state = { ...before, staging: ['fares-2'] };
  expect(stagingRestorer.same?.(before, state)).toBe(true);
  expect(stagingRestorer.same?.(before, { ...state, names: undefined })).toBe(false);
});

test('without unique names, the put-back reports that it cannot tell the environments apart', async () => {
  const service = fakeService(['fares', 'quays', 'routes'], false);
  const before = await stagingRestorer.read?.(object, service.ask);
  await service.ask('setStagingEnvironment', {}, { body: { branchName: 'fares', enabled: false } });
  expect(await stagingRestorer.apart?.(object, before, service.ask, rest)).toBe(false);
});

test.for([401, 403, 500])(
  'a branch whose lists are answered %i is unknown, so nothing is written',
  async (status) => {
    const refused: Ask = async () => {
      const wire = { status, headers: {}, durationMs: 0, sentAt: 0, throttled: 0 };
      return new Answer({ ...wire, text: '{"error":"no"}' }, request, []);
    };
    const before = await stagingRestorer.read?.(object, refused);
    expect(before).toBeUndefined();
    expect(isKnown(object, before, { branchName: 'fares', enabled: false })).toBe(false);
  },
);
