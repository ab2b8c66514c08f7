/**
 * The explorer: random walks over the promises of the description, against a target of the runner.
 *
 * It reads no process state: everything that it needs is passed in, and its findings are data. The
 * same seed makes the same walks, for the same code and tenant file.
 */

import type { CertifyOptions } from '../../conformance/commands/options.ts';
import type { RunInput } from '../../conformance/commands/run-suite.ts';
import {
  type ExitCode,
  exitCodes,
  type LeftBehind,
  type RunOptions,
} from '../../conformance/judge/report.ts';
import type { ScenarioFile } from '../../conformance/language/load.ts';
import { type Ledger, withLedger } from '../../conformance/safety/ledger.ts';
import { preflight } from '../../conformance/safety/preflight.ts';
import { Settling, usualMs } from '../../conformance/safety/settling.ts';
import { Client, CouldNotRun } from '../../conformance/target/client.ts';
import { Guard } from '../../conformance/target/guard.ts';
import type { Target } from '../../conformance/target/target.ts';
import { type OperationId, statement } from '../../spec/contract.ts';
import { Access } from './access.ts';
import { Budget } from './budget.ts';
import type { Entry, Explored } from './call.ts';
import { callsIn } from './calls.ts';
import { checkWalk, type Failure } from './check-walk.ts';
import { scenarioFile } from './scenario-file.ts';
import { Session, type SessionContext } from './session.ts';

export interface ExploreOptions
  extends Pick<RunOptions, 'allow'>,
    Pick<CertifyOptions, 'convergenceMs'> {
  readonly seed: number;
  /** The number of calls of all walks. Shrinking makes further calls. */
  readonly steps?: number | undefined;
  /** The number of walks. Without `steps` and `runs` there are ten. */
  readonly runs?: number | undefined;
  /** The most writes of the whole run, including shrinking; the default on a tenant is 200. */
  readonly writeBudget?: number | undefined;
  /**
   * If false, a finding is reported unshrunk, with the whole walk before it. The default is true.
   */
  readonly shrink?: boolean | undefined;
  /** The path of an earlier finding: only this walk is played. */
  readonly path?: string | undefined;
}

export interface ExploreIo
  extends Pick<RunInput, 'target' | 'names' | 'safety' | 'openLedger' | 'signal'> {
  /** Facts about the operations that are not in the contract. */
  readonly areas: Explored;
  /**
   * Makes a new mock world for each walk. Without it, each walk starts in the state that the last
   * one left.
   */
  readonly fresh?: (() => Promise<Target>) | undefined;
}

export interface Finding {
  readonly statement: string;
  /** The expected value. */
  readonly because: string;
  /** Together with the seed it identifies the shrunk walk. */
  readonly path: string;
  /** The calls of the shrunk walk, as text for people. */
  readonly calls: readonly string[];
  readonly scenario: ScenarioFile;
}

export interface Exploration {
  readonly seed: number;
  readonly walks: number;
  /** The number of calls, without those of shrinking. */
  readonly steps: number;
  /** The number of writes, including those of shrinking. */
  readonly writes: number;
  /** The finding, confirmed by a second play of the walk. */
  readonly finding: Finding | undefined;
  /** Findings that a second play of the walk did not show. */
  readonly unconfirmed: readonly Finding[];
  /** Why the run ended early. */
  readonly stopped: 'writes' | 'interrupted' | 'could not run' | 'nothing to play' | undefined;
  readonly called: ReadonlySet<OperationId>;
  readonly warnings: readonly string[];
  /** The objects that could not be put back. */
  readonly leftBehind: readonly LeftBehind[];
  readonly exitCode: ExitCode;
}

/** Rejects with Unsafe if the guard stopped a call, and with the errors of `openLedger`. */
export async function explore(options: ExploreOptions, io: ExploreIo): Promise<Exploration> {
  return new Run(options, io).walk();
}

type Ended = Partial<Pick<Exploration, 'finding' | 'stopped'>>;

const unlimited = Number.POSITIVE_INFINITY;

/**
 * On a tenant there are fewer plays, because each one writes and puts back. On a mock each play has its own
 * world.
 */
const mostShrinks = { mock: 500, tenant: 50 } as const;

