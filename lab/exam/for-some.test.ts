/**
 * The exam of deviations that are limited to some calls: the choice of combinations, and their
 * outcomes.
 */
import { describe, expect, test } from 'vitest';
import { authorisationFamily } from '../../conformance/language/authorisation.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { createService } from '../../mock/kits/index.ts';
import { contract } from '../../spec/contract.ts';
import { catalogue } from '../areas/catalogue.ts';
import { conditions } from '../deviations/only-if/conditions.ts';
import type { SomeAnswer, SomeOutcome } from './ask-for-some.ts';
import { examine, examineForSome } from './exam-worker.ts';
import { forSomeMd } from './for-some-md.ts';
import { titlesOf } from './marks.ts';
import { combinationsOf, spreadOf } from './spread.ts';

test('the callers of a condition are those that the authorisation table permits', () => {
  const { cells } = authorisationFamily();
  for (const { name, fits } of conditions.filter(({ kind }) => kind === 'caller')) {
    const actor = name.replace(/-(.)/, (_dash, letter: string) => letter.toUpperCase());
    const letIn = cells
      .filter((cell) => cell.actor === actor && cell.clauses[0]?.expected === 'allowed')
      .map(({ operation }) => operation);
    // A member may update some folders only. The table tries another folder.
    const isEdited = ({ requires }: { requires: { edit?: string | undefined } }) =>
      requires.edit !== undefined && name.startsWith('member');
    const fitting = [...contract.operations.values()].filter((one) => fits(one) && !isEdited(one));
    expect(fitting.map(({ id }) => id).sort(), name).toEqual(letIn.sort());
  }
});

describe('a spread', () => {
  const all = combinationsOf(catalogue, conditions);
  const chosen = spreadOf(all, 1200);
  const goalsOf = (combinations: typeof all) =>
    new Set(
      combinations.flatMap(({ deviation, condition }) =>
        deviation.breaks.map((statement) => `${statement} ${condition.kind}`),
      ),
    );

  test('covers each statement with each kind of condition, and is always the same', () => {
    expect(goalsOf(chosen)).toEqual(goalsOf(all));
    expect(chosen.length).toBeLessThanOrEqual(1200);
    expect(spreadOf(all, 1200).map(({ id }) => id)).toEqual(chosen.map(({ id }) => id));
  });

  test('continues with the pairs that the earlier combinations did not cover', () => {
    const tried = chosen.slice(0, 600);
    const left = all.filter((one) => !tried.includes(one));
    const next = spreadOf(left, 600, tried);
    expect(next.length).toBeLessThanOrEqual(600);
    expect(goalsOf([...tried, ...next])).toEqual(goalsOf(all));
  });
});

describe('a deviation for some only', async () => {
  const service = await createService();
  const suite = loadOwnSuite();
  const outcomeOf = async (id: string) => {
    const titles = titlesOf(await examine(service, suite, id.split('@')[0] ?? ''));
    return (await examineForSome(service, suite, id, titles)).outcome;
  };

  test('is killed if the suite makes such calls', async () => {
    expect(await outcomeOf('folders:rename-lost@admin')).toBe('killed');
  });

  test('survives a suite that could make such calls and does not', async () => {
    const titles = ['A folder takes the name that is sent, and keeps all else'];
    const fewer = {
      sha256: suite.sha256,
      scenarios: suite.scenarios.filter(({ title }) => titles.includes(title)),
    };
    expect(fewer.scenarios).toHaveLength(1);
    const { outcome } = await examineForSome(service, fewer, 'folders:name-cut@long-text', titles);
    expect(outcome).toBe('untried');
  });

  test('is idle if no such call exists', async () => {
    expect(await outcomeOf('audit:end-as-start@without-end')).toBe('idle');
  });
});

test('the table gives the share that was noticed, and lists the others', () => {
  const [one] = combinationsOf(catalogue, conditions);
  if (one === undefined) throw new Error('there are no combinations');
  const outcomes: readonly SomeOutcome[] = ['killed', 'killed', 'killed', 'untried', 'idle'];
  const answers = outcomes.map((outcome, index): SomeAnswer => {
    return { id: `a:b@${index}`, outcome, blamed: [] };
  });
  const tried = answers.map(({ id }) => ({ ...one, id }));
  const { text, share } = forSomeMd({ tried, answers, of: 9, isSpread: false });
  expect(share).toBe(0.75);
  expect(text).toContain('3 of 4 are noticed (75.0 %), of 9.');
  expect(text).toContain(`| ${one.condition.kind} | 3 | 0 | 1 | 0 | 0 | 1 |`);
  expect(text).toContain(`- ${one.condition.kind} (1): \`a:b@3\``);
});
