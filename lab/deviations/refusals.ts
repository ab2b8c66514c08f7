/** Operators on refusals: what is let through, refused without need, or done all the same. */
import { isRefusal, type Refusal, refusal } from '../../mock/pipeline/exchange.ts';
import { type Check, type Does, onCheck, onRefusal, type Scene, whenDone } from './does.ts';
import { setIn } from './memory.ts';
import { acts } from './state.ts';

/** Accepts what a check refuses by a statement. */
export const accepts = (
  check: Check,
  statement: string,
  when: (scene: Scene) => boolean = () => true,
): Does =>
  onCheck(check, (refused, scene) =>
    refused?.statement === statement && when(scene) ? undefined : refused,
  );

/** Accepts what a check refuses by a statement, once it has refused a call by it; `of` says which. */
export const refusesOnce = (
  check: Check,
  statement: string,
  of: (scene: Scene) => string = () => 'calls',
): readonly Does[] => [
  accepts(check, statement, (scene) => setIn(scene.memory, 'refused').has(of(scene))),
  remembersRefusal(statement, of),
];

/** Remembers of what a call was refused by a statement, as `refused`. */
export const remembersRefusal = (by: string, of: (scene: Scene) => string = () => 'calls'): Does =>
  onRefusal(({ statement }, scene) => {
    if (statement === by) setIn(scene.memory, 'refused').add(of(scene));
  });

/** How a check refuses. */
const statusOf = { validate: 400, authorise: 403 };

/** Refuses a call that a check lets through. */
export const refuses = (
  check: keyof typeof statusOf,
  statement: string,
  message: string,
  when: (scene: Scene) => boolean = () => true,
): Does =>
  onCheck(check, (refused, scene) =>
    refused === undefined && when(scene) ? refusal(statusOf[check], statement, message) : refused,
  );

/** Changes the state where a call is refused on one of these grounds. */
export const despiteRefusal = (
  grounds: readonly string[] | 'any',
  act: (scene: Scene, refusal: Refusal) => void,
): Does =>
  onRefusal((refused, scene) => {
    if (grounds !== 'any' && !grounds.includes(refused.statement)) return;
    acts(scene, () => act(scene, refused));
  });

/** Does a call that a check refuses by a statement, and answers that it is refused. */
export const doesRefused = (check: Check, statement: string): readonly Does[] => [
  onCheck(check, (refused, { memory }) => (memory.has('doing') ? undefined : refused)),
  {
    serve: (next, scene) =>
      whenDone(next(), (done) => {
        if (!isRefusal(done) || done.statement !== statement) return done;
        const { call, memory, took } = scene;
        const { basis } = call;
        // What it would assume is no part of the refusal's basis.
        call.basis = basis.trial();
        memory.set('doing', true);
        const result = next();
        memory.delete('doing');
        call.basis = basis;
        if (!(result instanceof Promise) && !isRefusal(result)) took();
        return done;
      }),
  },
];
