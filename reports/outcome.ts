/**
 * The outcome of a report, in words and figures that all renderers share.
 *
 * It does not judge. It only expresses the report's verdicts and exit code in sentences.
 */

import { reasonLost } from '../conformance/judge/assemble-report.ts';
import {
  exitCodes,
  isTraffic,
  type Report,
  type StatementVerdict,
} from '../conformance/judge/report.ts';
import { isFailure } from '../conformance/judge/verdict.ts';
import { givenReason } from './findings.ts';
import { count, list, present } from './text.ts';

/** `passed`: nothing to do. `gaps`: nothing broken, something untried. */
export type Tone = 'passed' | 'gaps' | 'failed' | 'not-judged';

/** Counts statements that a call could show, that were in the run, and whose feature is on. */
export function figures(report: Report) {
  const { documented, standard, silent } = report.totals.statements;
  const across = (verdict: StatementVerdict): number =>
    documented[verdict] + standard[verdict] + silent[verdict];
  const all = Object.values(silent).reduce((sum, number) => sum + number, 0);
  const silences = all - silent['not-selected'] - silent['not-applicable'] - silent.unobservable;
  return {
    documented: tally(documented),
    standard: tally(standard),
    /** Both. */
    promises: tally(documented, standard),
    silences: { observed: silent.observed, of: silences, unobservable: silent.unobservable },
    /** Only promises. An observation that no call can make is not a gap. */
    unobservable: documented.unobservable + standard.unobservable,
    notApplicable: across('not-applicable'),
    notSelected: across('not-selected'),
  };
}

function tally(...levels: readonly Readonly<Record<StatementVerdict, number>>[]) {
  const number = (...verdicts: readonly StatementVerdict[]): number =>
    levels.flatMap((level) => verdicts.map((verdict) => level[verdict])).reduce((a, b) => a + b);
  const parts = {
    verified: number('verified'),
    /** Some of their checks could not be tried. */
    inPart: number('verified-in-part'),
    broken: number('violated', 'deviates'),
    /** Broken in some tries only. */
    unstable: number('unstable'),
    /** Nothing of them was seen. */
    gaps: number('not-testable'),
  };
  return { of: Object.values(parts).reduce((a, b) => a + b), ...parts };
}

/** One line about the reliability of the suite; undefined for an unknown suite. */
export function examWords(report: Report): string | undefined {
  const { exam } = report.suite;
  // The exam says nothing about a selection of files.
  if (exam === undefined || report.options.files !== undefined) return undefined;
  const { deviations, refused, honest } = exam;
  const share = ((100 * refused) / deviations).toFixed(1);
  const broken = `This suite detects ${refused} of ${deviations} known ways to break a promise (${share} %)`;
  if (honest === undefined)
    return `${broken}. It is not known how many honest services it rejects.`;
  const where = "measured on Lockstep's own services, see exam.md and honest.md";
  const { promises, notSelected } = figures(report);
  const isPart = promises.inPart + promises.gaps + notSelected > 0;
  const fewer = isPart ? ' This run tried only a part of the suite, so it detects fewer.' : '';
  return `${broken} and wrongly rejects ${honest.refused} of ${honest.services} honest services (${where}).${fewer}`;
}

/**
 * The figures as a table, for summaries. A row is its name and a number for each heading, or none if
 * the column does not apply. `notCounted` says what the table leaves out.
 */
export function figureTable(report: Report) {
  const { documented, standard, silences, unobservable, notApplicable } = figures(report);
  const none = undefined;
  const untried = silences.of - silences.observed;
  // A tally has its numbers in the order of the headings.
  const rows: readonly (readonly (string | number | undefined)[])[] = [
    ['documented', ...Object.values(documented)],
    ['standard', ...Object.values(standard)],
    ['silent', silences.of, none, none, none, none, untried, silences.observed],
  ];
  return {
    headings: [
      ...['statements', 'verified', 'in part', 'broken'],
      ...['unstable', 'not testable', 'observed'],
    ],
    rows,
    notCounted: `Not counted: ${count(unobservable, 'promise')} and ${count(silences.unobservable, 'silence')} that no call can show, ${notApplicable} of features that are switched off.`,
  };
}

/** `notes` are further sentences that narrow the first one. */
export function outcome(report: Report) {
  return { ...judged(report), notes: notes(report) };
}

function judged(report: Report) {
  const { exitCode, leftBehind, totals } = report;
  const broken = breaches(report);
  if (leftBehind.length > 0) {
    const left = count(leftBehind.length, 'object');
    const sentence = `The run left ${left} of the target changed, because it could not put back what was there.`;
    return came('failed', 'Left changed', present(sentence, broken).join(' '));
  }
  if (broken !== undefined) return came('failed', 'Failed', broken);
  // Any other exit code gives no verdict.
  if (exitCode !== exitCodes.ok && exitCode !== exitCodes.violation) {
    return came('not-judged', 'Not judged', `No verdict: ${whyNone(report)}.`);
  }
  const { custom = [] } = report.suite;
  if (custom.length > 0 && report.options.files?.length === 0) {
    const sentence = `${suiteWords(report)} ran, and broke nothing. Such files verify no promise.`;
    return came('gaps', 'Nothing broken', sentence);
  }
  if (figures(report).promises.of === 0) {
    const sentence = 'Silences were observed, and no promise was judged.';
    return came('not-judged', 'Observed only', sentence);
  }
  const { documented, standard } = figures(report);
  const departures = standard.broken + standard.unstable;
  if (documented.of === 0 && departures > 0 && exitCode === exitCodes.ok) {
    const sentence = `The target deviates from ${departures} of ${count(standard.of, 'statement')} of standards. No promise of the description was judged.`;
    return came('gaps', 'Deviates', sentence);
  }
  if (totals.gaps === 0) return came('passed', 'Passed', passed(report));
  if (report.options.allow === 'none' && exitCode === exitCodes.ok) {
    const { of, gaps } = figures(report).promises;
    const how = isTraffic(report) ? 'by the calls of clients' : 'reads only';
    const tried = `${of - gaps} of ${count(of, 'statement')} tried (${how})`;
    return came('gaps', 'Nothing broken', `${tried}. Of them, no promise is broken.`);
  }
  const sentence = `No promise is broken: ${withGaps(report)}`;
  if (exitCode === exitCodes.ok) return came('gaps', 'Passed with gaps', `${sentence}.`);
  return came('failed', 'Incomplete', `${sentence}. --complete does not allow that.`);
}

