/** Runs one walk as a fast-check property, which is shrunk if it fails. */

import fc from 'fast-check';
import { Spent } from './budget.ts';
import { Contradiction } from './call.ts';
import type { Calls } from './calls.ts';
import type { Session } from './session.ts';
import { actsOf, familiesOf, playAll } from './walk.ts';

export interface WalkOptions {
  readonly calls: Calls;
  readonly seed: number;
  /** The number of the walk, or the path of an earlier failure to play again. */
  readonly path: string;
  /** The most plays for shrinking; 0 reports the failure unshrunk. */
  readonly mostShrinks: number;
  readonly open: (isFirst: boolean) => Promise<Session>;
  /** Puts back what the session changed. */
  readonly close: (session: Session, isFirst: boolean) => Promise<void>;
}

export interface Failure {
  readonly session: Session;
  readonly contradiction: Contradiction;
}

export interface Walked {
  /** The smallest failure that was seen. */
  readonly failure?: Failure | undefined;
  /** With the seed it leads to that failure: `<walk>:<path of fast-check>~<its replay path>`. */
  readonly path: string;
  /** Whether the failure came again when the walk was played again. Also true if it was not played again. */
  readonly confirmed: boolean;
  /** The budget that ended the walk. */
  readonly spent: string | undefined;
}

/** Rejects with the error of a play, unless that error is an expected end of a walk. */
export async function checkWalk(options: WalkOptions): Promise<Walked> {
  const { mostShrinks, open, close } = options;
  const [path = '', replayPath] = options.path.split('~');
  const once = mostShrinks === 0 || replayPath !== undefined;
  const failures: Failure[] = [];
  let plays = 0;
  let spent: string | undefined;
  let confirmed = once;

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
        // No play can go on after this error.
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
    // Small and large values are as likely to fail as others.
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
