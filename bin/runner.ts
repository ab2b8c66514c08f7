/** The runner's commands, composed: options in, report files out, words on the terminal. */
import { safetyFacts } from '../conformance/areas/safety.ts';
import { certify } from '../conformance/commands/command.ts';
import type { CertifyOptions, CommandIo } from '../conformance/commands/options.ts';
import { undo } from '../conformance/commands/undo.ts';
import { verify } from '../conformance/commands/verify.ts';
import type { PlannedWrite } from '../conformance/judge/report.ts';
import { list } from '../conformance/language/list.ts';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { consoleSummary } from '../reports/console.ts';
import { githubAnnotations } from '../reports/github-annotations.ts';
import { createProgress } from '../reports/progress.ts';
import { writeReport } from '../reports/write.ts';
import { version } from '../spec/base/version.ts';
import { reportFiles } from './report-files.ts';

/** Certifies, writes the report and prints its summary; resolves to the exit code. */
export async function runCertify(options: CertifyOptions): Promise<number> {
  const progress = createProgress(process.stderr);
  const certified = await certify(options, {
    ...surroundings(),
    onPlan: (plan, { kind, baseUrl }) => {
      process.stderr.write(
        planText(plan.writes, baseUrl, kind === 'tenant' || options.dryRun === true),
      );
    },
    onProgress: progress,
  });
  const { exitCode, message, report, out, evidence } = certified;
  if (message !== undefined) process.stderr.write(`lockstep: ${message}\n`);
  if (report !== undefined && out !== undefined) {
    const { directory } = await writeReport(report, out, reportFiles(report), evidence);
    process.stdout.write(consoleSummary(report, { directory, colour: process.stdout.isTTY }));
    if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(githubAnnotations(report));
  }
  return exitCode;
}

/** Prints statement -> checks. */
export function runList(): number {
  for (const { id, level, text, unobservable, checks } of list(loadOwnSuite())) {
    process.stdout.write(`${id} (${level}) ${text}\n`);
    if (unobservable !== undefined) process.stdout.write(`  unobservable: ${unobservable}\n`);
    for (const { place, scenario, step } of checks) {
      process.stdout.write(`  ${place}  ${scenario} / ${step}\n`);
    }
  }
  return 0;
}

/** Finishes the clean-up of an interrupted run. */
export async function runUndo(options: { readonly ledger?: string | undefined }): Promise<number> {
  const done = await undo(options, surroundings());
  const lines = [
    ...done.restored.map((text) => `restored: ${text}`),
    ...done.untouched.map((text) => `as it was: ${text}`),
    ...done.permanent.map((text) => `cannot be taken back: ${text}`),
    ...done.refused.map((text) => `left alone, somebody else has changed it since: ${text}`),
    ...done.failed.map((text) => `could not be restored: ${text}`),
  ];
  if (done.message !== undefined) process.stderr.write(`lockstep: ${done.message}\n`);
  process.stdout.write(lines.length > 0 ? `${lines.join('\n')}\n` : 'nothing to undo\n');
  return done.exitCode;
}

/** Re-derives the verdicts of a certificate from its evidence. */
export async function runVerify(file: string): Promise<number> {
  const done = await verify(file);
  const lines = [
    ...done.problems,
    ...done.differences.map(
      ({ statement, reported, derived }) =>
        `${statement}: the certificate says ${reported}, its evidence says ${derived}`,
    ),
  ];
  if (done.message !== undefined) process.stderr.write(`lockstep: ${done.message}\n`);
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (done.exitCode === 0) {
    process.stdout.write(`all ${done.alike} verdicts follow from the evidence\n`);
  }
  return done.exitCode;
}

/** Starts a mock over HTTPS in this process and certifies it. */
export async function runSelfCertify(options: CertifyOptions): Promise<number> {
  const { startMock } = await import('../mock/kits/index.ts');
  const { selfSigned } = await import('../mock/cli/tls.ts');
  const tls = await selfSigned('127.0.0.1');
  await using mock = await startMock({ tls });
  // Awaited here: the mock closes when this function is left.
  return await runCertify({ ...options, baseUrl: mock.baseUrl, ca: tls.cert });
}

export function surroundings(): CommandIo {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error('the run was interrupted')));
  }
  return {
    env: process.env,
    cwd: process.cwd(),
    safety: safetyFacts,
    version,
    signal: stop.signal,
  };
}

/** Every write that the run will make, alike ones counted; for a mock's own world their number alone. */
function planText(writes: readonly PlannedWrite[], baseUrl: string, whole: boolean): string {
  const lines = new Map<string, number>();
  for (const { effect, operation, object, actor } of writes) {
    const line = `${effect.padEnd(10)}  ${operation} on ${object}, as ${actor}`;
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  const head = `plan: ${writes.length} writes to ${baseUrl}`;
  if (!whole) return `${head}, all in a world of its own\n`;
  const list = [...lines].map(([line, count]) => `  ${line}${count > 1 ? `, ${count} times` : ''}`);
  return `${[head, ...list.sort()].join('\n')}\n`;
}
