/** Operators on what a handler answers. Refusals pass as they are. */

import { isRefusal, type Reply } from '../../mock/pipeline/exchange.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { type Change, field, objectsOf, same } from './changes.ts';
import { type Does, onAnswer, onceDone, type Scene } from './does.ts';

/** Changes an answer. */
export const answers = (change: Change<Reply, Scene>): Does =>
  onceDone((done, scene) => (isRefusal(done) ? done : (change(done, scene) ?? done)));

/** Changes the JSON body of a successful answer. */
export const answersBody = (change: (body: JsonObject, scene: Scene) => unknown): Does =>
  answers((answer, scene) => {
    if (answer.status >= 300 || !isObject(answer.body)) return undefined;
    const body = change(answer.body, scene);
    return body === undefined || same(body, answer.body) ? undefined : { ...answer, body };
  });

/** Changes a field of the JSON body of a successful answer. */
export const answersField = (
  name: string,
  value: (old: unknown, body: JsonObject, scene: Scene) => unknown,
): Does => answersBody(field(name, value));

/** Changes the object under `data` in a successful answer. */
export const answersData = (change: (data: JsonObject, scene: Scene) => unknown): Does =>
  answersField('data', (data, _body, scene) => (isObject(data) ? change(data, scene) : undefined));

/** Changes the items of an array under `data`. */
export const answersItems = (
  change: (items: readonly JsonObject[], scene: Scene) => readonly JsonObject[],
): Does =>
  answersField('data', (data, _body, scene) =>
    Array.isArray(data) ? change(objectsOf(data), scene) : undefined,
  );

/** Gives an answer another status. */
export const withStatus =
  (status: number): Change<Reply, unknown> =>
  (answer) => ({ ...answer, status });

export type ErrorChange = (body: JsonObject, scene: undefined) => unknown;

/** Changes the JSON body of an error, however it came about. */
export const answersErrors = (change: ErrorChange): Does =>
  onAnswer((answer) => {
    if (answer.status < 400 || !isObject(answer.body)) return answer;
    const body = change(answer.body, undefined);
    return same(body, answer.body) ? answer : { ...answer, body };
  });
