/** The formats that a report is written in, composed: name of the file to content. */
import { readFileSync } from 'node:fs';
import type { Exam, Report } from '../conformance/judge/report.ts';
import { examFigure } from '../lab/exam/exam-md.ts';
import { honestFigure } from '../lab/honest/honest-figure.ts';
import { ctrf } from '../reports/ctrf.ts';
import { certificateHtml } from '../reports/html/certificate-html.ts';
import { junit } from '../reports/junit.ts';
import { profileYaml } from '../reports/profile-yaml.ts';
import { summaryMd } from '../reports/summary-md.ts';
import { type EvidenceText, json } from '../reports/write.ts';
import { ifThere } from '../spec/base/refused.ts';

/** All files but the evidence, which the certificate shows parts of. Pure. */
export function reportFiles(
  report: Report,
  evidence: readonly EvidenceText[],
): Map<string, string> {
  return new Map([
    ['certificate.html', certificateHtml(report, evidence)],
    ['junit.xml', junit(report)],
    ['ctrf.json', json(ctrf(report))],
    ['summary.md', summaryMd(report)],
    ['profile.yaml', profileYaml(report)],
    ['report.json', json(report)],
  ]);
}

/** How the suite that comes with Lockstep did in its exam, both ways. */
export function ownExam(): Exam {
  const tableOf = (name: string): string =>
    readFileSync(new URL(`../reports/${name}.md`, import.meta.url), 'utf8');
  const honest = ifThere(() => tableOf('honest'));
  return {
    ...examFigure(tableOf('exam')),
    ...(honest !== undefined && { honest: honestFigure(honest) }),
  };
}
