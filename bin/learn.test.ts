/** Silences are learned: a mock with the profile of a run behaves as its target did. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadOwnSuite } from '../conformance/language/own-suite.ts';
import { createService } from '../mock/kits/index.ts';
import { readProfile } from '../mock/service/profile.ts';
import { learned, profileYaml } from '../reports/profile-yaml.ts';
import { Random } from '../spec/base/random.ts';
import { contract } from '../spec/contract.ts';
import { observationsOf, runOn } from './suite-run.ts';

const suite = loadOwnSuite();
const service = await createService();
const silences = [...contract.statements.values()].filter(({ level }) => level === 'silent');

/** A choice at each silence, drawn from all that it has. */
function draw(seed: number): Record<string, string> {
  const random = new Random(seed);
  return Object.fromEntries(
    silences.flatMap(({ id, assumption, alternatives = [] }) => {
      const all = [assumption, ...alternatives].filter((choice) => choice?.inert === undefined);
      const choice = all[random.below(all.length)];
      return choice === undefined ? [] : [[id, choice.id]];
    }),
  );
}

/** Choices that look alike where another silence was answered so: nobody could tell them apart. */
const alike: readonly (readonly [id: string, seen: string, where: string, is: string])[] = [
  // A limit of 0 that is refused is served as 20 where a bad parameter is passed over.
  ['PAGE-8', 'default', 'ERR-5', 'default'],
  // Where a switch shows later, the version that the list calls current is not the one that runs.
  ['UPD-16', 'accepted', 'UPD-14', 'later'],
  // In a zone behind UTC, the first hours of the next day are part of the last one.
  ['AUDIT-16', 'inclusive', 'AUDIT-23', 'account'],
];
const looksAlike = (id: string, choice: string, chosen: Readonly<Record<string, string>>) =>
  alike.some(([one, seen, where, is]) => id === one && choice === seen && chosen[where] === is);

test('what a mock assumes is learned from it, but for what the fixture cannot show', async () => {
  const { choices, open } = learned(await runOn(service, suite));
  expect([...open.keys()]).toEqual(['AUDIT-13']);
  for (const [id, choice] of choices) {
    expect([id, choice]).toEqual([id, contract.statements.get(id)?.assumption?.id]);
  }
});

describe('a mock that chose otherwise', () => {
  test.for(Array.from({ length: 12 }, (_, seed) => seed))('seed %i', async (seed) => {
    const chosen = draw(seed);
    const report = await runOn(service, suite, { assumptions: chosen });
    const { choices } = learned(report);
    for (const [id, choice] of choices) {
      if (!looksAlike(id, choice, chosen)) expect([id, choice]).toEqual([id, chosen[id]]);
    }
    expect(choices.size).toBeGreaterThan(80);
    const file = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'profile.yaml');
    writeFileSync(file, profileYaml(report, contract.statements));
    const profile = await readProfile(file);
    expect(new Map(Object.entries(profile))).toEqual(choices);
    // The mock that takes it is observed to do the same.
    const again = observationsOf(await runOn(service, suite, { assumptions: profile }));
    const before = observationsOf(report);
    // A status beside a choice may rest on another silence, which this target did not show.
    const choicesOf = (text = '') => text.replaceAll(/,"value":\d+/g, '');
    for (const id of choices.keys()) {
      expect(choicesOf(again.get(id)), id).toEqual(choicesOf(before.get(id)));
    }
  });
});
