/** What changed from one run to the next, put into words. No value of a target's data is shown. */

import {
  FACTOR,
  FEWEST_SAMPLES,
  type LatencyChange,
  MILLISECONDS,
} from '../../conformance/compare/latency.ts';
import { compareReports, type VerdictChange } from '../../conformance/compare/reports.ts';
import type { SilenceChange } from '../../conformance/compare/silences.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { failedLines } from '../findings.ts';
import { atMost, count, duration, list, place, present, words } from '../text.ts';
import { type Digest, type DigestLine, idsLine } from './digest.ts';

export function diffReports(last: Report, now: Report): Digest {
  const changes = compareReports(last, now);
  const { verdicts, silences, latency } = changes;
  const headline = headlineOf(changes);
  const of = (kind: VerdictChange['kind']) => verdicts.filter((change) => change.kind === kind);
  const idsOf = (kind: VerdictChange['kind']) => of(kind).map(({ statement }) => statement.id);
  return {
    title: 'Since the last run',
    headline,
    tone: changes.worse ? 'worse' : headline === NOTHING ? 'same' : 'changed',
    about: { last: about(last), now: about(now) },
    warnings: changes.warnings,
    sections: [
      { heading: 'Broken', lines: of('broke').map(broken) },
      { heading: 'Broken, and not tried before', lines: of('firstSeen').map(broken) },
      { heading: 'Mended', lines: of('mended').map(changed) },
      { heading: 'Broken in another way', lines: of('otherwise').map(broken) },
      { heading: 'Still broken', lines: of('still').map(changed) },
      { heading: 'Silences answered otherwise', lines: silences.map(silence) },
      { heading: 'Latency', note: latencyNote, lines: latency.operations.map(pace) },
      {
        heading: 'Not compared',
        uncounted: true,
        lines: [
          ...idsLine('tried only before', idsOf('noLongerTried')),
          ...idsLine('tried only now', idsOf('newlyTried')),
          ...idsLine('known only to the earlier report', changes.onlyBefore),
          ...idsLine('known only to this report', changes.onlyNow),
        ],
      },
    ],
  };
}

const NOTHING = 'no difference';

type Changes = ReturnType<typeof compareReports>;

function headlineOf({ verdicts, silences, latency }: Changes): string {
  const of = (kind: VerdictChange['kind']) => verdicts.filter((one) => one.kind === kind).length;
  const [broke, firstSeen] = [of('broke'), of('firstSeen')];
  const [mended, otherwise] = [of('mended'), of('otherwise')];
  const parts = present(
    broke > 0 && `+${broke} broken`,
    firstSeen > 0 &&
      `+${firstSeen} broken that ${firstSeen === 1 ? 'was' : 'were'} not tried before`,
    mended > 0 && (broke > 0 ? `-${mended}` : `-${mended} broken`),
    otherwise > 0 && `${otherwise} broken in another way`,
    silences.length > 0 && `${count(silences.length, 'silence')} answered otherwise`,
    ...paces(latency),
  );
  return parts.length > 0 ? parts.join(', ') : NOTHING;
}

function paces({ pace, operations }: Changes['latency']): string[] {
  const slower = operations.filter((change) => change.now > change.was);
  const quicker = operations.length - slower.length;
  const [worst, ...others] = slower;
  return present(
    worst !== undefined && `${worst.operation} ${factor(worst)} slower`,
    others.length > 0 && `${others.length} more slower`,
    quicker > 0 && `${count(quicker, 'operation')} quicker`,
    pace >= FACTOR && `the whole run ${pace.toFixed(1)} x slower`,
  );
}

function factor({ was: before, now }: LatencyChange): string {
  const times = Math.max(before, now) / Math.max(0.1, Math.min(before, now));
  return `${times.toFixed(1)} x`;
}

const latencyNote = `Medians of successful answers. A change counts if both runs have ${FEWEST_SAMPLES} samples, chance would make it once in 1000 comparisons (rank-sum test), and it is ${FACTOR} x and ${MILLISECONDS} ms at least, beyond what the whole run was slower or quicker.`;

function pace(change: LatencyChange): DigestLine {
  const { operation: name, was: before, now } = change;
  const how = `${factor(change)} ${now > before ? 'slower' : 'quicker'}`;
  return { name, text: `${duration(before)}, now ${duration(now)}: ${how}` };
}

function changed({ statement, was: before, now }: VerdictChange): DigestLine {
  const change =
    before === undefined || before === now ? words(now) : `${words(now)}, was ${words(before)}`;
  return { name: statement.id, text: `${change}: ${statement.text}` };
}

/** With the places where it shows; the values themselves stand in the report alone. */
function broken(change: VerdictChange): DigestLine {
  const places = failedLines(change.statement).map(({ first, all }) => {
    const { scenario, step, location, evidence } = first;
    const more = all.length > 1 && `${all.length - 1} more like it`;
    return present(`${scenario}, step ${step}`, place(location), evidence[0], more).join('; ');
  });
  const details = atMost(3, places, (left) => `and ${count(left, 'more place')}`);
  return { ...changed(change), details };
}

function silence({ id, text, was: before, now, scenario, step }: SilenceChange): DigestLine {
  const change = `${list(now)}, was ${list(before)}: ${text}`;
  return { name: id, text: change, details: [`${scenario}, step ${step}`] };
}

export function about({ target, startedAt, runId, suite }: Report): string {
  const kind = target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant';
  return `${target.baseUrl}, ${kind}, ${startedAt}, run ${runId}, Lockstep ${suite.version}`;
}
