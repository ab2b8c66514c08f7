/**
 * A deviation: one deliberate departure from one or more statements, as data plus a small transform
 * at one of the points where an answer is made.
 *
 * A world holds the deviations that are switched on, with a memory of their own and a count of how
 * often each took effect: one that never did proves nothing.
 */
import type { Operation, OperationId } from '../../spec/contract.ts';
import type { Caller } from '../pipeline/authenticate.ts';
import type { Call } from '../pipeline/call.ts';
import type { Answer, ExchangeRequest, Refusal } from '../pipeline/exchange.ts';
import type { State } from '../world/state.ts';
import type { World } from '../world/world.ts';

/** A point at which a call may be refused before it is handled. */
export type Stage = 'authorise' | 'validate' | 'find' | 'edit';

/** What a deviation remembers of earlier calls. */
export type Memory = Map<string, unknown>;

/** A handled call: what it answers, and the state before it. */
export interface Scene {
  readonly call: Call;
  readonly world: World;
  readonly request: ExchangeRequest;
  /** The state as it was before the call was handled. */
  readonly before: State;
  readonly memory: Memory;
  /** Says that the deviation took effect, for transforms that change the state and not the answer. */
  readonly took: () => void;
}

/** A request on its way to an answer, whether it was handled or refused. */
export interface AnswerScene {
  readonly operation: Operation;
  readonly world: World;
  readonly request: ExchangeRequest;
  /** Undefined where the credential was refused. */
  readonly call: Call | undefined;
  /** Why the answer is a refusal; null where it is not. */
  readonly refusal: Refusal | null;
  readonly memory: Memory;
}

export interface Deviation {
  /** Unique, lower-case words with dashes and colons. Never changes meaning. */
  readonly id: string;
  /** What is wrong, in a sentence. */
  readonly text: string;
  /** Statements that it breaks: documented or standard, and observable. */
  readonly breaks: readonly string[];
  /** Further statements that noticing it cannot but break. */
  readonly collateral?: readonly string[];
  /** Operations that it can take effect in. */
  readonly operations: readonly OperationId[];
  /** A written proof that no client could tell, for the few of which that is true. */
  readonly equivalent?: string;

  /** Replaces the result of authentication. */
  readonly authenticate?: (
    result: Caller | Refusal,
    scene: {
      readonly operation: Operation;
      readonly request: ExchangeRequest;
      readonly world: World;
      readonly memory: Memory;
    },
  ) => Caller | Refusal;
  /** Replaces the result of a stage. */
  readonly stage?: (
    stage: Stage,
    refused: Refusal | undefined,
    scene: { readonly call: Call; readonly request: ExchangeRequest; readonly memory: Memory },
  ) => Refusal | undefined;
  /** Wraps the handler: may change the call before it and the state after it. */
  readonly handle?: (
    next: () => Answer | Refusal | Promise<Answer | Refusal>,
    scene: Scene,
  ) => Answer | Refusal | Promise<Answer | Refusal>;
  /** Happens after a call was refused by a stage or its handler. */
  readonly refused?: (refusal: Refusal, scene: Scene) => void;
  /** Replaces the answer as it is about to be written out. */
  readonly answer?: (answer: Answer, scene: AnswerScene) => Answer;
}

interface Active {
  readonly deviation: Deviation;
  memory: Memory;
  effects: number;
}

/** The deviations that are switched on in a world. */
export class ActiveDeviations {
  #active: Active[] = [];

  get any(): boolean {
    return this.#active.length > 0;
  }

  set(deviations: readonly Deviation[]): void {
    this.#active = deviations.map((deviation) => ({ deviation, memory: new Map(), effects: 0 }));
  }

  /** Forgets what earlier calls left behind; what is switched on stays on. */
  reset(): void {
    for (const item of this.#active) {
      item.memory = new Map();
      item.effects = 0;
    }
  }

  list(): { readonly deviation: Deviation; readonly effects: number }[] {
    return this.#active.map(({ deviation, effects }) => ({ deviation, effects }));
  }

  authenticate(
    result: Caller | Refusal,
    operation: Operation,
    request: ExchangeRequest,
    world: World,
  ): Caller | Refusal {
    return this.#fold(
      result,
      operation.id,
      ({ deviation, memory }, value) =>
        deviation.authenticate?.(value, { operation, request, world, memory }) ?? value,
    );
  }

  stage(
    stage: Stage,
    refused: Refusal | undefined,
    call: Call,
    request: ExchangeRequest,
  ): Refusal | undefined {
    return this.#fold(refused, call.operation.id, ({ deviation, memory }, value) =>
      deviation.stage === undefined
        ? value
        : deviation.stage(stage, value, { call, request, memory }),
    );
  }

  handle(
    handler: () => Answer | Refusal | Promise<Answer | Refusal>,
    call: Call,
    request: ExchangeRequest,
  ): Answer | Refusal | Promise<Answer | Refusal> {
    let next = handler;
    for (const item of this.#for(call.operation.id)) {
      const { handle } = item.deviation;
      if (handle === undefined) continue;
      const inner = next;
      next = () => {
        let value: Answer | Refusal | undefined;
        const remember = (done: Answer | Refusal) => {
          value = done;
          return done;
        };
        const watched = () => {
          const result = inner();
          if (result instanceof Promise) return result.then(remember);
          return remember(result);
        };
        const result = handle(watched, this.#scene(item, call, request));
        const compare = (done: Answer | Refusal) => {
          if (done !== value) item.effects += 1;
          return done;
        };
        return result instanceof Promise ? result.then(compare) : compare(result);
      };
    }
    return next();
  }

  refused(refusal: Refusal, call: Call, request: ExchangeRequest): void {
    for (const item of this.#for(call.operation.id)) {
      item.deviation.refused?.(refusal, this.#scene(item, call, request));
    }
  }

  answer(answer: Answer, scene: Omit<AnswerScene, 'memory'>): Answer {
    return this.#fold(
      answer,
      scene.operation.id,
      ({ deviation, memory }, value) => deviation.answer?.(value, { ...scene, memory }) ?? value,
    );
  }

  #scene(item: Active, call: Call, request: ExchangeRequest): Scene {
    return {
      call,
      world: call.world,
      request,
      before: call.world.state.clone(),
      memory: item.memory,
      took: () => {
        item.effects += 1;
      },
    };
  }

  #for(operation: OperationId): Active[] {
    return this.#active.filter(({ deviation }) => deviation.operations.includes(operation));
  }

  /** Passes a value through the deviations of an operation, counting those that replaced it. */
  #fold<Value>(
    value: Value,
    operation: OperationId,
    step: (item: Active, value: Value) => Value,
  ): Value {
    let current = value;
    for (const item of this.#for(operation)) {
      const next = step(item, current);
      if (next !== current) item.effects += 1;
      current = next;
    }
    return current;
  }
}
