/** The formats that a report is written in, composed: name of the file to content. */
import type { Report } from '../conformance/judge/report.ts';
import { ctrf } from '../reports/ctrf.ts';
import { certificateHtml } from '../reports/html/certificate-html.ts';
import { junit } from '../reports/junit.ts';
import { profileYaml } from '../reports/profile-yaml.ts';
import { summaryMd } from '../reports/summary-md.ts';
import { json } from '../reports/write.ts';
import { contract } from '../spec/contract.ts';

/** All files but `report.json` and the evidence. Pure. */
export function reportFiles(report: Report): ReadonlyMap<string, string> {
  return new Map([
    ['certificate.html', certificateHtml(report, contract)],
    ['junit.xml', junit(report)],
    ['ctrf.json', json(ctrf(report))],
    ['summary.md', summaryMd(report)],
    ['profile.yaml', profileYaml(report, contract.statements)],
  ]);
}
