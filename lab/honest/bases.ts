/** The two services that variants are applied to: the mock, and the lab's independent tenant. */
import type { Target as CertifiedTarget, Transport } from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import type { State } from '../../mock/world/state.ts';
import type { World } from '../../mock/world/world.ts';
import { emit } from '../../mock/world/world-clock.ts';
import { inProcessTarget } from '../exam/in-process.ts';
import { type BenchOptions, bench } from '../tenant/measure.ts';
import type { BaseName, Scene, Variant } from './variant.ts';

export interface Base {
  readonly target: CertifiedTarget;
  readonly memory: Pick<Scene, 'snapshot' | 'restore' | 'now' | 'emit'>;
  /** How long the runner waits for a change to show, ms. */
  readonly convergenceMs: number;
}

let service: ReturnType<typeof createService> | undefined;

/** Makes a fresh tenant with the choices of the variants. `around` wraps its transport. */
export const bases: Readonly<
  Record<
    BaseName,
    (variants: readonly Variant[], around: (send: Transport) => Transport) => Promise<Base>
  >
> = {
  async mock(variants, around) {
    service ??= createService();
    const assumptions = Object.assign({}, ...variants.map((variant) => variant.assumptions));
    const world = Object.assign({}, ...variants.map((variant) => variant.world));
    let made: World | undefined;
    const target = await inProcessTarget(await service, {
      // Time moves only while the suite waits, so each run is the same.
      world: { clock: new Date().toISOString(), assumptions, ...world },
      prepare: (it) => {
        made = it;
      },
    });
    const inside = made;
    if (inside === undefined) throw new Error('the mock has made no world');
    return {
      target: { ...target, transport: around(target.transport) },
      convergenceMs: 30_000,
      memory: {
        now: () => inside.clock.now(),
        emit: (event) => emit(inside, event),
        snapshot: () => inside.state.clone(),
        restore: (before) => {
          inside.state = (before as State).clone();
        },
      },
    };
  },
  async tenant(variants, around) {
    const habits = variants.flatMap(({ habit }) => (habit === undefined ? [] : [habit]));
    const traits = Object.assign({}, ...variants.map((variant) => variant.traits));
    let memory: Base['memory'] | undefined;
    const before: BenchOptions['before'] = (it) => {
      memory = { ...it, restore: (snapshot) => it.restore(snapshot as never) };
      return it.handle;
    };
    const { target } = bench({ habits, traits, before });
    if (memory === undefined) throw new Error('the tenant has no service');
    return {
      // The tenant shows changes late by its own clock. The runner waits by the same clock, so
      // little real time passes.
      target: { ...target, transport: around(target.transport), now: memory.now },
      convergenceMs: 20,
      memory,
    };
  },
};
