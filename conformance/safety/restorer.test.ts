/** The contract is enough to put an object back: an area need not add anything. */

import { expect, test } from 'vitest';
import { type Operation, operation } from '../../spec/contract.ts';
import { Answer } from '../language/answer.ts';
import type { TenantObject } from '../target/call.ts';
import type { Ask } from './areas.ts';
import { putBack } from './put-back.ts';
import { isKnown, isReading, restorerOf } from './restorer.ts';
import { Settling } from './settling.ts';

/** A write whose object another call shows, as in an area that does not exist yet. */
const plain: Operation = {
  ...operation('updateFolder'),
  restore: {
    read: { call: 'listDeployments' },
    find: { id: '{folderId}' },
    put: { title: 'name', place: 'position' },
  },
};
const object: TenantObject = {
  key: 'x',
  text: 'thing 7',
  operation: plain,
  parameters: { folderId: '7' },
  fields: { kind: 'big' },
  effect: 'reversible',
};

function fakeTarget(status = 200): { ask: Ask; state: Record<string, unknown>; calls: string[] } {
  const state: Record<string, unknown> = { id: 7, name: 'Sales', position: 3, owner: 'ana' };
  const calls: string[] = [];
  const ask: Ask = async (call, _parameters, { body } = {}) => {
    calls.push(call);
    if (call === plain.id) {
      const { title, place } = body as { title?: string; place?: number };
      Object.assign(state, title && { name: title }, place && { position: place });
    }
    const text = JSON.stringify({ data: [{ id: 8, name: 'Other' }, state] });
    const wire = { status, headers: {}, text, durationMs: 0, sentAt: 0, throttled: 0 };
    return new Answer(wire, { method: 'GET', target: '/', body: undefined }, []);
  };
  return { ask, state, calls };
}

const restorer = restorerOf(object, {});
if (restorer === undefined) throw new Error('a write with x-restore has a restorer');
const way = (ask: Ask, later = false) => ({
  ask,
  wait: async () => undefined,
  settling: new Settling(0),
  runId: 'r1',
  later,
});
const before = { title: 'Sales', place: 3 };

test('another call reads the object, and its fields take the names of the body', async () => {
  expect(await restorer.read(object, fakeTarget().ask)).toEqual(before);
  expect(await restorer.read(object, fakeTarget(404).ask)).toBeNull();
  expect(await restorer.read(object, fakeTarget(500).ask)).toBeUndefined();
});

test('the write itself puts the object back, with the fields that name it', async () => {
  expect(restorer.bodies(object, before, before)).toEqual([{ kind: 'big', ...before }]);
  const { ask, state, calls } = fakeTarget();
  state.name = 'Renamed';
  const changed = { object, restorer, before, sent: [{ title: 'Renamed' }], seen: [] };
  expect(await putBack({ ...changed, written: true }, way(ask))).toBe('restored');
  expect(state).toEqual({ id: 7, name: 'Sales', position: 3, owner: 'ana' });
  expect(calls).toEqual(['listDeployments', 'updateFolder', 'listDeployments']);
});

test.each([false, true])(
  'an object that somebody else has changed is left alone (undo: %s)',
  async (later) => {
    const { ask, state, calls } = fakeTarget();
    state.name = 'By a person';
    const changed = { object, restorer, before, sent: [{ title: 'Renamed' }], seen: [] };
    expect(await putBack({ ...changed, written: true }, way(ask, later))).toBe('others');
    expect(calls).toEqual(['listDeployments']);
  },
);

test('undo leaves an object alone that it cannot read', async () => {
  const { ask, calls } = fakeTarget(500);
  const changed = { object, restorer, before, sent: [], seen: [], written: true };
  expect(await putBack(changed, way(ask, true))).toBe('unreadable');
  expect(calls).toEqual(['listDeployments']);
});

test('a state without a field covers no write to that field', () => {
  expect(isKnown(object, { title: 'Sales' }, { title: 'x' })).toBe(true);
  expect(isKnown(object, { title: 'Sales' }, { place: 4 })).toBe(false);
  expect(isKnown(object, undefined, { title: 'x' })).toBe(false);
  expect(isKnown(object, null, { title: 'x' })).toBe(true);
});

test('only the call that the contract uses for reading changes nothing', () => {
  expect(isReading(object, {})).toBe(false);
  expect(isReading({ ...object, operation: operation('updateFolder') }, {})).toBe(true);
  expect(isReading({ ...object, operation: operation('updateFolder') }, { name: 'x' })).toBe(false);
});
