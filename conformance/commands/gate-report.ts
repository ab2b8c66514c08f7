/** The gate on a report that is there, such as that of merged shards: it is compared, and nothing runs. */

import { resolve } from 'node:path';
import { Refused } from '../../spec/base/refused.ts';
import { type CertificateFiles, readCertificate, writtenBefore } from './certificate-files.ts';
import { type Certified, failureOf } from './command.ts';
import { type Gated, type GateOptions, gate } from './gate.ts';
import type { CommandIo } from './options.ts';
import { mayReplace } from './replaces.ts';

/** `path` is the report or its folder. With `out` it is written there, with what the gate says. */
export async function gateReport(
  path: string,
  options: GateOptions,
  io: CommandIo,
): Promise<Gated> {
  try {
    const files = wholeReport(resolve(io.cwd, path));
    const { report } = files;
    const { baseUrl } = report.target;
    const out = options.out === undefined ? undefined : resolve(io.cwd, options.out);
    if (out !== undefined) mayReplace(out, report, options.force);
    const whole = { exitCode: report.exitCode, report, evidence: writtenBefore(files) };
    const has: Certified = out === undefined ? whole : { ...whole, out };
    return await gate({ ...options, baseUrl, tenant: undefined }, io, async () => has);
  } catch (error) {
    return { ...failureOf(error), warnings: [] };
  }
}

/** Throws Refused. */
function wholeReport(path: string): CertificateFiles {
  const files = readCertificate(path);
  if ('problem' in files) throw new Refused(files.problem);
  const { shard } = files.report.options;
  if (shard === undefined) return files;
  throw new Refused(
    `${path} holds shard ${shard.index}/${shard.of} of a run: give --report what lockstep merge makes of all shards`,
  );
}
