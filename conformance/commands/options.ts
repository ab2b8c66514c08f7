/** The options of the runner's commands. */

import { resolve } from 'node:path';
import type { Diagnosing } from '../compare/diagnosis.ts';
import type { RunOptions } from '../judge/report.ts';
import type { Suite } from '../language/scenario.ts';
import type { RunInput } from './run-suite.ts';

/** Any of these options may be left out; options of a run then get the defaults of `runOptions`. */
type Given<Options> = { readonly [K in keyof Options]?: Options[K] | undefined };

export interface CertifyOptions
  extends Given<Omit<RunOptions, 'files' | 'leftOut'>>,
    Pick<RunInput, 'confirm' | 'budget'> {
  readonly baseUrl?: string | undefined;
  readonly tenant?: string | undefined;
  /** Leaves out scenarios whose credential's environment variable is not set; by default such a run is refused. */
  readonly skipMissing?: boolean | undefined;
  /** Variables that the tenant file may name in addition to those that begin with LOCKSTEP_. */
  readonly allowEnv?: readonly string[] | undefined;
  /** Says that nobody else can change the tenant file: it may run commands and name files anywhere. */
  readonly allowCommand?: boolean | undefined;
  /** Writes to another machine are meant. Without it the run asks, or refuses. */
  readonly yes?: boolean | undefined;
  /** Allows writes to a tenant that the tenant file calls production. */
  readonly allowProduction?: boolean | undefined;
  /** Writes at most. A plan that has more is refused; a run stops before it makes more. */
  readonly maxWrites?: number | undefined;
  /** Requests per second at most; default 8 on a tenant that is not on this machine. */
  readonly rate?: number | undefined;
  /** Replaces a report that says more, or speaks of another target. */
  readonly force?: boolean | undefined;
  /** The longest that the run may take; default an hour for each try, plus the time of `--soak`. */
  readonly deadlineMs?: number | undefined;
  /** The longest that one call may take; default two minutes. */
  readonly callMs?: number | undefined;
  /** Folder for the report and its evidence; default `reports/out/<run id>`. */
  readonly out?: string | undefined;
  /** Default `.lockstep/ledger` in the working folder. */
  readonly ledger?: string | undefined;
  /** Variable with the key that seals the ledger's lines; default the credential that puts things back. */
  readonly ledgerKeyEnv?: string | undefined;
  /** PEM of a CA to trust, next to the tenant file's. */
  readonly ca?: string | undefined;
  /** A report or its folder: only the scenarios that failed there run again. */
  readonly again?: string | undefined;
  /** Runs these scenarios and no others. */
  readonly titles?: readonly string[] | undefined;
  /** Files and folders of scenarios next to the suite, files of the suite among them. */
  readonly scenarios?: readonly string[] | undefined;
  /** Runs these files alone. */
  readonly alone?: boolean | undefined;
  /** Folder with a file of reliance for each client. */
  readonly reliance?: string | undefined;
  /** False turns off the diagnosis of a failed run. */
  readonly diagnosis?: boolean | undefined;
  /** Another suite than that of the surroundings. */
  readonly suite?: Suite | undefined;
}

export interface BothOptions
  extends Pick<
    CertifyOptions,
    'allow' | 'tenant' | 'skipMissing' | 'allowEnv' | 'allowCommand' | 'yes' | 'allowProduction'
  > {
  readonly baseUrl: string;
  readonly against: string;
}

/** A command's access to its surroundings. */
export interface CommandIo
  extends Pick<
    RunInput,
    'safety' | 'version' | 'redactor' | 'exam' | 'signal' | 'onPlan' | 'onProgress' | 'onTrace'
  > {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The suite that comes with Lockstep, and that `exam` speaks of; loaded when it is needed. */
  readonly ownSuite?: (() => Suite) | undefined;
  /** Plays known deviations, for the diagnosis of a failed run. */
  readonly diagnosing?: (() => Promise<Diagnosing>) | undefined;
  /** Folder in which runs on one tenant keep apart; default one for this user on this machine. */
  readonly locks?: string | undefined;
  /** Of a night that gives no report; default the wall's. */
  readonly now?: (() => Date) | undefined;
  /** Asks in a terminal, yes or no; absent if there is none. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Called with each warning. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

export function givenSuite(
  { suite }: CertifyOptions,
  { ownSuite }: Pick<CommandIo, 'ownSuite'>,
): Suite {
  const found = suite ?? ownSuite?.();
  if (found === undefined) throw new Error('neither the options nor the surroundings have a suite');
  return found;
}

/** A path that an option names, from the folder of the command; undefined if it names none. */
export function pathIn(cwd: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path);
}
