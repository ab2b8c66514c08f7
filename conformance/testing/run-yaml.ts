/** Runs scenarios that a test writes as text, against a fake service, as a tenant. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safetyFacts } from '../areas/safety.ts';
import { type Certified, certify, type Failure, failureOf } from '../commands/command.ts';
import type { CertifyOptions, CommandIo } from '../commands/options.ts';
import type { ProgressEvent } from '../judge/progress-event.ts';
import type { CheckResult } from '../judge/report.ts';
import { loadSuite } from '../language/load.ts';
import type { TraceEvent } from '../target/trace-event.ts';
import { env, type FakeService, tenantYaml } from './fake-service.ts';

export interface Ran extends Partial<Certified>, Pick<Failure, 'exitCode'> {
  readonly folder: string;
  /** Checks of a statement, in order. */
  readonly checks: (id: string) => readonly CheckResult[];
  readonly progress: readonly ProgressEvent[];
  readonly trace: readonly TraceEvent[];
}

export async function runYaml(
  service: FakeService,
  scenarios: readonly string[],
  options: CertifyOptions = {},
  folder: string = mkdtempSync(join(tmpdir(), 'lockstep-')),
  io: Partial<CommandIo> = {},
): Promise<Ran> {
  const tenant = join(folder, 'tenant.yaml');
  // A bound folder carries the mark of the run; tests of other objects count their own writes only.
  const others = options.suite ?? options.scenarios;
  const usesFolder = scenarios.some((text) => text.includes('updateFolder'));
  writeFileSync(tenant, tenantYaml(service.baseUrl, usesFolder || others !== undefined));
  const suite = loadSuite(
    scenarios.map((text, index) => ({ name: `scenarios/test/${index}.yaml`, text })),
  );
  const progress: ProgressEvent[] = [];
  const trace: TraceEvent[] = [];
  const ran: Partial<Certified> & Pick<Failure, 'exitCode'> = await certify(
    {
      tenant,
      suite,
      allow: 'disruptive',
      convergenceMs: 300,
      // A fixed seed, so that the order is the same each time.
      seed: 0,
      out: join(folder, 'out'),
      ledger: join(folder, 'ledger'),
      ...options,
    },
    {
      env,
      cwd: folder,
      safety: safetyFacts,
      version: '0.0.0',
      locks: join(folder, 'locks'),
      onProgress: (event) => progress.push(event),
      onTrace: (event) => trace.push(event),
      ...io,
    },
  ).then((done) => ({ ...done, exitCode: done.report.exitCode }), failureOf);
  writeFiles(ran);
  const statements = ran.report?.statements ?? [];
  return {
    ...ran,
    folder,
    progress,
    trace,
    checks: (id) => statements.find((item) => item.id === id)?.checks ?? [],
  };
}

/** Writes the report and its evidence into a folder for `verify`. */
function writeFiles({ out, report, evidence = [], copies = [] }: Partial<Certified>): void {
  if (out === undefined || report === undefined) return;
  mkdirSync(join(out, 'evidence', 'scenarios'), { recursive: true });
  for (const { copy, text } of copies) writeFileSync(join(out, copy), text);
  for (const { file, text } of evidence) writeFileSync(join(out, file), text);
  writeFileSync(join(out, 'report.json'), JSON.stringify(report));
}