class Run {
  readonly #options: ExploreOptions;
  readonly #io: ExploreIo;
  readonly #leftBehind = new Map<string, LeftBehind>();
  readonly #done = {
    ...{ walks: 0, steps: 0, writes: 0 },
    unconfirmed: [] as Finding[],
    called: new Set<OperationId>(),
    warnings: [] as string[],
  };
  #plays = 0;

  constructor(options: ExploreOptions, io: ExploreIo) {
    this.#options = options;
    this.#io = io;
  }

  async walk(): Promise<Exploration> {
    const { seed, allow } = this.#options;
    const isWritten = this.#io.fresh === undefined && allow !== 'none';
    const open = isWritten ? this.#io.openLedger : undefined;
    const ended = await withLedger(open, this.#warn, (ledger) => this.#walkAll(ledger));
    const leftBehind = [...this.#leftBehind.values()];
    const { finding, stopped } = ended;
    const exitCode = leftBehind.length > 0 ? exitCodes.unsafe : exitCodeOf(finding, stopped);
    return { seed, ...this.#done, finding, stopped, leftBehind, exitCode };
  }

  readonly #warn = (message: string): void => void this.#done.warnings.push(message);

  async #walkAll(ledger: Ledger | undefined): Promise<Ended> {
    try {
      const { fresh, safety: facts } = this.#io;
      // A mock's own world is dropped after each walk.
      if (fresh !== undefined) return await this.#walkOn(this.#io.target, undefined);
      const protection = {
        ...{ ledger, facts, settling: new Settling(this.#options.convergenceMs), warn: this.#warn },
        ...{ known: new Map(), inUse: new Map(), leftBehind: this.#leftBehind, stays: new Map() },
        runId: this.#io.names.id,
      };
      return await this.#walkOn(await this.#fitting(), protection);
    } catch (error) {
      if (!(error instanceof CouldNotRun)) throw error;
      this.#warn(error.message);
      return { stopped: 'could not run' };
    }
  }

  /** The target, without the claims of the tenant file that proved false. */
  async #fitting(): Promise<Target> {
    const { target, safety, names } = this.#io;
    const findings = await preflight(new Client(target, new Guard()), safety, names.id);
    for (const { name, message } of findings) this.#warn(`${name}: ${message}`);
    const unfit = new Set(findings.map(({ name }) => name));
    const fits = ([name]: readonly [string, unknown]): boolean => !unfit.has(name);
    return {
      ...target,
      credentials: new Map([...target.credentials].filter(fits)),
      bindings: Object.fromEntries(Object.entries(target.bindings).filter(fits)),
    };
  }

  /** Walks until something is found or the run is over. */
  async #walkOn(target: Target, protection: SessionContext['protection']): Promise<Ended> {
    const { seed, steps, runs = steps === undefined ? 10 : unlimited } = this.#options;
    const { path: earlier, shrink = true } = this.#options;
    const { areas, signal } = this.#io;
    const access = new Access(target);
    const isWritten = protection === undefined || protection.ledger !== undefined;
    const allow = isWritten ? this.#options.allow : 'none';
    const calls = callsIn({ target, access, areas, allow });
    if (calls.size === 0) return { stopped: 'nothing to play' };
    const walks = earlier === undefined ? runs : 1;
    while (this.#done.walks < walks && this.#stepsLeft() > 0) {
      if (signal?.aborted === true) return { stopped: 'interrupted' };
      const { failure, path, confirmed, spent } = await checkWalk({
        calls,
        // Neighbouring seeds must give different walks.
        seed: Math.imul(seed, 0x9e3779b1) | 0,
        path: earlier ?? String(this.#done.walks),
        mostShrinks: shrink ? mostShrinks[target.kind] : 0,
        open: (isFirst) => this.#open({ target, access, protection }, isFirst),
        close: (session, isFirst) => this.#close(session, isFirst),
      });
      this.#done.walks += 1;
      const finding = failure && findingOf(failure, path, seed);
      if (finding !== undefined && confirmed) return { finding };
      if (finding !== undefined) this.#done.unconfirmed.push(finding);
      if (spent === 'writes') return { stopped: 'writes' };
    }
    return {};
  }

  async #open(
    { target: known, ...context }: Pick<SessionContext, 'target' | 'access' | 'protection'>,
    isFirst: boolean,
  ): Promise<Session> {
    const { fresh, names, areas } = this.#io;
    const { allow, convergenceMs = usualMs } = this.#options;
    const { writeBudget = known.kind === 'tenant' ? 200 : unlimited } = this.#options;
    const steps = isFirst ? this.#stepsLeft() : unlimited;
    const writes = allow === 'none' ? unlimited : writeBudget - this.#done.writes;
    this.#plays += 1;
    return new Session({
      target: (await fresh?.()) ?? known,
      names: { ...names, id: `${names.id}t${this.#plays}` },
      budget: new Budget(steps, writes, fresh === undefined),
      convergenceMs,
      areas,
      ...context,
    });
  }

  async #close(session: Session, isFirst: boolean): Promise<void> {
    const { budget, target } = session.context;
    for (const { step } of session.entries) {
      if (step.operation !== undefined) this.#done.called.add(step.operation.id);
    }
    await session.restore();
    if (isFirst) this.#done.steps += budget.steps;
    this.#done.writes += budget.writes;
    if (this.#io.fresh !== undefined) await target.close();
  }

  #stepsLeft(): number {
    return (this.#options.steps ?? unlimited) - this.#done.steps;
  }
}

function findingOf({ session, contradiction }: Failure, path: string, seed: number): Finding {
  return {
    path,
    statement: contradiction.check.statement,
    because: contradiction.message,
    calls: session.entries.map(callText),
    scenario: scenarioFile(session, contradiction, { seed, path }),
  };
}

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
