/** A sweep: a test, run again under each alternative of the silences that it met. */
import type { Choice } from '../../spec/contract.ts';
import { Service } from '../service/service.ts';
import { type Assumption, otherChoices } from '../world/assumptions.ts';
import { type AnyWorld, follow } from './any-world.ts';
import { addSwept, everySweep } from './coverage.ts';

/** A choice that the service may have made instead. */
export interface Alternative {
  readonly statement: string;
  /** The open question of the description. */
  readonly silence: string;
  readonly choice: string;
  readonly text: string;
}

export interface SweepRun extends Alternative {
  /** The error of the test, with the requests that the world refused, and why. */
  readonly error?: Error;
}

export interface SweepReport {
  /** Something was tested, and nothing failed. */
  readonly ok: boolean;
  /** The reason why nothing was tested, and the remedy; null if something was. */
  readonly untested: string | null;
  readonly runs: readonly SweepRun[];
  readonly findings: readonly SweepRun[];
  readonly text: string;
}

/**
 * Runs a test, and then again under each alternative. All runs use the same world and start from the same
 * state, so that the test's other fixtures stay valid. Afterwards the world holds the journal of the last
 * run. Rejects with the test's own error if the test fails under the mock's assumptions.
 */
export async function sweepEach<Handle extends AnyWorld>(
  world: Handle,
  test: (world: Handle) => unknown,
): Promise<SweepReport> {
  const assumed = await world.assumptions.list();
  const start = await world.snapshot();
  const received = await follow(world);
  await test(world);
  const entries = await received();
  if (entries.length === 0) {
    const untested =
      'no request reached the world: give the client the world of the test, as in sweep(async ({ world }) => { ... }), and await its calls';
    return { ok: false, untested, runs: [], findings: [], text: `nothing was tested: ${untested}` };
  }
  const end = await world.snapshot();
  const answers = (statement: string) =>
    entries.filter((entry) => entry.assumed.includes(statement)).length;
  const core = coreOf(world);
  if (core !== undefined) core.isCounted = false;
  const runs: SweepRun[] = [];
  for (const assumption of assumed.filter(({ statement }) => answers(statement) > 0)) {
    for (const other of otherChoices(assumption)) {
      await world.restore(start);
      await (core === undefined ? world.requests.clear() : core.journal.reset());
      runs.push(await runUnder(world, assumption, other, test));
    }
  }
  await world.restore(end);
  if (core !== undefined) core.isCounted = true;
  const findings = runs.filter(({ error }) => error !== undefined);
  const survived = findings.length === 0 ? runs : [];
  everySweep.lockstepSwept = addSwept(everySweep.lockstepSwept, {
    survived: Object.fromEntries(
      survived.map(({ statement }) => [statement, answers(statement)] as const),
    ),
    failed: Object.fromEntries(
      [...Map.groupBy(findings, ({ statement }) => statement)].map(
        ([statement, failed]) => [statement, failed.map(({ choice }) => choice)] as const,
      ),
    ),
  });
  const report = { ok: findings.length === 0, untested: null, runs, findings };
  return { ...report, text: reportText(report) };
}

async function runUnder<Handle extends AnyWorld>(
  world: Handle,
  { statement, text: silence, choice: before }: Assumption,
  { id: choice, text }: Choice,
  test: (world: Handle) => unknown,
): Promise<SweepRun> {
  const alternative = { statement, silence, choice, text };
  await world.assumptions.set({ [statement]: choice });
  try {
    await test(world);
    return alternative;
  } catch (error) {
    const failed = error instanceof Error ? error : new Error(String(error));
    return { ...alternative, error: await world.explain(failed) };
  } finally {
    await world.assumptions.set({ [statement]: before });
  }
}

/** The world itself, if it is in this process. */
function coreOf(world: object) {
  const { service, id } = world as { readonly service?: unknown; readonly id?: string };
  return service instanceof Service && id !== undefined ? service.worlds.get(id) : undefined;
}

/** The first words of a sweep that has failed. */
export const FAILS_UNDER = 'the test holds under what the mock assumes, but fails under';

function reportText({ runs, findings }: Pick<SweepReport, 'runs' | 'findings'>): string {
  if (findings.length === 0) return `the test holds under all of ${runs.length} alternatives`;
  const lines = findings.map(({ statement, silence, choice, text, error }) =>
    [
      `  ${statement}: ${choice} (${text})`,
      `    ${silence}`,
      `    ${String(error?.message).replaceAll('\n', '\n    ')}`,
    ].join('\n'),
  );
  const head = `${FAILS_UNDER} ${findings.length} of ${runs.length} alternatives that the service may as well choose:`;
  return [head, ...lines].join('\n');
}
