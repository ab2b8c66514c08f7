/** The formats that a report is written in, composed: name of the file to content. */
import { readFileSync } from 'node:fs';
import type { CertificateFiles } from '../conformance/commands/certificate-files.ts';
import { gateOfReport } from '../conformance/gate/night.ts';
import type { Gate } from '../conformance/judge/gate.generated.ts';
import type { Exam, Report } from '../conformance/judge/report.ts';
import { examFigure } from '../lab/exam/exam-md.ts';
import { honestFigure } from '../lab/honest/honest-figure.ts';
import { ctrf } from '../reports/ctrf.ts';
import { comparisonMd } from '../reports/diff/comparison.ts';
import { readExchanges } from '../reports/exchanges.ts';
import { certificateHtml } from '../reports/html/certificate-html.ts';
import { junit } from '../reports/junit.ts';
import { gateComparison } from '../reports/nights/gate.ts';
import { profileYaml } from '../reports/profile-yaml.ts';
import { summaryMd } from '../reports/summary-md.ts';
import { type EvidenceText, json } from '../reports/write.ts';
import { ifThere } from '../spec/base/refused.ts';

/** All files except the evidence; the certificate shows parts of that. Pure. */
export function reportFiles(
  report: Report,
  evidence: readonly EvidenceText[],
): Map<string, string> {
  const exchanges = readExchanges(evidence);
  return new Map([
    ['certificate.html', certificateHtml(report, evidence)],
    ['junit.xml', junit(report, exchanges)],
    ['ctrf.json', json(ctrf(report, exchanges))],
    ['summary.md', summaryMd(report, exchanges)],
    ['profile.yaml', profileYaml(report)],
    ['report.json', json(report)],
  ]);
}

/** The gate's files about a night: one for programs, one for people. */
export function gateFiles(gate: Gate): Map<string, string> {
  return new Map([
    ['gate.json', json(gate)],
    ['gate.md', comparisonMd(gateComparison(gate))],
  ]);
}

/** All files that a certificate should hold, but for the evidence. Throws Refused. */
export function certificateFiles({ report, evidence, read }: CertificateFiles) {
  const text = read('gate.json');
  if (text === undefined) return reportFiles(report, evidence);
  const gate = gateOfReport(text, report);
  return new Map([...reportFiles(report, evidence), ...gateFiles(gate)]);
}

/** The results of the suite's own exams: deviations noticed, and honest tenants passed. */
export function ownExam(): Exam {
  const tableOf = (name: string): string =>
    readFileSync(new URL(`../reports/${name}.md`, import.meta.url), 'utf8');
  const honest = ifThere(() => tableOf('honest'));
  return {
    ...examFigure(tableOf('exam')),
    ...(honest !== undefined && { honest: honestFigure(honest) }),
  };
}
