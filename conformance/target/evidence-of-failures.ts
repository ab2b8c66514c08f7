/**
 * Keeps only the evidence of failures (`--evidence failures`): less evidence holds the personal data of
 * fewer people. `verify` derives less from it, and says so.
 */

import { hash } from 'node:crypto';
import { harLog } from '../../spec/base/har.ts';
import type { Redacted } from '../../spec/base/redactor.ts';
import { version } from '../../spec/base/version.ts';
import { notice, type Report } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { entriesOf, type KeptFile } from './evidence.ts';

/** A report and its evidence, without the exchanges of scenarios in which nothing is broken. */
export function evidenceOfFailures(report: Report, evidence: readonly KeptFile[]) {
  const broken = brokenScenarios(report);
  const moved = new Map<string, string>();
  const kept = evidence.flatMap((file) => {
    const places = placesOf(file, broken);
    if (places.length === 0) return [];
    for (const [to, from] of places.entries())
      moved.set(`${file.file}#${from}`, `${file.file}#${to}`);
    return part(file, places);
  });
  const left = (references: readonly string[]): string[] =>
    references.flatMap((reference) => moved.get(reference) ?? []);
  const statements = report.statements.map((statement) => ({
    ...statement,
    checks: statement.checks.map((check) => ({
      ...check,
      evidence: left(check.evidence),
      ...(check.held && { held: left(check.held) }),
    })),
  }));
  const observations = report.observations.map((one) => ({ ...one, evidence: left(one.evidence) }));
  const files = kept.map(({ file, sha256, entries }) => ({ file, sha256, entries }));
  return { report: { ...report, evidence: files, statements, observations }, evidence: kept };
}

/**
 * The scenarios in which something failed, was left changed, or could not run; also the preflight, if it
 * found something.
 */
function brokenScenarios(report: Report): ReadonlySet<string> {
  const { statements, scenarios, leftBehind, preflight } = report;
  const checks = statements.flatMap((statement) => statement.checks);
  const failed = checks.filter(({ verdict }) => isFailure(verdict));
  const lost = scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  const found = preflight.map(() => ({ scenario: 'preflight' }));
  return new Set([...failed, ...lost, ...leftBehind, ...found].map(({ scenario }) => scenario));
}

/** The numbers of the entries that are kept. */
function placesOf({ text }: KeptFile, broken: ReadonlySet<string>): number[] {
  return [...entriesOf(text).entries()]
    .filter(([, { _lockstep }]) => broken.has(_lockstep.scenario))
    .map(([place]) => place);
}

/** A file with these entries alone. Its text is made at each use, to keep little in memory. */
function part(whole: KeptFile, places: readonly number[]): KeptFile {
  const made = (): Redacted => {
    const entries = entriesOf(whole.text);
    const kept = entries.filter((_entry, place) => places.includes(place));
    // Everything in it was redacted when it was written.
    return JSON.stringify(harLog(kept, version, notice)) as Redacted;
  };
  const text = made();
  return {
    file: whole.file,
    sha256: hash('sha256', text),
    entries: places.length,
    bytes: Buffer.byteLength(text),
    get text() {
      return made();
    },
  };
}
