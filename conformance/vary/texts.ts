/** Endings for generated texts. A service may refuse some, but must keep those that it accepts. */

import type { Scenario } from '../language/scenario.ts';

/** By their names in the report; each comes after the id of the run. */
export const texts: Readonly<Record<string, string>> = {
  'in a long text': ` ${'and more '.repeat(18)}`.trimEnd(),
  'in a text beyond ASCII': ' ß 北京 Ж λ',
  'in a text with signs and capitals': ` "A & B" <C> 100% 'd'`,
};

export const plainText = 'in a short text';

/** Whether a scenario's texts can be changed: they name no person, and occur only in bodies. */
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
