/** The choices that the two tenants offer themselves: each alternative of a silence, each habit. */
import { contract } from '../../../spec/contract.ts';
import { type HabitId, habits } from '../../tenant/habits.ts';
import { each, type Variant } from '../variant.ts';

export const choiceVariants: readonly Variant[] = [
  ...[...contract.statements.values()].flatMap(({ id, alternatives = [] }) => {
    const about = { rule: `choice:${id}`, slot: `silence:${id}`, ground: id, on: 'mock' } as const;
    // The mock does nothing otherwise for one that is inert.
    const names = alternatives.filter(({ inert }) => inert === undefined).map(({ id }) => id);
    return each(about, names, (name) => ({ assumptions: { [id]: name } }));
  }),
  ...each({ rule: 'habit', ground: '', on: 'tenant' }, habits, ({ statement }, habit) => ({
    ground: statement,
    slot: `habit:${habit}`,
    habit: habit as HabitId,
  })),
];
