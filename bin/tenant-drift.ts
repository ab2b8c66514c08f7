/** `lockstep drift --tenant` compares the description that a tenant shows with the contract. */
import { openTarget, readAddress } from '../conformance/commands/open-target.ts';
import type { CertifyOptions, CommandIo } from '../conformance/commands/options.ts';
import { restoringAuthorization } from '../conformance/safety/ask.ts';
import { callTo } from '../conformance/target/call.ts';
import { Client } from '../conformance/target/client.ts';
import { Guard } from '../conformance/target/guard.ts';
import { redactor } from '../reports/terminal.ts';
import { NotThere, Refused } from '../spec/base/refused.ts';
import { compareDescription } from './compare/drift.ts';

/** Reads it at the path that the tenant file says; resolves to the exit code. */
export async function runTenantDrift(
  options: Pick<CertifyOptions, 'tenant' | 'baseUrl' | 'allowEnv' | 'allowCommand' | 'skipMissing'>,
  io: CommandIo,
  out: readonly string[],
): Promise<number> {
  const { description } = readAddress(options, io.cwd).tenant ?? {};
  if (description === undefined) {
    const line = 'description: /api/v1/spec';
    throw new Refused(
      `${options.tenant} does not say at which path the tenant shows its description: add a line such as \`${line}\`, or give --description`,
    );
  }
  const { target } = await openTarget(options, io);
  try {
    const authorization = restoringAuthorization(target);
    const headers = authorization === undefined ? {} : { authorization };
    const call = callTo('GET', description, undefined, { headers });
    const client = new Client(target, new Guard(), { redactor, signal: io.signal });
    const occasion = { scenario: 'drift', step: 'read', kind: 'probe' } as const;
    const { ok, status, wire } = await client.call(call, 'drift', occasion);
    if (!ok) throw new NotThere(`${description} of the tenant is answered ${status}`);
    return compareDescription(description, wire.text, out);
  } finally {
    await target.close().catch(() => undefined);
  }
}
