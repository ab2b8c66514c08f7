/** Measures of whole processes: to a first answer, to their end, or of what is done inside of them. */
import { join } from 'node:path';
import { list } from './calls.ts';
import type { Take } from './known.ts';
import { job, run, serve, work } from './processes.ts';
import { type Figures, short } from './table.ts';
import { bareArgs, compare, mockArgs } from './under-load.ts';

type Rounds = Readonly<Record<string, number>>[];

const inside = (task: string, rounds: number, deployments = 45): Promise<Rounds> =>
  job('inside.ts', { task, rounds, deployments });

/** The samples of a name, without the first round, which warms up. */
const samplesOf = ([, ...rounds]: Rounds, name: string): number[] =>
  rounds.map((round) => round[name] ?? Number.NaN);

const figuresOf = (rounds: Rounds, names: readonly string[], beside = ''): Figures =>
  Object.fromEntries(names.map((name) => [name, { samples: samplesOf(rounds, name), beside }]));

const upsert: Take = async ({ rounds }) => {
  const times = await inside('upsert', rounds + 1);
  return { times: compare(samplesOf(times, 'ours'), samplesOf(times, 'theirs'), ' µs') };
};

const worlds: Take = async ({ rounds }, { rows, deployments = 45 }) => {
  const times = await inside('worlds', rounds + 1, deployments);
  return figuresOf(times, Object.keys(rows), `${deployments.toLocaleString('en')} deployments`);
};

const changed: Take = async () => {
  const [{ held = Number.NaN, grown = Number.NaN } = {}] = await inside('changed', 1);
  return { held: { samples: [held], beside: `the process grew by ${short(grown)} MB` } };
};

/** From the start of a process to its first answer. */
const start: Take = async ({ rounds }) => {
  const time = async (args: readonly string[], cache = 'warm') => {
    const env = { NODE_COMPILE_CACHE: join(work, cache) };
    await using server = await serve(args, [list], env);
    return server.startMs;
  };
  await using mock = await serve(mockArgs);
  const bare = await bareArgs(mock);
  const all: Rounds = [];
  for (let round = 0; round <= 3 * rounds; round += 1) {
    const warm = await time(mockArgs);
    all.push({ warm, bare: await time(bare), first: await time(mockArgs, `first-${round}`) });
  }
  const besideBare = (name: string) => compare(samplesOf(all, name), samplesOf(all, 'bare'), ' ms');
  return { warm: besideBare('warm'), first: besideBare('first') };
};

const script = `const began = performance.now();
const { createMock } = await import('lockstep/mock');
const then = performance.now();
await createMock();
console.log(JSON.stringify({ import: then - began, create: performance.now() - then }));`;

const imports: Take = async ({ rounds }, { rows }) => {
  const all: Rounds = [];
  while (all.length <= 3 * rounds) {
    all.push(JSON.parse((await run(['--input-type=module', '--eval', script])).stdout));
  }
  return figuresOf(all, Object.keys(rows));
};

export const certify = ['dist/bin/lockstep.js', 'certify', '--quiet'];

const suite: Take = async ({ rounds }) => {
  await using mock = await serve(mockArgs);
  const target = ['--base-url', `http://127.0.0.1:${mock.port}`, '--out', join(work, 'suite')];
  const all: Rounds = [];
  while (all.length <= rounds) {
    all.push({ seconds: (await run([...certify, '--force', ...target])).seconds });
  }
  return figuresOf(all, ['seconds']);
};

const exam: Take = async () => {
  const { seconds, stdout } = await run(['dist/bin/lockstep.js', 'exam', '--out', work]);
  return { seconds: { samples: [seconds], beside: stdout.split(' in ')[0] ?? '' } };
};

const tests: Take = async ({ testSeconds }) => {
  if (testSeconds === undefined) return { seconds: { missing: 'give it as --test-seconds' } };
  return { seconds: { samples: [testSeconds], beside: 'given as --test-seconds' } };
};

export const wholes: Readonly<Record<string, Take>> = {
  ...{ upsert, worlds, changed, start, imports },
  ...{ suite, exam, tests },
};
