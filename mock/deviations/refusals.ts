/** Operators on refusals: what is let through, refused without need, or done all the same. */
import type { Call } from '../pipeline/call.ts';
import { isRefusal, type Refusal, refusal } from '../pipeline/exchange.ts';
import { type Check, type Does, onCheck, onRefusal, type Scene, whenDone } from './does.ts';
import { setIn } from './memory.ts';

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

/** Refuses with 400 a call that is valid. */
export const refusesValid = (
  statement: string,
  message: string,
  when: (call: Call) => boolean,
): Does =>
  onCheck('validate', (refused, { call }) =>
    refused === undefined && when(call) ? refusal(400, statement, message) : refused,
  );

/** Refuses with 403 a call that is authorised. */
export const refusesAuthorised = (
  statement: string,
  message: string | ((scene: Scene) => string),
  when: (scene: Scene) => boolean,
): Does =>
  onCheck('authorise', (refused, scene) =>
    refused === undefined && when(scene)
      ? refusal(403, statement, typeof message === 'string' ? message : message(scene))
      : refused,
  );

/** Changes the state where a call is refused on one of these grounds; true where that changed it. */
export const despiteRefusal = (
  grounds: readonly string[] | 'any',
  act: (scene: Scene, refusal: Refusal) => boolean,
): Does =>
  onRefusal((refused, scene) => {
    if (grounds !== 'any' && !grounds.includes(refused.statement)) return;
    if (act(scene, refused)) scene.took();
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
