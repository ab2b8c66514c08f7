import { describe, expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { silences } from '../../mock/world/assumptions.ts';
import { Random } from '../../spec/base/random.ts';
import { brokenIn, observationsOf, runOn } from '../exam/suite-run.ts';

/**
 * Nobody is failed on a silence, and no silence is overlooked: the suite against the mock under
 * every alternative of every silent statement.
 */
const service = await createService();
const suite = loadOwnSuite();
const assumed = observationsOf(await runOn(service, suite));
/** A silence that no call can show is observed by none. */
const shown = silences.filter(({ unobservable }) => unobservable === undefined);
const alternatives = shown.flatMap(({ id, alternatives: choices = [] }) =>
  choices.filter(({ inert }) => inert === undefined).map((choice) => [id, choice.id] as const),
);

/** Alternatives that look like the assumption to the suite, and why. */
const looksTheSame = new Map([
  ['UPD-10: name', 'the suite tries no other setting than the name'],
  ['AUDIT-24: thirty-days', 'no event of the fixture is older than thirty days'],
]);

describe('under one alternative', () => {
  test.for(alternatives)('%s: %s', async ([statement, choice]) => {
    // The plan of acme has the audit log, so its absence shows on the fixture without it.
    const fixture = statement === 'AUDIT-13' ? 'basic-plan' : 'acme';
    const before =
      fixture === 'acme'
        ? assumed
        : observationsOf(await runOn(service, suite, { world: { fixture } }));
    const world = { fixture, assumptions: { [statement]: choice } };
    const report = await runOn(service, suite, { world });
    expect(brokenIn(report)).toEqual([]);
    const after = observationsOf(report);
    const same = looksTheSame.get(`${statement}: ${choice}`);
    const changes = after.get(statement) !== before.get(statement);
    expect(changes, same ?? 'the observation changes').toBe(same === undefined);
  });
});

describe('under many alternatives at once', () => {
  test.for(Array.from({ length: 40 }, (_, seed) => seed))('seed %i', async (seed) => {
    const random = new Random(seed);
    const assumptions: Record<string, string> = {};
    for (const { id, alternatives: choices = [] } of silences) {
      const live = choices.filter(({ inert }) => inert === undefined);
      const picked = live[random.below(live.length * 2)];
      if (picked !== undefined) assumptions[id] = picked.id;
    }
    const report = await runOn(service, suite, { world: { assumptions } });
    expect(brokenIn(report), JSON.stringify(assumptions)).toEqual([]);
  });
});
