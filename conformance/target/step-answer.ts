/** The answer to a step: of its one call, or of all that its verb makes. */

import { equal } from '../../spec/base/json.ts';
import type { Answer } from '../language/answer.ts';
import { listIn } from '../language/compare.ts';
import type { Step } from '../language/scenario.ts';
import type { ScenarioScope } from '../language/scope.ts';
import { resolve } from '../language/template.ts';
import { type PageReader, readHead, readPages } from './read-pages.ts';

/** Makes the step's call once. */
export type CallOnce = PageReader['read'];

/** `head`: a walk over a list reads one big page first. Rejects with what `read` does. */
export async function answerOf(
  step: Step,
  scope: ScenarioScope,
  read: CallOnce,
  head: boolean,
): Promise<Answer> {
  const reader = pagesOf(step, scope, read);
  const answer =
    reader === undefined
      ? await repeated(step, read)
      : await readPages(reader, head ? await readHead(reader) : undefined);
  answer.response = step.operation?.responseFor(answer.status);
  answer.list = scope.of(answer, () => listIn(step, answer, scope));
  return answer;
}

/** Whether a big page read after a walk is another than the one that was read before it. */
export async function hasMoved(
  step: Step,
  scope: ScenarioScope,
  read: CallOnce,
  { walk }: Answer,
): Promise<boolean> {
  const reader = pagesOf(step, scope, read);
  if (walk === undefined || reader === undefined) return true;
  const after = await readHead(reader);
  // A service that serves no big page cannot be bracketed; then the walks alone must agree.
  return after !== undefined && !equal(walk.head ?? [], after);
}

/** Undefined for a step that walks over no list. */
function pagesOf({ mode }: Step, scope: ScenarioScope, read: CallOnce): PageReader | undefined {
  if (mode === undefined || mode.kind === 'repeat') return undefined;
  const size = mode.size === undefined ? undefined : Number(resolve(mode.size, scope));
  return { mode, size, scope, read };
}

async function repeated({ mode }: Step, read: CallOnce): Promise<Answer> {
  const first = await read({}, false);
  if (mode?.kind !== 'repeat') return first;
  const answers = [first];
  while (answers.length < mode.times) answers.push(await read({}, false));
  const last = answers.at(-1) ?? first;
  const all = last.withEvidence(answers.flatMap((answer) => answer.evidence));
  all.answers = answers;
  return all;
}
