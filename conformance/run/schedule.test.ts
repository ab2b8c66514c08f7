/** Tests which scenarios run in parallel. */

import { expect, test } from 'vitest';
import type { Scenario } from '../language/scenario.ts';
import { type Company, runInParallel } from './schedule.ts';

/** Runs scenarios that end only on command. */
class Stage {
  readonly started: string[] = [];
  readonly company = new Map<string, Company>();
  readonly #ends = new Map<string, () => void>();
  readonly #run: Promise<void>;

  constructor(scenarios: readonly Scenario[], jobs = 8) {
    this.#run = runInParallel(
      scenarios,
      jobs,
      async ({ title }, company) => {
        this.started.push(title);
        this.company.set(title, company);
        await new Promise<void>((resolve) => this.#ends.set(title, resolve));
      },
      ({ writesUntil }) => writesUntil === 0,
    );
  }

  async end(...titles: readonly string[]): Promise<void> {
    for (const title of titles) this.#ends.get(title)?.();
    await this.settle();
  }

  /** Lets the scheduler look again. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  async over(): Promise<void> {
    await this.#run;
  }
}

const areas = (list: string): Set<string> => new Set(list.split(' ').filter(Boolean));

const scenario = (title: string, reads: string, writes: string, writesUntil: number): Scenario => {
  const made: Partial<Scenario> = {
    title,
    reads: areas(reads),
    writes: areas(writes),
    writesUntil,
  };
  return made as Scenario;
};
const writer = (title: string, writes = 'staging') => scenario(title, '', writes, 2);
const reader = (title: string, reads = 'staging') => scenario(title, reads, '', 0);
/** A scenario that sends only refused writes. */
const trier = (title: string, writes = 'staging') => scenario(title, '', writes, 0);

test('a scenario that writes an area locks it, and no other area', async () => {
  const stage = new Stage([writer('a'), writer('b'), writer('c', 'folders'), reader('d')]);
  expect(stage.started).toEqual(['a', 'c']);
  await stage.end('a');
  expect(stage.started).toEqual(['a', 'c', 'b']);
  await stage.end('b');
  expect(stage.started).toEqual(['a', 'c', 'b', 'd']);
  await stage.end('c', 'd');
  await stage.over();
});

test('a scenario that waits for an area is not overtaken by others that need it', async () => {
  const stage = new Stage([reader('a'), writer('b'), reader('c')]);
  expect(stage.started).toEqual(['a']);
  await stage.end('a');
  expect(stage.started).toEqual(['a', 'b']);
  await stage.end('b');
  await stage.end('c');
  await stage.over();
});

test('scenarios that send refused writes share an area, and each knows that it does', async () => {
  const stage = new Stage([trier('a'), trier('b'), reader('c'), trier('d', 'folders')]);
  expect(stage.started).toEqual(['a', 'b', 'c', 'd']);
  const alone = [...stage.company].filter(([, company]) => company.isAlone());
  expect(alone.map(([title]) => title)).toEqual(['d']);
  await stage.end('a', 'b', 'c', 'd');
  await stage.over();
});

test('a scenario that has written lets others in, except those that write', async () => {
  const stage = new Stage([writer('a'), writer('b'), trier('c'), reader('d')]);
  expect(stage.started).toEqual(['a']);
  stage.company.get('a')?.share();
  await stage.settle();
  // They overtake the waiting scenario, for which the area is not free yet.
  expect(stage.started).toEqual(['a', 'c', 'd']);
  await stage.end('a', 'd');
  expect(stage.started).toEqual(['a', 'c', 'd']);
  await stage.end('c');
  expect(stage.started).toEqual(['a', 'c', 'd', 'b']);
  await stage.end('b');
  await stage.over();
});

test('a scenario that shares its area with no other can lock it again', async () => {
  const stage = new Stage([writer('a'), trier('b')], 1);
  stage.company.get('a')?.share();
  await stage.settle();
  expect(stage.company.get('a')?.isAlone()).toBe(true);
  await stage.end('a');
  await stage.end('b');
  await stage.over();

  const taken = new Stage([trier('a'), writer('x', 'folders'), trier('b', 'staging folders')]);
  expect(taken.company.get('a')?.isAlone()).toBe(true);
  await taken.end('x');
  expect(taken.started).toEqual(['a', 'x']);
  await taken.end('a');
  expect(taken.started).toEqual(['a', 'x', 'b']);
  await taken.end('b');
  await taken.over();
});

test('the first error ends the run after the running scenarios have ended', async () => {
  const failing = runInParallel([writer('a'), writer('b')], 8, async ({ title }) => {
    throw new Error(`${title} fails`);
  });
  await expect(failing).rejects.toThrow('a fails');
});
