/** Runs a test again under each alternative of the silences that it touched. */

import type { WorldRequest } from '../world/world-request.ts';
import type { Swept } from './coverage.ts';
import type { Mock, World } from './index.ts';

/** The alternatives that a sweep of a world has tried, and those under which its test failed. */
const sweeps = new WeakMap<
  World,
  { readonly tried: readonly Alternative[]; readonly failed: readonly Alternative[] }
>();

/** What a sweep of this world has found, with how many of its answers rest on each silence. */
export function sweptIn(world: World): Swept {
  const { tried = [], failed = [] } = sweeps.get(world) ?? {};
  const { assumptions } = world.coverage;
  const held = failed.length === 0 ? tried : [];
  const byStatement = Map.groupBy(failed, ({ statement }) => statement);
  return {
    survived: Object.fromEntries(
      held.map(({ statement }) => [statement, assumptions[statement]?.answers ?? 0]),
    ),
    failed: Object.fromEntries(
      [...byStatement].map(([id, choices]) => [id, choices.map(({ choice }) => choice)]),
    ),
  };
}

export async function sweepBody(
  mock: Mock,
  world: World,
  request: WorldRequest,
  body: (world: World) => unknown,
): Promise<void> {
  const touched = new Set<string>();
  const stop = world.requests.subscribe(({ assumed }) => {
    for (const statement of assumed) touched.add(statement);
  });
  const alternatives = alternativesOf(world);
  try {
    await body(world);
  } finally {
    stop();
  }
  const tried = alternatives.filter(({ statement }) => touched.has(statement));
  const failed: Failure[] = [];
  for (const alternative of tried) {
    const { statement, choice } = alternative;
    const assumptions = { ...request.assumptions, [statement]: choice };
    using other = await mock.createWorld({ ...request, id: undefined, assumptions });
    try {
      await body(other);
    } catch (error) {
      failed.push({ ...alternative, error });
    }
  }
  sweeps.set(world, { tried, failed });
  if (failed.length > 0) throw sweepError(failed, tried.length);
}

type Alternative = ReturnType<typeof alternativesOf>[number];
type Failure = Alternative & { readonly error: unknown };

/** Every choice that a world could be switched to, and has not made. */
function alternativesOf(world: World) {
  return world.assumptions
    .list()
    .flatMap(({ statement, text: silence, choice, choices }) =>
      choices
        .filter(({ id, inert }) => id !== choice && inert === undefined)
        .map(({ id, text }) => ({ statement, silence, choice: id, text })),
    );
}

function sweepError(failed: readonly Failure[], tried: number): Error {
  const lines = failed.map(({ statement, silence, choice, text, error }) => {
    const said = error instanceof Error ? error.message : String(error);
    return [
      `  ${statement}: ${choice} (${text})`,
      `    ${silence}`,
      `    ${said.replaceAll('\n', '\n    ')}`,
    ].join('\n');
  });
  const head = `the test holds under what the mock assumes, but fails under ${failed.length} of ${tried} alternatives that the service may as well choose:`;
  return new Error([head, ...lines].join('\n'), { cause: failed[0]?.error });
}
