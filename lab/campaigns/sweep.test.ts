import { afterAll, describe, expect, test } from 'vitest';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { silences } from '../../mock/world/assumptions.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { brokenIn, observationsOf, runOn } from '../exam/suite-run.ts';
import { drawnChoices, liveAlternatives } from './drawn-choices.ts';

/**
 * The suite on the mock under every alternative of every silence: no alternative may fail, and each
 * must be observed. With a single alternative, only the scenarios that observe its silence are
 * played; at night all. With many alternatives at once, all are played.
 */
const service = await createService();
const suite = loadOwnSuite();
const atNight = scaled(0, 1) === 1;
/** No scenario can observe a silence that no call can show. */
const shown = silences.filter(({ unobservable }) => unobservable === undefined);
const alternatives = shown.flatMap((silence) =>
  liveAlternatives(silence).map((choice) => [silence.id, choice.id] as const),
);

/** Alternatives that the suite cannot distinguish from the assumption, with the reason. */
const looksTheSame = new Map([
  ['UPD-10: name', 'the suite tries no other setting than the name'],
  ['AUDIT-24: thirty-days', 'no event of the fixture is older than thirty days'],
]);

/** The observations about each silence under the mock's own assumptions. */
const assumed = new Map<string, Promise<string | undefined>>();
function assumedAt(statement: string, fixture: string, only: readonly string[]) {
  const known =
    assumed.get(statement) ??
    runOn(service, suite, { world: { fixture } }, only).then((report) =>
      observationsOf(report).get(statement),
    );
  assumed.set(statement, known);
  return known;
}

const draws = drawnChoices(scaled(12, 60));
afterAll(() => {
  figure('alternatives of silences', 'each alone, the whole suite', alternatives.length);
  figure('alternatives of silences', 'many at once, the whole suite', draws.length);
});

describe('under one alternative', () => {
  test.for(alternatives)('%s: %s', async ([statement, choice]) => {
    // The fixture acme has the audit log, so the refusal without it needs another fixture.
    const fixture = statement === 'AUDIT-13' ? 'basic-plan' : 'acme';
    const only = atNight ? [] : [statement];
    const world = { fixture, assumptions: { [statement]: choice } };
    const report = await runOn(service, suite, { world }, only);
    expect(brokenIn(report)).toEqual([]);
    const before = await assumedAt(statement, fixture, only);
    const same = looksTheSame.get(`${statement}: ${choice}`);
    const changes = observationsOf(report).get(statement) !== before;
    expect(changes, same ?? 'the observation changes').toBe(same === undefined);
  });
});

describe('under many alternatives at once', () => {
  test.for([...draws.entries()])('draw %i', async ([, assumptions]) => {
    const report = await runOn(service, suite, { world: { assumptions } });
    expect(brokenIn(report), JSON.stringify(assumptions)).toEqual([]);
  });
});
