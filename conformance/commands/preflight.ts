/** Checks a tenant file against its tenant by reading, and shows the use of each key. */
import type { PreflightFinding } from '../judge/report.ts';
import { triedWith } from '../language/tenant-keys.ts';
import { makePlan } from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { Client } from '../target/client.ts';
import { newRunId, rateOf, runOptions, suiteFor } from './command.ts';
import { type MissingKeys, missingIn } from './missing.ts';
import { openTarget, readAddress } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

/** A key of the file, with the result of its check. */
export interface Claim {
  /** `credentials.admin`, `bindings.folder`. */
  readonly key: string;
  /** The facts that contradict it. */
  readonly findings: readonly string[];
  /** Whether a read has confirmed it. No read shows some objects. */
  readonly shown: boolean;
  /**
   * The statements that are tried only with this key, and those that are tried more often with it.
   */
  readonly only: readonly string[];
  readonly more: readonly string[];
}

export interface Checked {
  readonly claims: readonly Claim[];
  readonly missing: readonly MissingKeys[];
  /** Errors that do not belong to one key of the file. */
  readonly others: readonly string[];
}

const keyIn = ({ kind, name }: PreflightFinding): string => `${kind}s.${name.split('.')[0]}`;

/** Rejects with CouldNotRun if nobody answers. */
export async function checkTenant(given: CertifyOptions, io: CommandIo): Promise<Checked> {
  // The check only reads, so it may look at production.
  const options = { ...given, skipMissing: true, allowProduction: true };
  const { chosen, suite } = suiteFor(options, io);
  const { tenant } = readAddress(options, io.cwd);
  await using opened = await openTarget(options, io);
  const { target } = opened;
  const names = { id: newRunId(), startedAt: new Date().toISOString() };
  // Some objects can be read only by a write that changes nothing. A plan without writes leaves
  // them out.
  const run = { ...runOptions(options, target, chosen, suite), allow: 'none' as const };
  const { guard } = makePlan(suite, target, run, names);
  const client = new Client(target, guard, {
    ...{ evidence: false, rate: rateOf(options, target), maxWrites: 0 },
    ...{ redactor: io.redactor, signal: io.signal },
  });
  const proven = new Set<string>();
  const findings = await preflight(client, io.safety, names.id, proven);
  const unset = Object.keys(tenant?.credentials ?? {})
    .filter((name) => !target.credentials.has(name))
    .map((name) => [`credentials.${name}`, 'its environment variable is not set'] as const);
  const found = [...unset, ...findings.map((one) => [keyIn(one), one.message] as const)];
  const written = tenant?.bindings ?? {};
  // Without its own binding, `folder` is used.
  const bindings = Object.keys(written).filter(
    (name) => name !== 'nestedFolder' || written.nestedFolder !== written.folder,
  );
  const keys = [
    ...Object.keys(tenant?.credentials ?? {}).map((name) => `credentials.${name}`),
    ...bindings.map((name) => `bindings.${name}`),
  ];
  const claims = keys.map((key) => ({
    ...{ key, ...triedWith(key, suite.scenarios) },
    shown: key.startsWith('credentials.') || proven.has(key.slice('bindings.'.length)),
    findings: found.filter(([name]) => name === key).map(([, message]) => message),
  }));
  const others = found.filter(([key]) => !keys.includes(key)).map((one) => one.join(': '));
  return { claims, others, missing: missingIn(suite.scenarios, target) };
}
