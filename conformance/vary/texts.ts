/** Texts of other kinds: what a run makes up ends in them. A service may refuse some, and keeps what it takes. */

import type { Scenario } from '../language/scenario.ts';

/** By what they are called in the report; each is put after the id of the run. */
export const texts: Readonly<Record<string, string>> = {
  'in a long text': ` ${'and more '.repeat(18)}`.trimEnd(),
  'in a text beyond ASCII': ' ß 北京 Ж λ',
  'in a text with signs and capitals': ` "A & B" <C> 100% 'd'`,
};

export const plainText = 'in a short text';

/** Whether the texts of a scenario are free: nobody is named by them, and nothing but a body holds them. */
export function hasFreeText(scenario: Scenario): boolean {
  const { steps, undo } = scenario;
  if (!JSON.stringify([scenario.let, steps.map(({ body }) => body)]).includes('{run.id}'))
    return false;
  const elsewhere = [...steps, ...undo].map(({ as, path, query, headers, request, rawBody }) => {
    return [as, path, query, headers, request, rawBody];
  });
  const people = [...steps, ...undo].some(({ operation }) => operation?.people !== undefined);
  return (
    !people &&
    !JSON.stringify(elsewhere).includes('run.id') &&
    steps.every(({ forEach }) => forEach === undefined)
  );
}