/** `word` is a short result, such as `Passed`; `sentence` explains it to a manager. */
function came(tone: Tone, word: string, sentence: string) {
  return { tone, word, sentence };
}

/** The promises and standards that the target breaks; undefined if it breaks none. */
function breaches(report: Report): string | undefined {
  const { documented, standard } = figures(report);
  const promises = count(documented.of, 'documented promise');
  const departures = standard.broken + standard.unstable;
  const custom = report.statements.filter(({ level }) => level === 'custom');
  const own = custom.filter(({ verdict }) => isFailure(verdict));
  const found = present(
    documented.broken > 0 && `breaks ${documented.broken} of ${promises}`,
    documented.unstable > 0 && `keeps ${documented.unstable} of ${promises} only at times`,
    departures > 0 &&
      report.options.standards === 'enforce' &&
      `deviates from ${departures} of ${count(standard.of, 'standard statement')}`,
    own.length > 0 &&
      `breaks ${own.length} of ${count(custom.length, 'statement')} of your own files`,
  );
  return found.length === 0 ? undefined : `The target ${list(found)}.`;
}

/** `our suite, and 3 files of yours`. */
export function suiteWords(report: Report): string {
  if (isTraffic(report)) return 'the traffic of clients';
  const { custom = [] } = report.suite;
  const { files } = report.options;
  const ours =
    files === undefined
      ? 'our suite'
      : count(files.length, 'file of our suite', 'files of our suite');
  if (custom.length === 0) return ours;
  const yours = count(custom.length, 'file of yours', 'files of yours');
  return files?.length === 0 ? yours : `${ours}, and ${yours}`;
}

function withGaps(report: Report): string {
  const { of, verified, inPart, gaps } = figures(report).promises;
  const parts = present(
    `${verified} of ${count(of, 'statement')} verified`,
    inPart > 0 && `${inPart} verified in part`,
    gaps > 0 && `${gaps} could not be tried`,
  );
  return list(parts);
}

function whyNone(report: Report): string {
  const { exitCode, interrupted, totals, preflight } = report;
  const { couldNotRun } = totals.scenarios;
  const doubted = [...new Set(preflight.map(({ name }) => name))];
  const reasons = present(
    interrupted && 'the run was interrupted',
    couldNotRun > 0 &&
      `${count(couldNotRun, 'scenario')} could not run (${reasonLost(report.scenarios)})`,
    preflight.length > 0 &&
      `the tenant file and the target contradict each other (${doubted.join(', ')}), and one of the two is wrong`,
  );
  if (reasons.length > 0) return list(reasons);
  const some = exitCode === exitCodes.couldNotRun && figures(report).promises.verified > 0;
  return some ? 'less than half of what the run may try could be tried' : 'nothing was evaluated';
}

function passed(report: Report): string {
  const { documented, standard, notSelected, notApplicable } = figures(report);
  const whole = notSelected + notApplicable === 0;
  const number = documented.of > 0 ? documented.of : standard.of;
  const noun = documented.of > 0 ? 'documented promise' : 'promise of a standard';
  const tried = number === 1 ? 'was tried' : 'were tried';
  const kept =
    number === 1 ? `the one ${noun}` : `all ${number} ${noun.replace('promise', 'promises')}`;
  return `The target keeps ${kept} that ${whole ? 'a call can show' : tried}.`;
}

function notes(report: Report): readonly string[] {
  const { standard, notSelected } = figures(report);
  const { only, files, standards } = report.options;
  const { custom = [] } = report.suite;
  const named = new Set([...custom.map(({ file }) => file), ...(files ?? [])]);
  const { documented } = report.totals.statements;
  const idle = report.scenarios.filter(({ file, outcome }) => named.has(file) && outcome !== 'ran');
  return present(
    standard.broken + standard.unstable > 0 &&
      standards === 'report' &&
      `It deviates from ${count(standard.broken + standard.unstable, 'statement')} of standards. The run reports that and does not fail on it.`,
    documented.observed > 0 &&
      `It differs in ${count(documented.observed, 'statement')} that the description only implies (inferred). The run reports that and does not fail on it.`,
    (only.length > 0 || notSelected > 0) &&
      `The run was narrowed: ${count(notSelected, 'statement was', 'statements were')} not in it.`,
    ...idle.map((item) => `${item.file} did not run: ${givenReason(item)}.`),
  );
}
