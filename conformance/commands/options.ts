/** What the commands of the runner are given. */

import type { Redactor } from '../../spec/base/redactor.ts';
import type { Effect } from '../../spec/contract.ts';
import type { ProgressEvent } from '../judge/progress-event.ts';
import type { SuiteDigests } from '../judge/report.ts';
import type { Suite } from '../language/scenario.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Plan } from '../safety/plan.ts';
import type { Target } from '../target/target.ts';

export interface CertifyOptions {
  readonly baseUrl?: string | undefined;
  /** Path of a tenant file. */
  readonly tenant?: string | undefined;
  readonly only?: readonly string[] | undefined;
  /** Default: `none` on a tenant, everything on a mock's own world. */
  readonly allow?: Effect | undefined;
  /** Default 30000. */
  readonly convergenceMs?: number | undefined;
  readonly standards?: 'report' | 'enforce' | undefined;
  readonly complete?: boolean | undefined;
  /** Default 8 on a mock, 4 elsewhere. */
  readonly jobs?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** How often each scenario runs that may be repeated; default once. */
  readonly tries?: number | undefined;
  /** For how long such scenarios go on being repeated, from the first of them on. */
  readonly soakMs?: number | undefined;
  /** Of the order of the scenarios; default one that no other run has. */
  readonly seed?: number | undefined;
  /** Requests per second at most; default 8 on a tenant that is not on this machine. */
  readonly rate?: number | undefined;
  /** Replaces a report that says more, or speaks of another target. */
  readonly force?: boolean | undefined;
  /** The longest that the run may take; default an hour for each try, and what it soaks. */
  readonly deadlineMs?: number | undefined;
  /** The longest that one call may take; default two minutes. */
  readonly callMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** What failed runs again alone before it counts, where it may be repeated. */
  readonly confirm?: boolean | undefined;
  /** The titles of what runs at all, in their order, as long as the time lasts. */
  readonly budget?: { readonly ms: number; readonly order: readonly string[] } | undefined;
  /** Where the report and its evidence go; default `reports/out/<run id>`. */
  readonly out?: string | undefined;
  /** Default `.lockstep/ledger` in the working folder. */
  readonly ledger?: string | undefined;
  /** PEM of a CA to trust, beside the tenant file's. */
  readonly ca?: string | undefined;
  /** Another suite than the one that comes with Lockstep. */
  readonly suite?: Suite | undefined;
}

/** What a command takes from its surroundings. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What safety must be told of the areas. */
  readonly safety: SafetyFacts;
  /** Version of Lockstep. */
  readonly version: string;
  /** Learns every secret that a command takes in; what it prints and writes goes through it. */
  readonly redactor?: Redactor | undefined;
  /** How the suite that comes with it did in its exam. */
  readonly exam?: SuiteDigests['exam'] | undefined;
  /** Folder in which runs on one tenant keep apart; default one for this user on this machine. */
  readonly locks?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of a night that gives no report; default the wall's. */
  readonly now?: (() => Date) | undefined;
  /** Told the plan before the first call. */
  readonly onPlan?: ((plan: Plan, target: Target) => void) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}
