/**
 * The report of a run: everything that renderers and `verify` need, as plain JSON data.
 *
 * Written once at the end of a run; nothing in it is secret (redaction happens at capture). Its
 * form is said once, by the published `report.schema.json`: `npm run generate` makes these types.
 */

import type { CheckResult, ExitCode, Variation } from './report.generated.ts';

export type * from './report.generated.ts';

export const exitCodes = {
  ok: 0,
  violation: 1,
  usage: 2,
  stale: 3,
  couldNotRun: 4,
  unsafe: 5,
} as const satisfies Readonly<Record<string, ExitCode>>;

/** Stands in the report, the certificate and the evidence. */
export const notice =
  'It holds answers of the target, and personal data with them: keep it no longer than it is needed.';

/** A check result with the statement that it belongs to. */
export type Judged = CheckResult & {
  readonly statement: string;
  /** In which ways the step was made: as whom, in which deployment, in which spelling. */
  readonly ways?: readonly string[] | undefined;
};

/** Which check a result is of: the same in each try of its scenario. */
export function placeOf({
  statement,
  step,
  location,
  kind,
}: Pick<Judged, 'statement' | 'step' | 'location' | 'kind'>): string {
  return `${statement} ${step} ${location.line}:${location.column} ${kind}`;
}

/** The id of a step as the scenario has it: what ran more than once has its number behind it. */
export function writtenStep(id: string): string {
  return id.replace(/(\[\d+\])+$/, '');
}

/** The changes of a variation in words, each once. */
export function changesIn({ as = {}, rewritten = {}, elsewhere, text }: Variation = {}): string[] {
  const changes = [
    ...Object.values(as).map((name) => `as ${name}`),
    ...Object.values(rewritten).flat(),
    ...(elsewhere === true ? ['in the other deployment'] : []),
    ...(text === undefined ? [] : [text]),
  ];
  return [...new Set(changes)];
}

/** Every name that may stand in the folder of a run, besides those of its evidence. */
export const filesOfRun: readonly string[] = [
  ...['report.json', 'attestation.json', 'certificate.html', 'junit.xml', 'ctrf.json'],
  ...['summary.md', 'profile.yaml', 'gate.md', 'gate.json'],
];
