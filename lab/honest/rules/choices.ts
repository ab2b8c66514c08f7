/** What the two tenants can do otherwise of themselves: each alternative of a silence, each habit. */
import { contract } from '../../../spec/contract.ts';
import { type HabitId, habits } from '../../tenant/habits.ts';
import type { Variant } from '../variant.ts';

const alternatives = [...contract.statements.values()].flatMap(
  ({ id, alternatives: others = [] }) =>
    others.map(
      (choice): Variant => ({
        id: `choice:${id}:${choice.id}`,
        ground: id,
        slot: `silence:${id}`,
        on: 'mock',
        assumptions: { [id]: choice.id },
      }),
    ),
);

const ofTenant = (Object.keys(habits) as HabitId[]).map(
  (habit): Variant => ({
    id: `habit:${habit}`,
    ground: habits[habit].statement,
    slot: `habit:${habit}`,
    on: 'tenant',
    habit,
  }),
);

export const choiceVariants: readonly Variant[] = [...alternatives, ...ofTenant];
