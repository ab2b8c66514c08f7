/** One walk as a property of fast-check, which shrinks it where it fails. */

import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../../spec/contract.ts';
import type { Call } from './call.ts';
import { Contradiction } from './contradiction.ts';
import { Spent } from './sender.ts';
import type { Session } from './session.ts';
import { act, actsOfWalk, familiesOf, playAll } from './walk.ts';

/** The calls of each operation. */
export type Calls = ReadonlyMap<Operation, Arbitrary<Call>>;

export interface WalkOptions {
  readonly calls: Calls;
  /** Of this walk. */
  readonly seed: number;
  /** Of an earlier result: plays this walk alone, and does not shrink it. */
  readonly path?: string | undefined;
  /** How often it may be played in order to shrink it; 0: it is told as it was met. */
  readonly mostShrinks: number;
  /** Makes the session of a play. */
  readonly open: (isFirst: boolean) => Promise<Session>;
  /** Puts back what the session changed. */
  readonly close: (session: Session, isFirst: boolean) => Promise<void>;
}

export interface Failure {
  readonly session: Session;
  readonly contradiction: Contradiction;
}

export interface Walked {
  /** The smallest that was seen. */
  readonly failure?: Failure | undefined;
  /** Leads to that, given the seed. */
  readonly path: string;
  /** Calls of the walk as it was met. */
  readonly callsBefore: number;
  /** It failed in more plays than one, or was not to be played again. */
  readonly confirmed: boolean;
  /** Which budget ended it. */
  readonly spent: string | undefined;
}

/** Rejects with what a play rejects with, but for what a walk may end with. */
export async function checkWalk(options: WalkOptions): Promise<Walked> {
  const { seed, path, mostShrinks } = options;
  const walk = new Walk(options);
  const [place, replayPath] = path?.split('~') ?? [];
  const commands = fc.commands([act], {
    ...actsOfWalk,
    ...(replayPath !== undefined && { replayPath }),
  });
  const property = fc.asyncProperty(familiesOf(options.calls), commands, (families, list) =>
    walk.play((session) => playAll({ families, session, played: new Set() }, list)),
  );
  const result = await fc.check(property, {
    seed,
    numRuns: 1,
    // Small values and large ones are no more likely to fail here.
    unbiased: true,
    endOnFailure: mostShrinks === 0 || path !== undefined,
    ...(place !== undefined && { path: place }),
  });
  if (walk.broken !== undefined) throw walk.broken;
  const list = String(result.counterexample?.[1]);
  const replay = /replayPath="([^"]*)"/.exec(list)?.[1] ?? '';
  const found = { path: `${result.counterexamplePath ?? ''}~${replay}`, ...walk.result };
  // A walk that is played by its path has failed before.
  const isSure = found.confirmed || mostShrinks === 0 || path !== undefined;
  if (found.failure === undefined || isSure) return { ...found, confirmed: true };
  const again = await checkWalk({ ...options, path: found.path });
  return { ...found, confirmed: again.failure !== undefined };
}

/** The plays of a walk: the first, and those that shrink it. */
class Walk {
  /** What no play can go on after. */
  broken: unknown;
  readonly #options: WalkOptions;
  readonly #failures: Failure[] = [];
  #plays = 0;
  #spent: string | undefined;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  get result() {
    const [first] = this.#failures;
    return {
      failure: this.#failures.at(-1),
      callsBefore: first?.session.entries.length ?? 0,
      confirmed: this.#failures.length > 1,
      spent: this.#spent,
    };
  }

  /** Rejects with Contradiction. */
  async play(run: (session: Session) => Promise<void>): Promise<void> {
    const isFirst = this.#plays === 0;
    this.#plays += 1;
    if (this.#plays > this.#options.mostShrinks + 1 || this.broken !== undefined) return;
    let session: Session | undefined;
    try {
      session = await this.#options.open(isFirst);
      await run(session);
    } catch (error) {
      if (session !== undefined && error instanceof Contradiction && this.#isSame(error)) {
        this.#failures.push({ session, contradiction: error });
        throw error;
      }
      if (error instanceof Spent) this.#spent = error.message;
      else if (!(error instanceof Contradiction)) this.broken = error;
    } finally {
      if (session !== undefined) await this.#options.close(session, isFirst);
    }
  }

  /** While it shrinks, the statement may become a clearer one; but the call goes on to fail. */
  #isSame({ entry }: Contradiction): boolean {
    const [first] = this.#failures;
    return first === undefined || first.contradiction.entry.text.call === entry.text.call;
  }
}
