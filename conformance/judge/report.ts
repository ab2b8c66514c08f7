/**
 * The report of a run: everything that renderers and `verify` need, as plain JSON data.
 *
 * A run writes it once, at its end. It holds no secrets, because capture redacts them. The published
 * `report.schema.json` defines its form, and `npm run generate` makes these types from it.
 */

import type { CheckResult, ExitCode, Report, Variation } from './report.generated.ts';

export type * from './report.generated.ts';

export const exitCodes = {
  ok: 0,
  violation: 1,
  usage: 2,
  stale: 3,
  couldNotRun: 4,
  unsafe: 5,
} as const satisfies Readonly<Record<string, ExitCode>>;

/** Part of the report, the certificate and the evidence. */
export const notice =
  'It holds answers of the target, and personal data with them: keep it no longer than it is needed.';

/** The scenario of the planned writes that mark a tenant for the length of a run. */
export const markOfRun = 'mark of the run';

/** A check result with the statement that it belongs to. */
export type Judged = CheckResult & {
  readonly statement: string;
  /** The ways in which the step was made: the caller, the deployment, the spelling. */
  readonly ways?: readonly string[] | undefined;
};

/** Whether a report is about the traffic of clients (`proxy`, `grade`). Then no run made the calls. */
export const isTraffic = ({ scenarios }: Pick<Report, 'scenarios'>): boolean =>
  scenarios.some(({ file }) => file === 'traffic');

/** The identity of a check: the same in each attempt of its scenario. */
export function placeOf({
  statement,
  step,
  location,
  kind,
}: Pick<Judged, 'statement' | 'step' | 'location' | 'kind'>): string {
  return `${statement} ${step} ${location.line}:${location.column} ${kind}`;
}

/** The id of a step in the scenario; a step that ran more than once has its number at the end. */
export function writtenStep(id: string): string {
  return id.replace(/(\[\d+\])+$/, '');
}

/** The changes of a variation in words, without repetition. */
export function changesIn({ as = {}, rewritten = {}, elsewhere, text }: Variation = {}): string[] {
  const changes = [
    ...Object.values(as).map((name) => `as ${name}`),
    ...Object.values(rewritten).flat(),
    ...(elsewhere === true ? ['in the other deployment'] : []),
    ...(text === undefined ? [] : [text]),
  ];
  return [...new Set(changes)];
}

/** Every file name that a run's folder may hold, apart from the evidence. */
export const filesOfRun: readonly string[] = [
  ...['report.json', 'attestation.json', 'certificate.html', 'junit.xml', 'ctrf.json'],
  ...['summary.md', 'profile.yaml', 'gate.md', 'gate.json'],
];
