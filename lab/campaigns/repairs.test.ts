/**
 * The repairs that the mock offers for refused requests. The requests are one mistake for each
 * operation, and the corpus under each choice at each silence. Each repair must work, and only a
 * few requests may have none.
 */
import { expect, test } from 'vitest';
import { choicesRead } from '../../mock/testing/choices-read.ts';
import { corpus } from '../../mock/testing/corpus.ts';
import { proveRepairs } from '../../mock/testing/prove-repairs.ts';
import { refused } from '../../mock/testing/refused.ts';
import { replay } from '../../mock/testing/replay.ts';
import { silences } from '../../mock/world/assumptions.ts';
import { contract } from '../../spec/contract.ts';

const TIME = 1_800_000;

test.for([
  ['as assumed', {}],
  ['with all refused that the description does not know', contract.strict],
] as const)('%s', { timeout: TIME }, async ([, assumptions]) => {
  let number = 0;
  const without: string[] = [];
  for (const entry of [...corpus, ...refused]) {
    const repairs = await proveRepairs(entry, assumptions);
    if (repairs !== undefined) number += 1;
    if (repairs?.length === 0) without.push(entry.name);
  }
  console.log(`${number} refused, ${number - without.length} repaired; not: ${without.join(', ')}`);
  expect(without.length).toBeLessThan(number / 100);
});

test('under each alternative', { timeout: TIME }, async () => {
  const seen = new Set<string>();
  const mayChange = await choicesRead(corpus);
  let number = 0;
  const without: string[] = [];
  for (const { id, alternatives = [] } of silences) {
    for (const choice of alternatives.filter(({ inert }) => inert === undefined)) {
      for (const entry of corpus.filter((one) => mayChange(one, id))) {
        const { status, world } = await replay(entry, {}, { [id]: choice.id });
        const { refusal } = world.journal.last() ?? {};
        // One refusal of each kind is enough, because others of the kind differ only in the choice.
        const kind = `${status} ${refusal?.statement} ${refusal?.at} ${entry.name}`;
        if (seen.has(kind)) continue;
        seen.add(kind);
        const repairs = await proveRepairs(entry, {}, { [id]: choice.id });
        if (repairs !== undefined) number += 1;
        if (repairs?.length === 0) without.push(`${id}=${choice.id}: ${entry.name}`);
      }
    }
  }
  const kinds = [...new Set(without.map((text) => text.split(': ')[1]))];
  console.log(`${number} refused, ${number - without.length} repaired; not: ${kinds.join(', ')}`);
  expect(without.length).toBeLessThan(number / 20);
});
