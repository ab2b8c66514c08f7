/** Measures time (µs) or memory (MB) inside a process. Each measure has a fresh process. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { createMock, type World } from '../../mock/kits/mock.ts';
import { requestOf, sizes, subscribe } from './calls.ts';
import { compare, type Figures, figuresOf, repeat, short } from './table.ts';

interface Order {
  readonly task: 'upsert' | 'worlds' | 'changed';
  readonly rounds: number;
  readonly deployments: number;
}

/** Adds 1000 new recipients, and compares with the least work that any implementation must do. */
async function upsert({ rounds }: Order): Promise<Figures> {
  const mock = await createMock();
  const { path: target, body = '', ...rest } = requestOf(subscribe(1000));
  const answered: unknown = await (await mock.world.fetch(target, { ...rest, body })).json();
  const text = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8');
  const { components } = parse(text) as { readonly components: object };
  const $ref = '#/components/schemas/AddNotificationRecipientsInput';
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const isValid = ajv.compile({ components, $ref });
  const ours = async () => {
    mock.world.reset();
    const { status } = await mock.service.handle({ ...rest, target, body: Buffer.from(body) });
    if (status !== 200) throw new Error(`${target}: ${status}`);
  };
  const theirs = () => {
    if (!isValid(JSON.parse(body))) throw new Error('the body is not valid');
    JSON.stringify(answered);
  };
  const took = await repeat(rounds, async () => ({
    ours: await each(50, ours),
    theirs: await each(50, theirs),
  }));
  return { times: compare(took.ours, took.theirs, ' µs') };
}

/** Measures worlds that have one change each. */
async function worlds({ rounds, deployments }: Order): Promise<Figures> {
  const began = performance.now();
  const large = { fixture: 'large', parameters: sizes(deployments) };
  const mock = await createMock(deployments === 45 ? {} : large);
  const first = (performance.now() - began) / 1000;
  const took = await repeat(rounds, async () => {
    const ours: World[] = [];
    const forks: World[] = [];
    const world = (at: number): World => ours[at] ?? mock.world;
    const made = await each(200, async () => ours.push(await mock.createWorld()));
    for (const one of ours) await change(one, 0);
    const snapshot = await each(200, (at) => world(at).snapshot());
    const fork = await each(200, (at) => forks.push(world(at).fork()));
    const reset = await each(200, (at) => world(at).reset());
    for (const one of [...ours, ...forks]) one[Symbol.dispose]();
    return { first, made, snapshot, fork, reset };
  });
  return figuresOf(took, `${deployments.toLocaleString('en')} deployments`);
}

/** Measures the memory of 10,000 worlds with ten changes each. */
async function changed(): Promise<Figures> {
  // `using` keeps the mock until the end, so that its memory is counted.
  await using mock = await createMock();
  const megabytes = () => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { held: (heapUsed + external) / 2 ** 20, grown: rss / 2 ** 20 };
  };
  const before = megabytes();
  for (let count = 0; count < 10_000; count += 1) {
    const world = await mock.createWorld();
    for (let turn = 0; turn < 10; turn += 1) await change(world, turn);
  }
  const after = megabytes();
  const madeOf = `the process grew by ${short(after.grown - before.grown)} MB`;
  return { held: { samples: [after.held - before.held], madeOf } };
}

async function change(world: World, turn: number): Promise<void> {
  const body = JSON.stringify({ name: `Q${turn}` });
  const { status } = await world.fetch('/api/v1/deployments/1/folders/11', { method: 'PUT', body });
  if (status !== 200) throw new Error(`a change: ${status}`);
}

/** The average time of one call of `act`, µs. */
async function each(count: number, act: (at: number) => unknown): Promise<number> {
  globalThis.gc?.();
  const began = performance.now();
  for (let at = 0; at < count; at += 1) await act(at);
  return ((performance.now() - began) / count) * 1000;
}

const order: Order = JSON.parse(readFileSync(0, 'utf8'));
const figures = await { upsert, worlds, changed }[order.task](order);
process.stdout.write(JSON.stringify(figures));
process.exit();
