/** A folder that shows its changes late, or never. */
import { expect, test } from 'vitest';
import { callTo } from './call.ts';
import { EarlierStates } from './pace.ts';

const update = (sent: object) => callTo('PUT', '/api/v1/deployments/1/folders/11', sent);
type Told = readonly [at: number, sent: object, shown: object, isEarlier: boolean];

/** Changes show within a second. */
function told(...answers: readonly Told[]): void {
  const states = new EarlierStates(1000);
  for (const [at, sent, shown, isEarlier] of answers)
    expect(states.note(update(sent), shown, at, at + 10), JSON.stringify(shown)).toBe(isEarlier);
}

test('a state from before a change is not the answer yet, whichever call shows it', () => {
  told(
    [0, {}, { name: 'A', position: 1 }, false],
    [100, { name: 'B' }, { name: 'B', position: 1 }, false],
    [200, {}, { name: 'A', position: 1 }, true],
    [300, { position: 2 }, { name: 'A', position: 2 }, true],
    [400, {}, { name: 'B', position: 1 }, true],
    [500, {}, { name: 'B', position: 2 }, false],
  );
});

test('the state of two changes ago is an earlier one too', () => {
  told(
    [0, { name: 'A' }, { name: 'A' }, false],
    [100, { name: 'B' }, { name: 'B' }, false],
    [200, { name: 'C' }, { name: 'C' }, false],
    [300, {}, { name: 'A' }, true],
  );
});

test('an answer to a write must show its change, and a value that is new counts at once', () => {
  told(
    [0, {}, { name: 'A', position: 1 }, false],
    [100, { name: 'B' }, { name: 'A', position: 1 }, false],
    [200, { name: 'B' }, { name: 'B', position: 0 }, false],
    [300, {}, { name: 'B', position: 0 }, false],
  );
});

test('a change that does not show in time is lost; after three, the run waits no more', () => {
  told(
    [0, {}, { name: 'A' }, false],
    ...[1, 2, 3].flatMap((time): Told[] => [
      [time * 3000, { name: `B${time}` }, { name: `B${time}` }, false],
      [time * 3000 + 500, {}, { name: 'A' }, true],
      [time * 3000 + 1500, {}, { name: 'A' }, false],
    ]),
    [20_000, { name: 'C' }, { name: 'C' }, false],
    [20_100, {}, { name: 'A' }, false],
  );
});

test('nothing is noted if each answer counts at once, or another call shows the object', () => {
  const states = new EarlierStates(0);
  states.note(update({ name: 'B' }), { name: 'B' }, 0, 0);
  expect(states.note(update({}), { name: 'A' }, 1, 1)).toBe(false);
});
