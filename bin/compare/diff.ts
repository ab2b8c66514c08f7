/** The comparisons, composed: files and targets in, a comparison on the terminal and in files. */
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Clients, readReliance } from '../../conformance/compare/read-reliance.ts';
import { readReport } from '../../conformance/compare/read-report.ts';
import { type Comparison, comparisonMd, comparisonText } from '../../reports/diff/comparison.ts';
import { diffReports } from '../../reports/diff/reports.ts';
import { diffTargets, type TargetRun } from '../../reports/diff/targets.ts';
import { profileYaml } from '../../reports/profile-yaml.ts';
import { print, redactor } from '../../reports/terminal.ts';
import { inWords, Refused } from '../../spec/base/refused.ts';

/** The writer of a comparison, by the end of the file's name. */
const forms: Readonly<Record<string, (comparison: Comparison) => string>> = {
  '.md': comparisonMd,
  '.txt': (comparison) => comparisonText(comparison),
};

/** Compares two reports; resolves to the exit code. `reliance` is a folder of files from `lockstep client`. */
export function runDiffReports(
  last: string,
  now: string,
  out: readonly string[],
  reliance: string | undefined,
): number {
  const clients = readReliance(reliance);
  return tell(diffReports(readReport(last), readReport(now), clients), out);
}

/** Compares two targets that ran the same scenarios; returns the exit code. */
export function tellTargets(
  { a, b }: { readonly a: TargetRun; readonly b: TargetRun },
  learn: string | undefined,
  out: readonly string[],
  clients: Clients,
): number {
  const found = tell(diffTargets(a, b, clients), out);
  if (learn !== undefined) save(learn, profileYaml(b.report));
  const codes = [a, b].map(({ report }) => report.exitCode);
  // 5 (something is left changed) comes first; 4 (not tried) counts only if nothing is wrong.
  return codes.includes(5) ? 5 : found === 0 && codes.includes(4) ? 4 : found;
}

/** Prints a comparison, and writes it to each file. */
export function tell(comparison: Comparison, out: readonly string[]): number {
  for (const file of out) save(file, forms[extname(file)]?.(comparison) ?? '');
  print(comparisonText(comparison));
  return comparison.tone === 'worse' ? 1 : 0;
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, redactor.text(text));
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${inWords(error)}`);
  }
}
