/**
 * The explorer: random walks over the promises of the description, against a target of the runner.
 *
 * Pure of process state: what it needs of its surroundings is handed in, and what it found is data.
 * The same seed makes the same walks, for one version of the code and one tenant file.
 */

import { type ExitCode, exitCodes, type LeftBehind } from '../../conformance/judge/report.ts';
import { authorisationFamily } from '../../conformance/language/authorisation.ts';
import type { ScenarioFile } from '../../conformance/language/load.ts';
import type { Scenario } from '../../conformance/language/scenario.ts';
import type { RunNames } from '../../conformance/language/scope.ts';
import type { SafetyFacts } from '../../conformance/safety/areas.ts';
import type { Ledger } from '../../conformance/safety/ledger.ts';
import { preflight } from '../../conformance/safety/preflight.ts';
import { Settling } from '../../conformance/safety/settling.ts';
import { Client, CouldNotRun } from '../../conformance/target/client.ts';
import { Guard } from '../../conformance/target/guard.ts';
import type { Target } from '../../conformance/target/target.ts';
import { type Effect, type OperationId, statement } from '../../spec/contract.ts';
import { Access } from './access.ts';
import type { Explored } from './call.ts';
import { callsIn } from './calls.ts';
import { type Calls, checkWalk, type Failure, type Walked } from './check-walk.ts';
import type { Entry } from './contradiction.ts';
import { scenarioFile } from './scenario-file.ts';
import { Budget, type SenderContext } from './sender.ts';
import { Session } from './session.ts';

export interface ExploreOptions {
  readonly target: Target;
  /** What the contract does not say of the operations. */
  readonly areas: Explored;
  /** A scenario of each cell of the table of authorisation; many runs can share it. */
  readonly table?: readonly Scenario[] | undefined;
  readonly seed: number;
  readonly allow: Effect;
  /** How many calls the walks make together; shrinking makes more. */
  readonly steps?: number | undefined;
  /** How many walks. Without `steps` and `runs`: ten walks. */
  readonly runs?: number | undefined;
  /** The most writes of the whole run, shrinking included; default 200 on a tenant. */
  readonly writeBudget?: number | undefined;
  /** The longest that a switch may take to show; default 30000. */
  readonly convergenceMs?: number | undefined;
  /** false: a finding is told as it was met, with the whole walk before it. Default true. */
  readonly shrink?: boolean | undefined;
  /** Of an earlier finding: plays this walk and no other. */
  readonly path?: string | undefined;
}

export interface ExploreIo {
  /** What safety must be told of the areas. */
  readonly safety: SafetyFacts;
  /** The id begins with a letter, and has lower-case letters and digits: it stands in every name that is made. */
  readonly names: RunNames;
  /** A mock in its first state, for each walk; without it every walk goes on where one ended. */
  readonly fresh?: (() => Promise<Target>) | undefined;
  /** Needed for writes on a tenant. */
  readonly openLedger?: (() => Ledger) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Finding {
  readonly statement: string;
  /** What was expected instead. */
  readonly because: string;
  /** `<walk>:<path of fast-check>~<its replay path>`; with the seed it names the shrunk walk. */
  readonly path: string;
  /** The calls that are left, for people. */
  readonly calls: readonly string[];
  readonly callsBefore: number;
  /** It came again when the walk was played a second time. */
  readonly confirmed: boolean;
  readonly scenario: ScenarioFile;
}

export interface Exploration {
  readonly seed: number;
  readonly walks: number;
  /** Calls, those of shrinking left out. */
  readonly steps: number;
  /** Writes, those of shrinking included. */
  readonly writes: number;
  readonly finding: Finding | undefined;
  /** Seen once, and not when the walk was played again. */
  readonly unconfirmed: readonly Finding[];
  /** Why it ended before its time. */
  readonly stopped: 'writes' | 'interrupted' | 'could not run' | 'nothing to play' | undefined;
  /** The operations that were called. */
  readonly called: ReadonlySet<OperationId>;
  readonly warnings: readonly string[];
  /** What could not be put back. */
  readonly leftBehind: readonly LeftBehind[];
  readonly exitCode: ExitCode;
}

/** Rejects with Unsafe where the guard stopped a call, and with what `openLedger` throws. */
export async function explore(options: ExploreOptions, io: ExploreIo): Promise<Exploration> {
  return new Run(options, io).walk();
}

type Ended = Partial<Pick<Exploration, 'finding' | 'stopped'>>;

const unlimited = Number.POSITIVE_INFINITY;

/** Each play of a walk on a tenant writes to it, and puts back; a mock has a world for each. */
const mostShrinks = { mock: 500, tenant: 50 } as const;

class Run {
  readonly #options: ExploreOptions;
  readonly #io: ExploreIo;
  readonly #table: readonly Scenario[];
  readonly #called = new Set<OperationId>();
  readonly #warnings: string[] = [];
  readonly #leftBehind = new Map<string, LeftBehind>();
  readonly #unconfirmed: Finding[] = [];
  #target: Target;
  /** Of a tenant; a mock's own world is dropped after each walk. */
  #protection: SenderContext['protection'];
  #plays = 0;
  #number = 0;
  #steps = 0;
  #writes = 0;

