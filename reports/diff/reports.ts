/** What changed from one run to the next, put into words. No value of a target's data is shown. */

import {
  FACTOR,
  FEWEST_SAMPLES,
  type LatencyChange,
  MILLISECONDS,
} from '../../conformance/compare/latency.ts';
import { compareReports } from '../../conformance/compare/reports.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { failedLines } from '../findings.ts';
import { atMost, count, duration, list, place, present, words } from '../text.ts';
import { type Digest, type DigestLine, idsLine } from './digest.ts';

export function diffReports(last: Report, now: Report): Digest {
  const changes = compareReports(last, now);
  const { verdicts, silences, latency, warnings, worse } = changes;
  const kinds = Object.groupBy(verdicts, ({ kind }) => kind);
  const { broke = [], firstSeen = [], mended = [], otherwise = [], still = [] } = kinds;
  const idsOf = (all: readonly VerdictChange[] = []) => all.map(({ key }) => key);
  const parts = present(
    broke.length > 0 && `+${broke.length} broken`,
    firstSeen.length > 0 &&
      `+${firstSeen.length} broken that ${firstSeen.length === 1 ? 'was' : 'were'} not tried before`,
    mended.length > 0 && `-${mended.length}${broke.length > 0 ? '' : ' broken'}`,
    otherwise.length > 0 && `${otherwise.length} broken in another way`,
    silences.length > 0 && `${count(silences.length, 'silence')} answered otherwise`,
    ...paces(latency),
  );
  return {
    title: 'Since the last run',
    headline: parts.join(', ') || 'no difference',
    tone: worse ? 'worse' : parts.length > 0 ? 'changed' : 'same',
    about: { last: about(last), now: about(now) },
    warnings,
    sections: [
      { heading: 'Broken', lines: broke.map(broken) },
      { heading: 'Broken, and not tried before', lines: firstSeen.map(broken) },
      { heading: 'Mended', lines: mended.map(changed) },
      { heading: 'Broken in another way', lines: otherwise.map(broken) },
      { heading: 'Still broken', lines: still.map(changed) },
      { heading: 'Silences answered otherwise', lines: silences.map(silence) },
      { heading: 'Latency', note: latencyNote, lines: latency.operations.map(pace) },
      {
        heading: 'Not compared',
        uncounted: true,
        lines: [
          ...idsLine('tried only before', idsOf(kinds.noLongerTried)),
          ...idsLine('tried only now', idsOf(kinds.newlyTried)),
          ...idsLine('known only to the earlier report', changes.onlyBefore),
          ...idsLine('known only to this report', changes.onlyNow),
        ],
      },
    ],
  };
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

type Changes = ReturnType<typeof compareReports>;
type VerdictChange = Changes['verdicts'][number];

function changed({ key: name, was, now: { verdict, text } }: VerdictChange): DigestLine {
  const before = was === undefined || was.verdict === verdict ? '' : `, was ${words(was.verdict)}`;
  return { name, text: `${words(verdict)}${before}: ${text}` };
}

/** With the places where it shows; the values themselves stand in the report alone. */
function broken(change: VerdictChange): DigestLine {
  const places = failedLines(change.now).map(({ first, all }) => {
    const { scenario, step, location, evidence } = first;
    const more = all.length > 1 && `${all.length - 1} more like it`;
    return present(`${scenario}, step ${step}`, place(location), evidence[0], more).join('; ');
  });
  const details = atMost(3, places, (left) => `and ${count(left, 'more place')}`);
  return { ...changed(change), details };
}

function silence({
  statement,
  was,
  now,
  changed: places,
}: Changes['silences'][number]): DigestLine {
  const first = places
    .slice(0, 1)
    .map(({ now: { scenario, step } }) => `${scenario}, step ${step}`);
  const text = `${list(now)}, was ${list(was)}: ${statement.text}`;
  return { name: statement.id, text, details: first };
}

export function about({ target, startedAt, runId, suite }: Report): string {
  const kind = target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant';
  return `${target.baseUrl}, ${kind}, ${startedAt}, run ${runId}, Lockstep ${suite.version}`;
}
