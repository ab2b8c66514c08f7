/**
 * A deviation for some callers only: the shelf is broken for the member, and correct for everybody
 * else.
 */
import { expect, test } from 'vitest';
import { contract, operation } from '../../../spec/contract.ts';
import { broken } from '../broken.ts';
import { field } from '../replies.ts';
import type { Deviation } from '../rows.ts';
import { lost } from '../state.ts';
import { refusal, shelf, update } from '../testing/shelf.ts';
import { readCall } from '../wire.ts';
import { conditions } from './conditions.ts';
import { type Condition, canBeOnlyIf, onlyIf } from './only-if.ts';

/** A shelf that refuses a number as a name. */
const picky = () => shelf((call) => (call?.body.name === 7 ? refusal(400, 'ERR-6') : undefined));

const deviation: Deviation = {
  ...{ id: 'folders:other-name', text: 'Another name is shown.', breaks: ['FOLDER-2'] },
  ...{ operations: ['updateFolder'], does: field('name', () => 'Other') },
};
const named = (name: string): Condition => {
  const found = conditions.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`there is no condition ${name}`);
  return found;
};

/** The names in the answers to these updates, if the shelf is broken in this way. */
async function answered(
  deviation: Deviation,
  condition: string,
  ...updates: readonly (readonly [body: object, secret?: string])[]
) {
  const { handle } = broken(picky(), onlyIf(deviation, named(condition)));
  const shown: unknown[] = [];
  for (const [body, secret] of updates) {
    const reply = await handle(update(body, secret));
    shown.push((reply.body as { readonly name?: unknown }).name);
  }
  return shown;
}

test.for([
  ['member', [[{}], [{}, 'm']], ['Sales', 'Other']],
  ['with-name', [[{}], [{ name: 'Costs' }]], ['Sales', 'Other']],
  ['with-name-and-position', [[{ name: 'A' }], [{ name: 'A', position: 1 }]], ['A', 'Other']],
  ['one-field', [[{ name: 'A' }], [{ name: 'A', position: 1 }]], ['Other', 'A']],
  ['long-text', [[{ name: 'A' }], [{ name: 'A'.repeat(101) }]], ['A', 'Other']],
  ['non-ascii-text', [[{ name: 'A' }], [{ name: 'Ä' }]], ['A', 'Other']],
  ['after-refusal', [[{}], [{ name: 7 }], [{}]], ['Sales', undefined, 'Other']],
  ['after-another-caller', [[{}], [{}, 'm'], [{}, 'm']], ['Sales', 'Other', 'Sales']],
  ['same-again', [[{}], [{}], [{ name: 'A' }]], ['Sales', 'Other', 'A']],
  ['every-second', [[{}], [{}], [{}]], ['Sales', 'Other', 'Sales']],
] as const)('only %s', async ([name, updates, shown]) => {
  expect(await answered(deviation, name, ...updates)).toEqual(shown);
});

test('its text names the deviation and the condition', () => {
  expect(onlyIf(deviation, named('scoped'))).toMatchObject({
    id: 'folders:other-name@scoped',
    text: 'Another name is shown, only for a scoped key.',
    breaks: ['FOLDER-2'],
  });
});

test('a read that shows the effect of a write follows that write', async () => {
  const operations = ['updateDeployment', 'listVersions'] as const;
  const stale: Deviation = { ...deviation, operations, does: lost };
  const { does } = onlyIf(stale, named('member'));
  const seen: string[] = [];
  const target = { ...shelf(), memory: new Map(), took: () => seen.push('lost') };
  const ask = (method: string, path: string, secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const call = readCall({ method, target: path, headers, text: '', secure: true });
    if (call === undefined) throw new Error(`the contract has no ${path}`);
    return does(call, { ...target, handle: async (request) => target.handle(request) });
  };
  await ask('GET', '/api/v1/deployments/1/versions', 'm');
  expect(seen).toEqual([]);
  await ask('PUT', '/api/v1/deployments/1', 'm');
  await ask('GET', '/api/v1/deployments/1/versions', 'a');
  expect(seen).toEqual(['lost', 'lost']);
});

test('each condition has its own name and sentence, and fits some operation', () => {
  expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
  expect(new Set(conditions.map(({ text }) => text)).size).toBe(conditions.length);
  const operations = [...contract.operations.values()];
  for (const { name, fits } of conditions) expect(operations.some(fits), name).toBe(true);
});

test('an access rule has no condition on callers, and a success none on types', () => {
  const authorisation = { ...deviation, breaks: ['AUTH-8', 'FOLDER-8'] };
  expect(canBeOnlyIf(deviation, named('oauth'))).toBe(true);
  expect(canBeOnlyIf(authorisation, named('oauth'))).toBe(false);
  expect(canBeOnlyIf(authorisation, named('after-refusal'))).toBe(true);
  expect(canBeOnlyIf(deviation, named('array-instead'))).toBe(false);
  expect(canBeOnlyIf({ ...deviation, breaks: ['FOLDER-6'] }, named('array-instead'))).toBe(true);
  expect(canBeOnlyIf({ ...deviation, foundBy: 'explore' }, named('oauth'))).toBe(false);
  expect(named('scoped').fits(operation('listDeployments'))).toBe(false);
});
