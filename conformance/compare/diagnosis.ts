/**
 * The exam in reverse: it looks for the known deviation that makes the same checks fail. It plays the
 * deviations of the broken statements against the failed scenarios, and ranks them by the checks that agree.
 */

import {
  type CheckResult,
  type Diagnosis,
  type Report,
  type RunOptions,
  type Suspects,
  writtenStep,
} from '../judge/report.ts';
import { failsRun, isFailure } from '../judge/verdict.ts';

export interface KnownDeviation {
  readonly id: string;
  readonly text: string;
  readonly breaks: readonly string[];
  /** Statements that fail as well. */
  readonly alsoBreaks?: readonly string[] | undefined;
}

type Played = Pick<Report, 'statements'>;

export interface Diagnosing {
  readonly deviations: readonly KnownDeviation[];
  /** The results of scenarios on a target that makes a deviation. */
  readonly play: (id: string, titles: ReadonlySet<string>) => Promise<Played>;
  /** After this time no further deviation is played. */
  readonly budgetMs: number;
}

/** The failed checks by place, each with the way in which it failed. */
type Failures = ReadonlyMap<string, string>;

/** Without options, a deviation from a standard is broken as well. */
type Examined = Played & { readonly options?: Pick<RunOptions, 'standards' | 'complete'> };

/**
 * Finds the likely causes; undefined if no statement of the suite is broken. A failure that is only reported is
 * not looked into.
 */
export async function diagnose(
  report: Examined,
  { deviations, play, budgetMs }: Diagnosing,
): Promise<Diagnosis | undefined> {
  const { options = { standards: 'enforce', complete: false } } = report;
  const [broken = [], reported = []] = [true, false].map((counts) =>
    report.statements.filter(
      (one) =>
        isFailure(one.verdict) && one.level !== 'custom' && failsRun(one, options) === counts,
    ),
  );
  const ids = new Set(broken.map(({ id }) => id));
  const failed = failuresIn({ statements: broken });
  if (failed.size === 0) return undefined;
  const checks = broken.flatMap((one) => one.checks.filter(({ verdict }) => isFailure(verdict)));
  const titles = new Set(checks.map(({ scenario }) => scenario));
  const known = likeliest(deviations, ids);
  // A run that was limited, for example by --only, is not evidence about the other statements.
  const narrowed = report.statements.filter(({ verdict }) => verdict === 'not-selected');
  const unselected = new Set([...narrowed, ...reported].map(({ id }) => id));
  const until = performance.now() + budgetMs;
  const suspects: Suspect[] = [];
  for (const deviation of known) {
    if (performance.now() > until) break;
    const played = await play(deviation.id, titles);
    const statements = played.statements.filter(({ id }) => !unselected.has(id));
    suspects.push({ deviation, failures: failuresIn({ statements }) });
  }
  // If a check failed in one try and held in another, the deviation takes effect only at times.
  const atTimes = checks.some(({ verdict }) => verdict === 'unstable');
  return {
    ...{ checks: failed.size, known: known.length, played: suspects.length },
    causes: causesOf({ failed, untried: untriedIn(report), atTimes }, suspects),
  };
}

/**
 * The deviations that break one of the statements. The first breaks most of them and few others.
 */
function likeliest(
  deviations: readonly KnownDeviation[],
  broken: ReadonlySet<string>,
): readonly KnownDeviation[] {
  const ranked = deviations
    .filter(({ breaks }) => breaks.some((id) => broken.has(id)))
    .map((deviation) => {
      const all = new Set([...deviation.breaks, ...(deviation.alsoBreaks ?? [])]);
      return { deviation, share: all.intersection(broken).size / all.union(broken).size };
    });
  return ranked.toSorted((a, b) => b.share - a.share).map(({ deviation }) => deviation);
}

/**
 * Identifies a check. The passes of a loop count as one, because targets differ in the items that
 * it goes through.
 */
const placeOf = (statement: string, { scenario, step, kind, location }: CheckResult): string =>
  [statement, scenario, writtenStep(step), kind, location.line, location.column].join(' | ');

/**
 * The way in which a check failed, without data of the tenant: the place, and the status or type of
 * the value.
 */
function lookOf({ pointer = '', actual }: CheckResult): string {
  const type = Array.isArray(actual) ? 'array' : typeof actual;
  return `${pointer} ${pointer === '/status' ? String(actual) : type}`;
}

function failuresIn({ statements }: Played): Failures {
  const looks = new Map<string, Set<string>>();
  for (const { id, checks } of statements)
    for (const check of checks.filter(({ verdict }) => isFailure(verdict))) {
      const place = placeOf(id, check);
      looks.set(place, (looks.get(place) ?? new Set()).add(lookOf(check)));
    }
  return new Map([...looks].map(([place, all]) => [place, [...all].sort().join()]));
}

/** The places of checks that could not be tested. */
function untriedIn({ statements }: Played): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ id, checks }) =>
      checks.filter(({ verdict }) => verdict === 'not-testable').map((one) => placeOf(id, one)),
    ),
  );
}

interface Suspect {
  readonly deviation: KnownDeviation;
  readonly failures: Failures;
}

/** With more causes at once, the result would not be reliable. */
const MOST_CAUSES = 3;
const MOST_RANKS = 3;

/** The findings of a run. */
interface Seen {
  readonly failed: Failures;
  readonly untried: ReadonlySet<string>;
  readonly atTimes: boolean;
}

function causesOf(seen: Seen, suspects: readonly Suspect[]): Suspects[][] {
  const causes: Suspects[][] = [];
  let unexplained: Failures = seen.failed;
  while (unexplained.size > 0 && causes.length < MOST_CAUSES) {
    const ranks = ranked(seen, unexplained, suspects);
    const [best] = ranks;
    if (best === undefined) break;
    const explained = new Set(best.agreeing);
    // A suspect that explains other checks is a separate cause. It does not compete with the first.
    const instead = ranks.filter(({ agreeing }) => agreeing.some((place) => explained.has(place)));
    causes.push(instead.slice(0, MOST_RANKS).map(({ told }) => told));
    unexplained = new Map([...unexplained].filter(([place]) => !explained.has(place)));
  }
  return causes;
}

/**
 * Groups of suspects that no check distinguishes, the best fit first. Suspects that do not fit are
 * left out.
 */
function ranked(
  { failed, untried, atTimes }: Seen,
  unexplained: Failures,
  suspects: readonly Suspect[],
) {
  const signature = ({ failures }: Suspect): string =>
    [...failures]
      .flatMap(([place, look]) => (untried.has(place) ? [] : `${place} ${look}`))
      .sort()
      .join();
  const groups = [...Map.groupBy(suspects, signature).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const places = [...first.failures.keys()].filter((place) => !untried.has(place));
    const agreeing = places.filter((place) => unexplained.has(place));
    const against = places.filter((place) => !failed.has(place)).length;
    const alike = agreeing.filter((place) => first.failures.get(place) === failed.get(place));
    const deviations = all.map(({ deviation: { id, text } }) => ({ id, text }));
    return {
      ...{ agreeing, told: { deviations, agree: agreeing.length, against } },
      ...{ fit: fitOf(agreeing.length, against, atTimes), alike: alike.length },
    };
  });
  return groups.filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit || b.alike - a.alike);
}

/**
 * How well a deviation explains the failed checks. A check that held is evidence against it, but
 * one run does not prove much. If the deviation takes effect only at times, it is almost no
 * evidence.
 */
const fitOf = (agree: number, against: number, atTimes: boolean): number =>
  atTimes ? agree - 0.02 * against : Math.max(agree - against, 0.7 * agree - 0.1 * against);
