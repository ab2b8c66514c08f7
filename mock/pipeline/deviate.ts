/**
 * The only place where deviations act: around a whole call, from its request to its reply.
 *
 * A deviation gets the request and the function that serves it. It may serve the request or not,
 * serve others before or after it, restore the state, and answer something else.
 */
import type { OperationId } from '../../spec/contract.ts';
import type { DeviationRecord, Memory } from '../world/deviations.ts';
import type { World } from '../world/world.ts';
import type { Decision } from './decision.ts';
import type { ExchangeRequest } from './exchange.ts';

/** Decides on the answer to a request, before it is written out. */
export type Serve = (request: ExchangeRequest) => Promise<Decision>;

export interface Scene {
  readonly world: World;
  readonly memory: Memory;
  /** Called if the deviation took effect and the decision does not show it. */
  readonly took: () => void;
}

/** A deviation as the pipeline knows it. The target of its requests has no world prefix. */
export interface Deviation extends DeviationRecord {
  readonly around: (request: ExchangeRequest, serve: Serve, scene: Scene) => Promise<Decision>;
}

/**
 * Serves a request through the active deviations. Each one wraps those before it. A deviation has
 * taken effect if it changed the decision of the code that it wraps. A world's requests are served
 * one after the other here, so that a deviation may restore the state.
 */
export function deviate(
  world: World,
  operation: OperationId,
  request: ExchangeRequest,
  serve: Serve,
): Promise<Decision> {
  const { deviations } = world;
  const run = async (): Promise<Decision> => {
    let next = serve;
    for (const active of deviations.of(operation)) {
      // A world stores the deviation without the pipeline's types.
      const { around } = active.deviation as Deviation;
      const inner = next;
      next = async (asked) => {
        let within: Decision | undefined;
        const took = (): void => {
          active.effects += 1;
        };
        const honest: Serve = async (wanted) => {
          within = await inner(wanted);
          return within;
        };
        const decision = await around(asked, honest, { world, memory: active.memory, took });
        if (decision !== within) took();
        return decision;
      };
    }
    return next(request);
  };
  const mine = deviations.last.then(run);
  deviations.last = mine.then(nothing, nothing);
  return mine;
}

const nothing = (): void => {};
