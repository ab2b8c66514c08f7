/**
 * The explorer: random walks over the promises of the description, against a target of the runner.
 *
 * Pure of process state: what it needs of its surroundings is handed in, and what it found is data.
 * The same seed on the same kinds of moves makes the same walks.
 */

import { type ExitCode, exitCodes, type LeftBehind } from '../../conformance/judge/report.ts';
import type { ScenarioFile } from '../../conformance/language/load.ts';
import type { RunNames } from '../../conformance/language/scope.ts';
import type { SafetyFacts } from '../../conformance/safety/areas.ts';
import type { Ledger } from '../../conformance/safety/ledger.ts';
import { preflight } from '../../conformance/safety/preflight.ts';
import { Settling } from '../../conformance/safety/settling.ts';
import { Client, CouldNotRun } from '../../conformance/target/client.ts';
import { Guard } from '../../conformance/target/guard.ts';
import type { Target } from '../../conformance/target/target.ts';
import { type Effect, type OperationId, statement } from '../../spec/contract.ts';
import type { ExploredArea, Move } from './move.ts';
import { scenarioFile } from './scenario-file.ts';
import { Budget, type SenderContext } from './sender.ts';
import { Session } from './session.ts';
import { shrink } from './shrink.ts';
import { movesOf, type Played, play, type Repertoire, repertoireOf } from './walk.ts';

export interface ExploreOptions {
  readonly target: Target;
  /** What there is to explore. */
  readonly areas: readonly ExploredArea[];
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
  /** Of an earlier finding: plays these moves and no others. */
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
  /** `<walk>:<moves that are left>`; with the seed it names the shrunk walk. */
  readonly path: string;
  /** The moves that are left, for people. */
  readonly moves: readonly string[];
  readonly movesBefore: number;
  /** It came again when the moves were played a second time. */
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

const movesOfWalk = 250;
const unlimited = Number.POSITIVE_INFINITY;

class Run {
  readonly #options: ExploreOptions;
  readonly #io: ExploreIo;
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

  /** Looks at the target, protects it where it is a tenant, and says what can be played. */
  async #prepare(): Promise<Repertoire> {
    const { areas, allow } = this.#options;
    if (this.#io.fresh !== undefined) return repertoireOf(areas, this.#target, allow);
    this.#target = await this.#preflight();
    const ledger = allow === 'none' ? undefined : this.#io.openLedger?.();
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
    return repertoireOf(areas, this.#target, ledger === undefined ? 'none' : allow);
  }

  /** Walks until something is found or the run is over. */
  async #walks(repertoire: Repertoire): Promise<Ended> {
    const { seed, path } = this.#options;
    const { kinds, scenarios } = repertoire;
    if (kinds.length + scenarios.length === 0) return { stopped: 'nothing to play' };
    const only = path === undefined ? undefined : readPath(path);
    for (let number = only?.walk ?? 0; !this.#over(); number++) {
      if (this.#io.signal?.aborted === true) return { stopped: 'interrupted' };
      const all = movesOf(repertoire, seed, number, movesOfWalk);
      const moves = only?.left.length ? only.left.flatMap((index) => all[index] ?? []) : all;
      const played = await this.#play(moves, this.#stepsLeft(), true);
      this.#number += 1;
      if (played.contradiction !== undefined) {
        const found = await this.#shrink(number, moves, played);
        if (found.confirmed) return { finding: found };
        this.#unconfirmed.push(found);
      }
      if (played.spent === 'writes') return { stopped: 'writes' };
      if (only !== undefined) return {};
    }
    return {};
  }

  /** One walk from a first state, and back to it. */
  async #play(moves: readonly Move[], steps: number, counts: boolean): Promise<Played> {
    const { fresh, names } = this.#io;
    const target = fresh === undefined ? this.#target : await fresh();
    this.#plays += 1;
    const budget = new Budget(steps, this.#writesLeft(), fresh === undefined);
    const session = new Session({
      target,
      names: { ...names, id: `${names.id}t${this.#plays}` },
      budget,
      convergenceMs: this.#convergenceMs,
      protection: this.#protection,
      walks: Object.assign({}, ...this.#options.areas.map((area) => area.walks)),
    });
    try {
      const played = await play(session, moves);
      for (const { step } of session.entries) {
        if (step.operation !== undefined) this.#called.add(step.operation.id);
      }
      return played;
    } finally {
      await session.restore();
      if (counts) this.#steps += budget.steps;
      this.#writes += budget.writes;
      if (fresh !== undefined) await target.close();
    }
  }

  async #shrink(number: number, all: readonly Move[], first: Played): Promise<Finding> {
    const moves = all.slice(0, first.moves);
    const call = first.contradiction?.entry.step.operation;
    const attempt = async (left: readonly number[]): Promise<Played | undefined> => {
      const some = left.flatMap((index) => moves[index] ?? []);
      const played = await this.#play(some, unlimited, false);
      // The statement may become a clearer one, as what blurs it is left out.
      const { contradiction } = played;
      return contradiction && contradiction.entry.step.operation === call ? played : undefined;
    };
    const whole = moves.map((_move, index) => index);
    const again = this.#options.shrink === false ? first : await attempt(whole);
    const shrunk =
      again === undefined || again === first
        ? { left: whole, result: first }
        : await shrink(moves.length, again, attempt, this.#target.kind === 'mock' ? 2000 : 50);
    const { contradiction, session } = shrunk.result;
    if (contradiction === undefined) throw new Error('a walk that failed has a contradiction');
    const path = `${number}:${shrunk.left.join(',')}`;
    return {
      statement: contradiction.check.statement,
      because: contradiction.message,
      path,
      moves: shrunk.left
        .flatMap((index) => moves[index] ?? [])
        .map(({ kind, parameters }) => `${kind} ${JSON.stringify(parameters)}`),
      movesBefore: moves.length,
      confirmed: again !== undefined,
      scenario: scenarioFile(session.entries, contradiction, {
        seed: this.#options.seed,
        path,
        runId: session.scope.run.id,
      }),
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

function readPath(path: string): { readonly walk: number; readonly left: readonly number[] } {
  const [walk = '', left = ''] = path.split(':');
  return { walk: Number(walk), left: left === '' ? [] : left.split(',').map(Number) };
}

function exitCodeOf(finding: Finding | undefined, stopped: Exploration['stopped']): ExitCode {
  if (finding !== undefined && statement(finding.statement).level === 'documented')
    return exitCodes.violation;
  return stopped === 'could not run' || stopped === 'nothing to play'
    ? exitCodes.couldNotRun
    : exitCodes.ok;
}