  constructor(options: ExploreOptions, io: ExploreIo) {
    this.#options = options;
    this.#io = io;
    this.#target = options.target;
    this.#table = options.table ?? authorisationFamily().scenarios;
  }

  async walk(): Promise<Exploration> {
    let ended: Ended = {};
    try {
      ended = await this.#walks(await this.#prepare());
    } catch (error) {
      if (!(error instanceof CouldNotRun)) throw error;
      this.#warnings.push(error.message);
      ended = { stopped: 'could not run' };
    } finally {
      this.#protection?.ledger?.close();
    }
    const { finding, stopped } = ended;
    return {
      seed: this.#options.seed,
      walks: this.#number,
      steps: this.#steps,
      writes: this.#writes,
      finding,
      unconfirmed: this.#unconfirmed,
      stopped,
      called: this.#called,
      warnings: this.#warnings,
      leftBehind: [...this.#leftBehind.values()],
      exitCode: this.#leftBehind.size > 0 ? exitCodes.unsafe : exitCodeOf(finding, stopped),
    };
  }

  /** Looks at the target, protects it where it is a tenant, and says what can be called. */
  async #prepare(): Promise<Calls> {
    if (this.#io.fresh !== undefined) return this.#calls(this.#options.allow);
    this.#target = await this.#preflight();
    const ledger = this.#options.allow === 'none' ? undefined : this.#io.openLedger?.();
    const settling = new Settling(this.#convergenceMs);
    this.#protection = {
      ledger,
      facts: this.#io.safety,
      settling,
      warn: (message: string) => this.#warnings.push(message),
      known: new Map(),
      inUse: new Map(),
      leftBehind: this.#leftBehind,
    };
    return this.#calls(ledger === undefined ? 'none' : this.#options.allow);
  }

  #calls(allow: Effect): Calls {
    const target = this.#target;
    const access = new Access(this.#table, target);
    return callsIn({ target, access, areas: this.#options.areas, allow });
  }

  /** Walks until something is found or the run is over. */
  async #walks(calls: Calls): Promise<Ended> {
    if (calls.size === 0) return { stopped: 'nothing to play' };
    const { path } = this.#options;
    const [only, place] = path?.split(/:(.*)/) ?? [];
    for (let number = Number(only ?? 0); !this.#over(); number++) {
      if (this.#io.signal?.aborted === true) return { stopped: 'interrupted' };
      const walked = await this.#check(calls, number, place);
      this.#number += 1;
      if (walked.failure !== undefined) {
        const found = this.#findingOf(number, walked, walked.failure);
        if (found.confirmed) return { finding: found };
        this.#unconfirmed.push(found);
      }
      if (walked.spent === 'writes') return { stopped: 'writes' };
      if (path !== undefined) return {};
    }
    return {};
  }

  /** One walk from a first state, and back to it. */
  #check(calls: Calls, number: number, path: string | undefined): Promise<Walked> {
    const { seed, shrink = true } = this.#options;
    return checkWalk({
      calls,
      // Neighbouring seeds and walks must not be alike.
      seed: (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) | 0,
      path,
      mostShrinks: shrink ? mostShrinks[this.#target.kind] : 0,
      open: (isFirst) => this.#open(isFirst ? this.#stepsLeft() : unlimited),
      close: (session, isFirst) => this.#close(session, isFirst),
    });
  }

  async #open(steps: number): Promise<Session> {
    const { fresh, names } = this.#io;
    const target = fresh === undefined ? this.#target : await fresh();
    this.#plays += 1;
    return new Session({
      target,
      names: { ...names, id: `${names.id}t${this.#plays}` },
      budget: new Budget(steps, this.#writesLeft(), fresh === undefined),
      convergenceMs: this.#convergenceMs,
      protection: this.#protection,
      areas: this.#options.areas,
      table: this.#table,
    });
  }

  async #close(session: Session, counts: boolean): Promise<void> {
    const { budget, target } = session.context;
    for (const { step } of session.entries) {
      if (step.operation !== undefined) this.#called.add(step.operation.id);
    }
    await session.restore();
    if (counts) this.#steps += budget.steps;
    this.#writes += budget.writes;
    if (this.#io.fresh !== undefined) await target.close();
  }

  #findingOf(number: number, walked: Walked, { session, contradiction }: Failure): Finding {
    const path = `${number}:${walked.path}`;
    const { seed } = this.#options;
    const runId = session.scope.run.id;
    return {
      statement: contradiction.check.statement,
      because: contradiction.message,
      path,
      calls: session.entries.map(callText),
      callsBefore: walked.callsBefore,
      confirmed: walked.confirmed,
      scenario: scenarioFile(session.entries, contradiction, { seed, path, runId }),
    };
  }

  /** What the tenant file says, without what is not so. */
  async #preflight(): Promise<Target> {
    const target = this.#target;
    const client = new Client(target, new Guard());
    const findings = await preflight(client, this.#io.safety);
    this.#warnings.push(...findings.map(({ name, message }) => `${name}: ${message}`));
    const unfit = new Set(findings.map(({ name }) => name));
    const fits = ([name]: readonly [string, unknown]): boolean => !unfit.has(name);
    return {
      ...target,
      credentials: new Map([...target.credentials].filter(fits)),
      bindings: Object.fromEntries(Object.entries(target.bindings).filter(fits)),
    };
  }

  get #convergenceMs(): number {
    return this.#options.convergenceMs ?? 30_000;
  }

  #over(): boolean {
    const { steps, runs = steps === undefined ? 10 : unlimited } = this.#options;
    return this.#stepsLeft() <= 0 || this.#number >= runs;
  }

  #stepsLeft(): number {
    return (this.#options.steps ?? unlimited) - this.#steps;
  }

  #writesLeft(): number {
    const { allow, writeBudget = this.#target.kind === 'tenant' ? 200 : unlimited } = this.#options;
    return allow === 'none' ? unlimited : writeBudget - this.#writes;
  }
}

/** For people. */
function callText({ text: { as, call, path, query, body } }: Entry): string {
  const sent = [path, query, body].filter((part) => part !== undefined);
  return [String(call), 'as', as, ...sent.map((part) => JSON.stringify(part))].join(' ');
}

function exitCodeOf(finding: Finding | undefined, stopped: Exploration['stopped']): ExitCode {
  if (finding !== undefined && statement(finding.statement).level === 'documented')
    return exitCodes.violation;
  return stopped === 'could not run' || stopped === 'nothing to play'
    ? exitCodes.couldNotRun
    : exitCodes.ok;
}
