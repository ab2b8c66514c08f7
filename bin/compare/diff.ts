/** The comparisons, composed: files and targets in, a digest on the terminal and in files. */
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { readReport } from '../../conformance/compare/read-report.ts';
import type { TargetRun } from '../../conformance/compare/targets.ts';
import { type Digest, digestHtml, digestMd, digestText } from '../../reports/diff/digest.ts';
import { diffReports } from '../../reports/diff/reports.ts';
import { diffTargets } from '../../reports/diff/targets.ts';
import { profileYaml } from '../../reports/profile-yaml.ts';
import { print, redactor } from '../../reports/terminal.ts';
import { Refused } from '../../spec/base/refused.ts';

/** What a digest is written as, by the end of the file's name. */
const forms: Readonly<Record<string, (digest: Digest) => string>> = {
  '.html': digestHtml,
  '.md': digestMd,
  '.txt': digestText,
};

/** Two reports; resolves to the exit code. */
export function runDiffReports(last: string, now: string, out: readonly string[]): number {
  return tell(diffReports(readReport(last), readReport(now)), out);
}

/** Two targets that ran the same scenarios; the exit code. */
export function tellTargets(
  { a, b }: { readonly a: TargetRun; readonly b: TargetRun },
  learn: string | undefined,
  out: readonly string[],
): number {
  const found = tell(diffTargets(a, b), out);
  if (learn !== undefined) save(learn, profileYaml(b.report));
  const codes = [a, b].map(({ report }) => report.exitCode);
  // Something left changed comes before all else; what could not be tried only where nothing is wrong.
  return codes.includes(5) ? 5 : found === 0 && codes.includes(4) ? 4 : found;
}

/** Prints a digest, and writes it to each file; `more` has forms that only this one is written in. */
export function tell(digest: Digest, out: readonly string[], more: typeof forms = {}): number {
  for (const file of out) {
    const form = { ...forms, ...more }[extname(file)];
    if (form === undefined) throw new Refused(`${file}: only drift writes this form`);
    save(file, form(digest));
  }
  print(digestText(digest));
  return digest.tone === 'worse' ? 1 : 0;
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, redactor.text(text));
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${(error as Error).message}`);
  }
}
