/**
 * Deviations that only a history of calls shows: some calls come in an order, and then one that fits
 * goes wrong. What came before is kept, so that it can come back in the wrong place.
 */

import { isRefusal, type Refusal, type Reply, refusal } from '../../mock/pipeline/exchange.ts';
import { readQuery } from '../../mock/pipeline/request-line.ts';
import type { BaseScene } from '../../mock/pipeline/stages.ts';
import type { TableName } from '../../mock/world/rows.ts';
import type { State } from '../../mock/world/state.ts';
import type { JsonObject } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { type Does, eachStage, onceDone, onHandling } from './does.ts';
import { type Deviation, type Rows, rowsOf } from './rows.ts';
import { send, sentBody, sentOf } from './sent.ts';
import { afterwards, restoreTables } from './state.ts';

/** A call as it was made. */
interface Past {
  readonly operation: OperationId;
  /** Undefined before it is answered: it may be either. */
  readonly refused: boolean | undefined;
  /** Its query and its body; `path` says where it went, and `credential` who made it. */
  readonly sent: JsonObject;
  /** The state before it. */
  readonly before: State | undefined;
  readonly reply: Reply | undefined;
}

/** Whether a call is one of the history, given those that were kept of it. */
type Moment = (call: Past, kept: readonly Past[]) => boolean;

/**
 * Rows of an area; their calls may be of any operation. No scenario makes their calls in their order
 * on purpose, so the exam does not demand them: the explorer has to find them.
 */
export const historiesOf =
  (list: Deviation[]) =>
  (area: string, breaks: readonly string[], rows: Rows): void =>
    rowsOf(list, area, [...contract.operations.keys()], { foundBy: 'explore' })(breaks, rows);

// ── which calls ─────────────────────────────────────────────────────────────────

const made =
  (isRefused: boolean) =>
  (operation: OperationId, ...fits: readonly Moment[]): Moment =>
  (call, kept) =>
    call.operation === operation &&
    call.refused !== !isRefused &&
    fits.every((fit) => fit(call, kept));

export const served = made(false);
export const refused = made(true);

export const sends =
  (name: string): Moment =>
  ({ sent }) =>
    sent[name] !== undefined;

export const sendsNo =
  (...names: readonly string[]): Moment =>
  ({ sent }) =>
    names.every((name) => sent[name] === undefined);

const alike = (a: Past, b: Past | undefined, name: string): boolean =>
  JSON.stringify(a.sent[name]) === JSON.stringify(b?.sent[name]);

/** As in the first call of the history. */
export const again =
  (...names: readonly string[]): Moment =>
  (call, [first]) =>
    names.every((name) => alike(call, first, name));

/** Otherwise than in the call of that place in the history; -1 is the last. */
export const other =
  (place: number, name: string): Moment =>
  (call, kept) =>
    !alike(call, kept.at(place), name);

// ── what goes wrong ─────────────────────────────────────────────────────────────

const KEPT = 'history';
const keptOf = ({ memory }: Pick<BaseScene, 'memory'>): readonly Past[] =>
  (memory.get(KEPT) as readonly Past[] | undefined) ?? [];

/** Goes wrong in a call that fits, once these were made in this order. Then it begins anew. */
export const after = (history: readonly Moment[], fits: Moment, does: Does): Does => {
  const isDue = (scene: BaseScene): boolean => {
    const kept = keptOf(scene);
    return kept.length === history.length && fits(pastOf(scene), kept);
  };
  const { answer = (next) => next(), authenticate = (next) => next(), ...others } = does;
  return {
    ...eachStage(others, (wrap) => (next, scene) => (isDue(scene) ? wrap(next, scene) : next())),
    authenticate: (next, scene) => {
      scene.memory.set('before', scene.before);
      return isDue(scene) ? authenticate(next, scene) : next();
    },
    answer: (next, scene) => {
      const due = isDue(scene);
      const reply = due ? answer(next, scene) : next();
      const kept = keptOf(scene);
      const call = pastOf(scene, reply);
      if (due) scene.memory.delete(KEPT);
      else if (history[kept.length]?.(call, kept)) scene.memory.set(KEPT, [...kept, call]);
      return reply;
    },
  };
};

/** Every so many calls that fit. */
export const everyNth = (times: number, fits: Moment, does: Does): Does =>
  after(Array<Moment>(times - 1).fill(fits), fits, does);

function pastOf(scene: BaseScene, reply?: Reply): Past {
  const { operation, request, memory } = scene;
  const [path, query = ''] = request.target.split('?');
  const asked = [...readQuery(query)].map(([name, [value]]) => [name, value]);
  const where = { path, credential: request.headers.authorization };
  const sent = { ...Object.fromEntries(asked), ...sentBody(request), ...where };
  const before = memory.get('before') as State | undefined;
  const isRefused = reply && reply.status >= 400;
  return { operation: operation.id, refused: isRefused, sent, before, reply };
}

/** Answers as the call of that place in the history was answered. */
export const answersAs = (place: number): Does =>
  onceDone((done, scene) => {
    const { reply } = keptOf(scene)[place] ?? {};
    return isRefusal(done) || reply === undefined ? done : reply;
  });

/** The handler sees what the call of that place sent under this name. */
export const seesAs = (place: number, name: string): Does =>
  onHandling((next, scene) => {
    const { call, took } = scene;
    const sent = keptOf(scene)[place]?.sent[name];
    const isNumber = call.operation.method === 'GET' && /^\d+$/.test(String(sent));
    send(call, { ...sentOf(call), [name]: isNumber ? Number(sent) : sent });
    took();
    return next();
  });

/** A table is again as it was before the call of that place. */
export const restores = (place: number, table: TableName): Does =>
  afterwards((scene) => {
    const { before } = keptOf(scene)[place] ?? {};
    if (before !== undefined) restoreTables(scene.world, before, [table]);
  });

/** Refuses a call that would be handled. */
export const refusesWith = (status: number, statement: string): Does =>
  onHandling((): Refusal => refusal(status, statement, 'This was not expected here'));
