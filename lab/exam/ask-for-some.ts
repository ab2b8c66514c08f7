/**
 * Examines a deviation that takes effect only for some calls. It plays the scenarios that notice
 * the unlimited deviation. If none of them notices, it plays them again with calls for which the
 * condition holds.
 */
import type { Suite } from '../../conformance/language/scenario.ts';
import type { Deviation as MockDeviation } from '../../mock/pipeline/deviate.ts';
import type { Service } from '../../mock/service/service.ts';
import { contract } from '../../spec/contract.ts';
import { onMock } from '../deviations/on-mock.ts';
import type { Condition } from '../deviations/only-if/only-if.ts';
import { askOnce, type Exam } from './ask.ts';
import type { Elsewhere } from './changes.ts';
import { targetWith } from './in-process.ts';
import type { ExamAnswer } from './marks.ts';
import { rewritten } from './rewrite.ts';

/**
 * `killed`: a check of a broken statement failed. In all other cases none failed, and the scenarios
 * were rewritten. `missed`: the deviation took effect before, and a rewritten scenario fails.
 * `untried`: it took no effect before, and a rewritten scenario fails. `unseen`: it takes effect in
 * rewritten scenarios, and no check notices. `unfit`: an honest target fails the same checks.
 * `idle`: it takes no effect even then.
 */
export type SomeOutcome = 'killed' | 'missed' | 'untried' | 'unseen' | 'unfit' | 'idle';

export interface SomeAnswer {
  readonly id: string;
  readonly outcome: SomeOutcome;
  /** Other statements whose checks failed, if no check of a broken one did. */
  readonly blamed: readonly string[];
}

export interface SomeExam extends Pick<Exam, 'suite' | 'effort'> {
  readonly service: Service;
  readonly deviation: MockDeviation;
  readonly condition: Condition;
  /** Titles of the scenarios that notice the unlimited deviation. */
  readonly titles: readonly string[];
}

export async function askForSome(exam: SomeExam): Promise<SomeAnswer> {
  const { service, deviation, condition, titles, effort } = exam;
  const suite: Suite = {
    ...exam.suite,
    scenarios: exam.suite.scenarios.filter(({ title }) => titles.includes(title)),
  };
  const given = { suite, question: deviation };
  const { id } = deviation;
  const make = () => targetWith(service, [deviation]);
  const first = await askOnce({ ...given, make, effort }, [], true);
  if (first.outcome === 'killed') return { id, outcome: 'killed', blamed: [] };
  // There are no variations, so that only the condition changes a call.
  const { whole: _whole, ...written } = suite;
  const otherwise = (deviations: readonly MockDeviation[]) => {
    const otherTarget = () => targetMadeOtherwise(service, deviations, condition);
    return askOnce({ ...given, suite: written, make: otherTarget }, []);
  };
  const broken = await otherwise([deviation]);
  if (broken.effects === 0) return { id, outcome: 'idle', blamed: [] };
  const { effects, alsoFailed: blamed } = first;
  const noticed = noticedIn(broken, await otherwise([]));
  if (noticed !== 'noticed') return { id, outcome: noticed, blamed };
  return { id, outcome: effects === 0 ? 'untried' : 'missed', blamed };
}

/** Whether a check failed that does not fail without the deviation. */
function noticedIn(broken: ExamAnswer, honest: ExamAnswer): 'noticed' | 'unseen' | 'unfit' {
  const checksOf = ({ noticed }: ExamAnswer) =>
    noticed.flatMap(({ statement, checks }) => checks.map((check) => `${statement} ${check}`));
  const failed = new Set(checksOf(honest));
  if (checksOf(broken).some((check) => !failed.has(check))) return 'noticed';
  return failed.size > 0 ? 'unfit' : 'unseen';
}

/** A target that receives each call changed so that the condition holds. */
async function targetMadeOtherwise(
  service: Service,
  deviations: readonly MockDeviation[],
  condition: Condition,
) {
  const made = await targetWith(service, deviations);
  const does = rewritten(condition, elsewhereOf(made.target.bindings));
  const rewriting = onMock({
    ...{ id: 'made-otherwise', text: 'Calls are made differently.', breaks: [], does },
    operations: [...contract.operations.keys()],
  });
  made.switchOn([...deviations, rewriting]);
  return made;
}

type Bindings = Awaited<ReturnType<typeof targetWith>>['target']['bindings'];

/**
 * Pairs of bound ids: one in the first deployment, one in another, such as `folder` and
 * `foreignFolder`.
 */
function elsewhereOf(bindings: Bindings): Elsewhere {
  const pairs = Object.entries(bindings).flatMap(([name, there]) => {
    const own = name.replace(/^(foreign|other)(.)/, (_all, _word, first: string) =>
      first.toLowerCase(),
    );
    const here = own === name ? undefined : bindings[own];
    return here === undefined ? [] : [[String(Object(here).id), String(Object(there).id)] as const];
  });
  return Object.fromEntries(pairs);
}
