/**
 * `lockstep exam --diagnose`: each deviation is hidden in a mock, and the diagnosis of the failed
 * run must name it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnosing, diagnose } from '../../conformance/compare/diagnosis.ts';
import type { Diagnosis } from '../../conformance/judge/report.ts';
import { catalogue, deviationsOf } from '../areas/catalogue.ts';
import { diagnosisMd, type Hiding, hidings, type Told } from './diagnosis-md.ts';
import { type ExamCommand, FOLDER, runExam } from './exam.ts';
import type { HiddenRun } from './hidden-run.ts';

/** By way of hiding. A 4 means that every fourth deviation is hidden in this way. */
const sample: Readonly<Record<Hiding, number>> = { alike: 1, otherwise: 4, 'at times': 8, two: 4 };

/** Writes and prints the table. The exit code says if the diagnosis reaches the bar. */
export async function examineDiagnosis({ only = [], out }: ExamCommand): Promise<number> {
  // A deviation that only the explorer finds makes no run fail.
  const all = catalogue.filter(({ foundBy }) => foundBy === undefined).map(({ id }) => id);
  const ids = only.length > 0 ? only : all;
  const questions = hidings.map((hiding) => [hiding, questionsFor(ids, hiding, all)] as const);
  const named = questions.flatMap(([, own]) => own.flatMap((text) => text.split('+')));
  const played = await runHidden(only.length > 0 ? suspectsOf(named) : all, 'alike');
  const diagnosing = playedBefore(played);
  const told: Told[] = [];
  for (const [hiding, own] of questions) {
    const isPlayed = hiding === 'alike';
    const runs = isPlayed
      ? played.filter(({ id }) => ids.includes(id))
      : await runHidden(own, hiding);
    for (const { id, statements } of runs) {
      const diagnosis = await diagnose({ statements }, diagnosing);
      if (diagnosis !== undefined) told.push(toldOf(hiding, id, diagnosis));
    }
  }
  const { text, isGood } = diagnosisMd(told);
  process.stdout.write(text);
  const folder = out ?? FOLDER;
  mkdirSync(folder, { recursive: true });
  if (only.length === 0 || out !== undefined) writeFileSync(join(folder, 'diagnosis.md'), text);
  return isGood ? 0 : 1;
}

async function runHidden(questions: readonly string[], hidden: Hiding): Promise<HiddenRun[]> {
  return (await runExam<HiddenRun>(questions, { hidden })).answers;
}

/** Ids of two deviations at once are joined by a plus. */
function questionsFor(ids: readonly string[], hiding: Hiding, all: readonly string[]): string[] {
  const some = ids.filter((_id, index) => index % sample[hiding] === 0);
  if (hiding === 'alike' || hiding === 'otherwise') return some;
  if (hiding === 'at times') return some.map((id) => `${id}:every=3`);
  const other = (id: string) => all[(all.indexOf(id) * 7 + 401) % all.length] ?? '';
  return some.map((id) => `${id}+${other(id)}`);
}

/** All deviations that break one of the statements that the given deviations break. */
function suspectsOf(names: readonly string[]): string[] {
  const hidden = deviationsOf(names);
  const broken = new Set(
    hidden.flatMap(({ breaks, alsoBreaks = [] }) => [...breaks, ...alsoBreaks]),
  );
  return catalogue
    .filter(({ breaks, foundBy }) => foundBy === undefined && breaks.some((id) => broken.has(id)))
    .map(({ id }) => id);
}

/**
 * Replays recorded results instead of playing each deviation again, because a scenario always has
 * the same result.
 */
function playedBefore(runs: readonly HiddenRun[]): Diagnosing {
  const byId = new Map(runs.map(({ id, statements }) => [id, statements]));
  return {
    deviations: catalogue.filter(({ id }) => byId.has(id)),
    budgetMs: Number.POSITIVE_INFINITY,
    play: async (id, titles) => ({
      statements: (byId.get(id) ?? []).map((one) => ({
        ...one,
        checks: one.checks.filter(({ scenario }) => titles.has(scenario)),
      })),
    }),
  };
}

/** How well the diagnosis names the hidden deviations: the best and the worst rank. */
export function toldOf(hiding: Hiding, question: string, { causes, played }: Diagnosis): Told {
  const hidden = question.split('+').map((id) => id.replace(/:every=\d+$/, ''));
  const rankOf = (id: string): number => {
    const ranks = causes.map((ranked) =>
      ranked.findIndex(({ deviations }) => deviations.some((one) => one.id === id)),
    );
    const found = ranks.filter((rank) => rank >= 0);
    return found.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...found);
  };
  const ranks = hidden.map(rankOf);
  const alike = causes.flatMap(([first]) => (first === undefined ? [] : first.deviations.length));
  return {
    ...{ hiding, hidden, played, worst: Math.max(...ranks), best: Math.min(...ranks) },
    alike: Math.max(0, ...alike),
    first: causes.flatMap(([first]) => first?.deviations[0]?.id ?? []),
  };
}
