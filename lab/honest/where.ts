/** Finds the scenarios that a variant can affect. All others end as they do on its base. */
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Scenario } from '../../conformance/language/scenario.ts';
import { reportOf } from '../exam/suite-run.ts';
import { bases } from './bases.ts';
import { basisOf } from './seam.ts';
import type { Variant } from './variant.ts';

const suite = loadOwnSuite();
let known: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

/** The scenarios that a single variant on the mock can affect. */
export async function scenariosMeeting(variant: Variant): Promise<readonly Scenario[]> {
  const { scenarios } = suite;
  const { assumptions, does, writes, world, bindings } = variant;
  if ((writes ?? world ?? bindings) !== undefined) return scenarios;
  if (assumptions !== undefined) {
    // All other effects of the variant are on answers that rest on the same silences.
    const silences = Object.keys(assumptions);
    known ??= silencesOfScenarios();
    const rests = await known;
    return scenarios.filter(({ title }) => silences.some((id) => rests.get(title)?.has(id)));
  }
  const chosen = does?.operations;
  if (chosen === undefined) return scenarios;
  return scenarios.filter(({ operations }) => {
    return operations === undefined || chosen.some((id) => operations.has(id as never));
  });
}

/** For each scenario's title, the silences that the mock's answers in it rest on. */
async function silencesOfScenarios(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  let current = new Set<string>();
  const { target } = await bases.mock([], (send) => async (request, signal) => {
    const answer = await send(request, signal);
    for (const id of basisOf(answer)) current.add(id);
    return answer;
  });
  try {
    // One at a time, so that each answer can be assigned to its scenario.
    await reportOf(
      suite,
      target,
      {},
      {
        onProgress: (event) => {
          if (event.type !== 'scenario-started') return;
          current = new Set();
          found.set(event.scenario, current);
        },
      },
    );
    return found;
  } finally {
    await target.close();
  }
}
