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
  /**
   * The tenant file may run commands and name files anywhere. Give this only if nobody else can
   * change the file.
   */
  readonly allowCommand?: boolean | undefined;
  /** Consents to writes to another machine. Without it the run asks, or refuses. */
  readonly yes?: boolean | undefined;
  /** Allows writes to a tenant that the tenant file calls production. */
  readonly allowProduction?: boolean | undefined;
  /** The largest number of writes. A larger plan is refused, and a run stops before it makes more. */
  readonly maxWrites?: number | undefined;
  /** The most requests per second; the default on a tenant on another machine is 8. */
  readonly rate?: number | undefined;
  /** Replaces a report that covers more, or that is about another target. */
  readonly force?: boolean | undefined;
  /** The limit for the whole run; by default an hour for each try, plus the time of `--soak`. */
  readonly deadlineMs?: number | undefined;
  /** The limit for one call; by default two minutes. */
  readonly callMs?: number | undefined;
  /** Folder for the report and its evidence; default `reports/out/<run id>`. */
  readonly out?: string | undefined;
  /** Default `.lockstep/ledger` in the working folder. */
  readonly ledger?: string | undefined;
  /**
   * The variable with the key that seals the ledger's lines; by default the restoring credential is
   * the key.
   */
  readonly ledgerKeyEnv?: string | undefined;
  /** PEM file of an authority to trust, in addition to that of the tenant file. */
  readonly ca?: string | undefined;
  /** A report or its folder: only the scenarios that failed there run again. */
  readonly again?: string | undefined;
  /** Runs these scenarios and no others. */
  readonly titles?: readonly string[] | undefined;
  /** Files and folders of scenarios to run with the suite. They may be files of the suite. */
  readonly scenarios?: readonly string[] | undefined;
  /** Runs these files alone. */
  readonly alone?: boolean | undefined;
  /** Folder with a file of reliance for each client. */
  readonly reliance?: string | undefined;
  /** False turns off the diagnosis of a failed run. */
  readonly diagnosis?: boolean | undefined;
  /** A suite to use in place of the default one. */
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
  /** Loads the default suite, to which `exam` belongs. */
  readonly ownSuite?: (() => Suite) | undefined;
  /** Plays known deviations, for the diagnosis of a failed run. */
  readonly diagnosing?: (() => Promise<Diagnosing>) | undefined;
  /**
   * The folder for the locks of runs on one tenant; by default one for this user on this machine.
   */
  readonly locks?: string | undefined;
  /** The clock for nights without a report; by default the real time. */
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

/**
 * The path in an option, relative to the folder of the command; undefined if the option is not
 * given.
 */
export function pathIn(cwd: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path);
}
