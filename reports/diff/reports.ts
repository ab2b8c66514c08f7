/** What changed from one run to the next, in words. No value of a target's data is shown. */

import { compareStatements, type StatementPair } from '../../conformance/compare/compare.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { failsRun } from '../../conformance/judge/verdict.ts';
import { failedLines } from '../findings.ts';
import { atMost, count, list, place, present, words } from '../text.ts';
import { type Comparison, idsLine, type Line } from './comparison.ts';
import { latencyWords } from './latency.ts';

/** A statement that the later report knows. */
type Known = StatementPair & { readonly now: object };

export function diffReports(last: Report, now: Report): Comparison {
  const pairs = compareStatements(last, now);
  const fails = ({ now: is }: Known): boolean => failsRun(is, now.options);
  const known = pairs
    .filter((pair): pair is Known => pair.now !== undefined)
    .sort((a, b) => Number(fails(b)) - Number(fails(a)));
  const promised = known.filter((pair) => pair.now.level !== 'silent');
  const kinds = Object.groupBy(promised, ({ kind }) => kind);
  const { broke = [], firstSeen = [], mended = [], otherwise = [], still = [] } = kinds;
  const silences = known.filter((pair) => pair.answers && pair.kind === 'otherwise');
  const latency = latencyWords(last.latency, now.latency);
  const parts = present(
    broke.length > 0 && `+${broke.length} broken`,
    firstSeen.length > 0 &&
      `+${firstSeen.length} broken that ${firstSeen.length === 1 ? 'was' : 'were'} not tried before`,
    mended.length > 0 && `-${mended.length}${broke.length > 0 ? '' : ' broken'}`,
    otherwise.length > 0 && `${otherwise.length} broken in another way`,
    silences.length > 0 && `${count(silences.length, 'silence')} answered otherwise`,
    ...latency.parts,
  );
  const changed = parts.length > 0 ? 'changed' : 'same';
  const ids = (all: readonly StatementPair[] = []) => all.map(({ key }) => key);
  const notCompared = [
    ...idsLine('tried only before', ids(kinds.noLongerTried)),
    ...idsLine('tried only now', ids(kinds.newlyTried)),
    ...idsLine('known only to the earlier report', ids(pairs.filter((pair) => !pair.now))),
    ...idsLine('known only to this report', ids(pairs.filter((pair) => !pair.was))),
  ];
  return {
    title: 'Since the last run',
    headline: parts.join(', ') || 'no difference',
    tone: [...broke, ...firstSeen].some(fails) ? 'worse' : changed,
    about: { last: about(last), now: about(now) },
    warnings: warningsOf(last, now),
    sections: [
      { heading: 'Broken', lines: broke.map(brokenLine) },
      { heading: 'Broken, and not tried before', lines: firstSeen.map(brokenLine) },
      { heading: 'Mended', lines: mended.map(verdictLine) },
      { heading: 'Broken in another way', lines: otherwise.map(brokenLine) },
      { heading: 'Still broken', lines: still.map(verdictLine) },
      { heading: 'Silences answered otherwise', lines: silences.map(silenceLine) },
      latency.section,
      { heading: 'Not compared', uncounted: true, lines: notCompared },
    ],
  };
}

function verdictLine({ key: name, was, now: { verdict, text } }: Known): Line {
  const before = was === undefined || was.verdict === verdict ? '' : `, was ${words(was.verdict)}`;
  return { name, text: `${words(verdict)}${before}: ${text}` };
}

/** With the places where it shows; the values themselves stand in the report alone. */
function brokenLine(pair: Known): Line {
  const places = failedLines(pair.now).map(({ first, all }) => {
    const { scenario, step, location, evidence } = first;
    const more = all.length > 1 && `${all.length - 1} more like it`;
    return present(`${scenario}, step ${step}`, place(location), evidence[0], more).join('; ');
  });
  const details = atMost(3, places, (left) => `and ${count(left, 'more place')}`);
  return { ...verdictLine(pair), details };
}

function silenceLine({ key: name, now: { text }, answers }: Known): Line {
  const { was = [], now = [], changed: [first] = [] } = answers ?? {};
  const details = first && [`${first.now.scenario}, step ${first.now.step}`];
  return { name, text: `${list(now)}, was ${list(was)}: ${text}`, details };
}

export function about({ target, startedAt, runId, suite }: Report): string {
  const kind = target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant';
  return `${target.baseUrl}, ${kind}, ${startedAt}, run ${runId}, Lockstep ${suite.version}`;
}

/** Why the two can be compared only in part. */
function warningsOf(last: Report, now: Report): string[] {
  // A mock listens elsewhere each time, and makes a world for each run.
  const mocks = last.target.kind === 'mock' && now.target.kind === 'mock';
  const factsOf = ({ target, suite, options }: Report): Record<string, string> => ({
    ...(!mocks && { 'another target': target.baseUrl }),
    'another version of the contract': suite.contractVersion,
    'another contract': suite.contractSha256,
    'other statements': suite.statementsSha256,
    'other scenarios': suite.scenariosSha256,
    'other writes allowed': options.allow,
    'another --standards': options.standards,
  });
  const before = factsOf(last);
  return [
    ...Object.entries(factsOf(now))
      .filter(([what, is]) => is !== before[what])
      .map(([what, is]) => `${what}: ${short(before[what])} before, ${short(is)} now`),
    ...whyPartial(last, 'the earlier run'),
    ...whyPartial(now, 'this run'),
  ];
}

/** Why a report does not cover everything. */
export function whyPartial({ options: { only }, interrupted }: Report, run: string): string[] {
  return present(
    only.length > 0 && `${run} was narrowed to ${only.join(', ')}`,
    interrupted && `${run} was interrupted`,
  );
}

/** A digest is told by its beginning. */
function short(text = ''): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
