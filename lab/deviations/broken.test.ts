/** Operators break any target: here a shelf in memory. */

import { describe, expect, test } from 'vitest';
import { broken } from './broken.ts';
import { sends } from './conditions.ts';
import type { Does } from './does.ts';
import { accepts, despite, refuses } from './refusals.ts';
import { field } from './replies.ts';
import { reads } from './requests.ts';
import { atNext, late, lost, showsOld, undone } from './state.ts';
import { refusal, shelf, update } from './testing/shelf.ts';

/** A shelf that refuses if the member renames its folder. */
const locked = () =>
  shelf((call) =>
    call?.headers.authorization === 'Bearer m' ? refusal(403, 'FOLDER-8') : undefined,
  );

/** The answers to three calls: one sends a new name, two read it. */
async function answered(does: Does, every = 1, secret = 'a') {
  const deviation = { id: 'x', text: '', breaks: [], operations: ['updateFolder'], does } as const;
  const { handle, effects } = broken(locked(), deviation, every);
  const replies = [await handle(update({ name: 'Costs' }, secret))];
  replies.push(await handle(update({})), await handle(update({})));
  const shown = replies.map(({ status, body }) =>
    status === 200 ? (body as { readonly name: string }).name : status,
  );
  return { shown, effects: effects() };
}

describe('an operator breaks a target', () => {
  const next = atNext('updateFolder');
  test.for([
    [
      'a changed request',
      reads('name', (text: string) => text.toUpperCase()),
      ['COSTS', 'COSTS', 'COSTS'],
    ],
    ['a changed reply', field('name', () => 'Other'), ['Other', 'Other', 'Other']],
    ['lost', lost, ['Costs', 'Sales', 'Sales']],
    ['late', late(['updateFolder'], next, sends('name')), ['Costs', 'Costs', 'Costs']],
    [
      'undone by the next call',
      undone(['updateFolder'], next, sends('name')),
      ['Costs', 'Sales', 'Sales'],
    ],
    ['answered as before', showsOld('name'), ['Sales', 'Costs', 'Costs']],
    ['refused without need', refuses(403, 'FOLDER-8', sends('name')), [403, 'Sales', 'Sales']],
  ] as const)('%s', async ([, does, shown]) => {
    const seen = await answered(does);
    expect(seen.shown).toEqual(shown);
    expect(seen.effects).toBeGreaterThan(0);
  });

  test('a refused call is served, or refused and carried out all the same', async () => {
    expect((await answered(accepts('FOLDER-8'), 1, 'm')).shown).toEqual([
      'Costs',
      'Costs',
      'Costs',
    ]);
    expect((await answered(despite('FOLDER-8'), 1, 'm')).shown).toEqual([403, 'Costs', 'Costs']);
  });

  test('it takes effect in every second call only', async () => {
    const seen = await answered(
      field('name', () => 'Other'),
      2,
    );
    expect(seen).toEqual({ shown: ['Costs', 'Other', 'Costs'], effects: 1 });
  });
});
