/**
 * Variants that the bases offer: the alternatives of the mock, the habits of the independent
 * tenant.
 */
import { contract } from '../../../spec/contract.ts';
import { type HabitId, habits } from '../../tenant/habits.ts';
import { each, type Variant } from '../variant.ts';

export const choiceVariants: readonly Variant[] = [
  ...[...contract.statements.values()].flatMap(({ id, alternatives = [] }) => {
    const about = { rule: `choice:${id}`, slot: `silence:${id}`, ground: id, on: 'mock' } as const;
    // An inert alternative does not change the mock.
    const names = alternatives.filter(({ inert }) => inert === undefined).map(({ id }) => id);
    return each(about, names, (name) => ({ assumptions: { [id]: name } }));
  }),
  ...each({ rule: 'habit', ground: '', on: 'tenant' }, habits, ({ statement }, habit) => ({
    ground: statement,
    slot: `habit:${habit}`,
    habit: habit as HabitId,
  })),
];
