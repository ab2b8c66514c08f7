/**
 * `lockstep exam --for-some`: the exam of deviations that are limited to some calls, on all cores.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../areas/catalogue.ts';
import { conditions } from '../deviations/only-if/conditions.ts';
import type { Effort } from './ask.ts';
import type { SomeAnswer } from './ask-for-some.ts';
import { type ExamCommand, FOLDER, partsOf, runExam } from './exam.ts';
import { FOR_SOME, forSomeMd, type SomeTable } from './for-some-md.ts';
import { titlesOf } from './marks.ts';
import { type Combination, combinationsOf, spreadOf } from './spread.ts';

/**
 * The share of the noticeable combinations that the suite must notice. It is a little below the
 * last result; raise it when the result rises.
 */
const LEAST_NOTICED = 0.55;

/**
 * The number of combinations to try, unless all are tried, and the number of times that idle ones
 * are replaced by others.
 */
const ROOM = 1200;
const ROUNDS = 6;

/**
 * Plays the combinations, prints the results, and writes or compares their part of the table.
 * Returns the exit code.
 */
export async function examineForSome(command: ExamCommand): Promise<number> {
  const { only = [], all = false, check = false, out, tries } = command;
  const effort = tries === undefined ? undefined : { tries, seed: 1 };
  const every = combinationsOf(catalogue, conditions);
  const wanted = only.length > 0 ? every.filter(({ id }) => only.includes(id)) : every;
  const isWhole = all || only.length > 0;
  const start = performance.now();
  const scenarios = await noticing(wanted);
  const table = isWhole
    ? { tried: wanted, answers: await ask(wanted, scenarios, effort) }
    : await askSpread(wanted, scenarios, effort);
  const { text, share } = forSomeMd({ ...table, of: every.length, isSpread: !isWhole });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${text}\n${seconds} s\n`);
  const exitCode = share >= LEAST_NOTICED ? 0 : 1;
  if (isWhole && out === undefined) return exitCode;
  const file = join(out ?? FOLDER, 'exam.md');
  const { always, forSome, atTimes } = partsOf(file);
  if (!check) {
    writeFileSync(file, always + text + atTimes);
    return exitCode;
  }
  if (forSome === text) return exitCode;
  process.stderr.write(
    `lockstep: ${FOR_SOME.trim()} in ${file} is not what the exam gives: run npm run exam -- --for-some\n`,
  );
  return 1;
}

type Titles = Readonly<Record<string, readonly string[]>>;

/** For each deviation, the titles of the scenarios that notice it if it is not limited. */
async function noticing(combinations: readonly Combination[]): Promise<Titles> {
  const ids = [...new Set(combinations.map(({ deviation }) => deviation.id))];
  const { answers } = await runExam(ids);
  return Object.fromEntries(answers.map((answer) => [answer.id, titlesOf(answer)]));
}

async function ask(
  combinations: readonly Combination[],
  titles: Titles,
  effort?: Effort,
): Promise<readonly SomeAnswer[]> {
  const scenarios = Object.fromEntries(
    combinations.map(({ id, deviation }) => [id, titles[deviation.id] ?? []]),
  );
  const { answers } = await runExam<SomeAnswer>(Object.keys(scenarios), { scenarios, effort });
  return answers;
}

/** Plays a spread of combinations, and replaces those that take no effect. */
async function askSpread(
  every: readonly Combination[],
  titles: Titles,
  effort?: Effort,
): Promise<Pick<SomeTable, 'tried' | 'answers'>> {
  const byId = new Map(every.map((one) => [one.id, one]));
  const answers: SomeAnswer[] = [];
  const tried: Combination[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const lively = answers.flatMap(({ id, outcome }) =>
      outcome === 'idle' ? [] : (byId.get(id) ?? []),
    );
    const left = every.filter((one) => !tried.includes(one));
    const next = spreadOf(left, ROOM - lively.length, lively);
    tried.push(...next);
    answers.push(...(await ask(next, titles, effort)));
  }
  return { tried, answers };
}
