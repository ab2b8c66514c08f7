/** One walk as a property of fast-check, which shrinks it if it fails. */

import fc from 'fast-check';
import { Spent } from './budget.ts';
import { Contradiction } from './call.ts';
import type { Calls } from './calls.ts';
import type { Session } from './session.ts';
import { actsOf, familiesOf, playAll } from './walk.ts';

export interface WalkOptions {
  readonly calls: Calls;
  readonly seed: number;
  /** The number of the walk; or the path of an earlier failure, which is played as it was. */
  readonly path: string;
  /** How often it may be played in order to shrink it; 0: it is told as it was met. */
  readonly mostShrinks: number;
  /** Makes the session of a play. */
  readonly open: (isFirst: boolean) => Promise<Session>;
  /** Puts back what the session changed. */
  readonly close: (session: Session, isFirst: boolean) => Promise<void>;
}

/** A play that failed. */
export interface Failure {
  readonly session: Session;
  readonly contradiction: Contradiction;
}

export interface Walked {
  /** The smallest that was seen. */
  readonly failure?: Failure | undefined;
  /** Leads to that, given the seed: `<walk>:<path of fast-check>~<its replay path>`. */
  readonly path: string;
  /** It failed when it was played again, or was not to be played again. */
  readonly confirmed: boolean;
  /** Which budget ended it. */
  readonly spent: string | undefined;
}

/** Rejects with what a play rejects with, but for what a walk may end with. */
export async function checkWalk(options: WalkOptions): Promise<Walked> {
  const { mostShrinks, open, close } = options;
  const [path = '', replayPath] = options.path.split('~');
  const once = mostShrinks === 0 || replayPath !== undefined;
  const failures: Failure[] = [];
  let plays = 0;
  let spent: string | undefined;
  let confirmed = once;

  /** How the walk failed, if it did. */
  async function play(run: (session: Session) => Promise<void>): Promise<Failure | undefined> {
    const isFirst = plays === 0;
    plays += 1;
    const session = await open(isFirst);
    try {
      await run(session);
    } catch (error) {
      if (error instanceof Contradiction) return { session, contradiction: error };
      if (!(error instanceof Spent)) throw error;
      spent = error.message;
    } finally {
      await close(session, isFirst);
    }
    return undefined;
  }

  const property = fc.asyncProperty(
    familiesOf(options.calls),
    actsOf(replayPath),
    async (families, acts) => {
      if (plays > mostShrinks + 1) return;
      const run = (session: Session) => playAll(families, session, acts);
      const failure = await play(run).catch((error: unknown) => {
        // Nothing can go on after it.
        plays = Number.POSITIVE_INFINITY;
        throw error;
      });
      if (failure === undefined) return;
      failures.push(failure);
      confirmed ||= (await play(run)) !== undefined;
      if (confirmed) throw failure.contradiction;
    },
  );
  const result = await fc.check(property, {
    seed: options.seed,
    numRuns: 1,
    path,
    // Small values and large ones are no more likely to fail here.
    unbiased: true,
    endOnFailure: once,
  });
  const error = result.errorInstance;
  if (result.failed && !(error instanceof Contradiction)) throw error;
  const acts = String(result.counterexample?.[1]);
  const replay = /replayPath="([^"]*)"/.exec(acts)?.[1] ?? '';
  return {
    failure: failures.at(-1),
    path: `${result.counterexamplePath ?? path}~${replay}`,
    confirmed,
    spent,
  };
}
