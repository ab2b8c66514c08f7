/** Runs a test again under each alternative of the silences that it touched. */

import type { WorldRequest } from '../world/world-request.ts';
import type { Swept } from './coverage.ts';
import type { Mock, World } from './index.ts';

/** A world like the test's own, under one other choice. */
type Choice = readonly [statement: string, choice: string];

/** The choices that a sweep of a world has tried, and those under which its test failed. */
const sweeps = new WeakMap<World, { readonly tried: Choice[]; readonly failed: Choice[] }>();

/** What a sweep of this world has found, with how many of its answers rest on each silence. */
export function sweptIn(world: World): Swept {
  const { tried = [], failed = [] } = sweeps.get(world) ?? {};
  const { assumptions } = world.coverage;
  const held = failed.length === 0 ? tried : [];
  return {
    survived: Object.fromEntries(held.map(([id]) => [id, assumptions[id]?.answers ?? 0])),
    failed: Object.fromEntries(
      failed.map(([id]) => [id, failed.flatMap(([other, choice]) => (other === id ? choice : []))]),
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
  const choices = alternatives.filter(([statement]) => touched.has(statement));
  const failures: { readonly choice: Choice; readonly error: unknown }[] = [];
  for (const choice of choices) {
    const assumptions = { ...request.assumptions, [choice[0]]: choice[1] };
    using other = await mock.createWorld({ ...request, id: undefined, assumptions });
    try {
      await body(other);
    } catch (error) {
      failures.push({ choice, error });
    }
  }
  sweeps.set(world, { tried: choices, failed: failures.map(({ choice }) => choice) });
  if (failures.length > 0) throw sweepError(failures, choices.length, world);
}

/** Every choice that a world could be switched to, and has not made. */
function alternativesOf(world: World): Choice[] {
  return world.assumptions
    .list()
    .flatMap(({ statement, choice, choices }) =>
      choices
        .filter(({ id, inert }) => id !== choice && inert === undefined)
        .map(({ id }): Choice => [statement, id]),
    );
}

function sweepError(
  failures: readonly { readonly choice: Choice; readonly error: unknown }[],
  tried: number,
  world: World,
): Error {
  const statements = new Map(world.assumptions.list().map((item) => [item.statement, item]));
  const lines = failures.map(({ choice: [statement, choice], error }) => {
    const item = statements.get(statement);
    const text = item?.choices.find(({ id }) => id === choice)?.text ?? '';
    const said = error instanceof Error ? error.message : String(error);
    return [
      `  ${statement}: ${choice} (${text})`,
      `    ${item?.text ?? ''}`,
      `    ${said.replaceAll('\n', '\n    ')}`,
    ].join('\n');
  });
  const head = `the test holds under what the mock assumes, but fails under ${failures.length} of ${tried} alternatives that the service may as well choose:`;
  return new Error([head, ...lines].join('\n'), { cause: failures[0]?.error });
}
