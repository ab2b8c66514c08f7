/** Runs a test against every service that this could be, as `lockstep client` does, but in this process. */
import { type Control, type ToldWorld, worldBy } from '../../spec/base/control-client.ts';
import type { JsonObject } from '../../spec/base/json.ts';
import { sideBySide } from '../../spec/base/turns.ts';
import { type ClientReport, clientText, failuresIn, missedIn } from '../client/client-report.ts';
import { type Judged, runTwiceIfBroken } from '../client/outcome.ts';
import type { Variation } from '../client/variation.ts';
import { checkOptions } from '../world/world-request.ts';
import type { AnyWorld } from './any-world.ts';
import { type ClientTest, endOf, JOBS, type LossOptions, TIMEOUT_MS, unusable } from './losses.ts';

export interface VariationOptions extends Pick<LossOptions, 'timeoutMs' | 'jobs'> {
  /** Alternatives of silences, losses of requests, broken promises; all three by default. */
  readonly kinds?: readonly Variation['kind'][] | undefined;
}

export interface VariationReport extends Pick<ClientReport, 'results' | 'runs' | 'durationMs'> {
  /** Alternatives that break the test, and losses that the client handles badly. */
  readonly failures: readonly Judged[];
  /** Broken promises that the test does not notice. */
  readonly missed: readonly Judged[];
  /**
   * Something was tested, and nothing failed. Broken promises that the test does not notice count only if
   * nothing else was asked for.
   */
  readonly ok: boolean;
  readonly text: string;
}

/**
 * Rejects if the test fails or hangs although nothing is varied. `control` is the control API of the mock of
 * `origin`. `open` makes a world from the answer of that API.
 */
export async function varyEach<Handle extends AnyWorld<Handle> & { readonly id: string }>(
  origin: Handle,
  { control, open }: { control: Control; open: (told: ToldWorld) => Handle },
  test: ClientTest<Handle>,
  options: VariationOptions = {},
): Promise<VariationReport> {
  const { kinds = ['sweep', 'loss', 'mutant'], timeoutMs = TIMEOUT_MS, jobs = JOBS } = options;
  checkOptions(options, ['kinds', 'timeoutMs', 'jobs'], 'variations');
  const start = performance.now();
  const path = `worlds/${origin.id}/variations`;
  await using plain = await origin.fork();
  const { settle, ...ended } = await endOf(plain, test, timeoutMs);
  await settle();
  if (ended.end !== 'passed') {
    throw new Error(unusable(ended, timeoutMs, 'though nothing is varied'));
  }
  const asked = kinds.map((kind) => `&kind=${kind}`).join('');
  const { variations } = await control('GET', `${path}?plain=${plain.id}${asked}`);
  const once = async ({ id }: JsonObject): Promise<Judged> => {
    await using world = open(await worldBy(control, 'POST', path, { plain: plain.id, id }));
    const begun = performance.now();
    const { end, settle } = await endOf(world, test, timeoutMs);
    const durationMs = Math.round(performance.now() - begun);
    const judged = await control('POST', `worlds/${world.id}/outcome`, { end, durationMs });
    await settle();
    return judged as unknown as Judged;
  };
  let runs = 1;
  const results = await sideBySide(variations as JsonObject[], jobs, async (variation) => {
    const { judged, runs: made } = await runTwiceIfBroken(() => once(variation));
    runs += made;
    return judged;
  });
  const report = {
    results,
    accepted: [],
    leftOut: [],
    runs,
    durationMs: performance.now() - start,
  };
  const failures = failuresIn(report);
  const missed = missedIn(report);
  const isOnlyMutants = kinds.every((kind) => kind === 'mutant');
  const untested = results.every(({ outcome }) => outcome === 'not met');
  return {
    ...{ results, runs, durationMs: report.durationMs, failures, missed },
    ok: !untested && failures.length === 0 && (!isOnlyMutants || missed.length === 0),
    text: untested
      ? 'nothing was tested: no request that can be varied reached the world that the test was given'
      : clientText(report),
  };
}
