/** Headers and fields that no description shows, and that a profile names because its tenant sends them. */

import { isObject, pointerKeys } from '../../spec/base/json.ts';
import { named, type OperationId } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './exchange.ts';

/** The invented values of fields by type. */
const invented: Readonly<Record<string, unknown>> = {
  ...{ array: [], boolean: false, integer: 0, null: null, number: 0.5, object: {} },
  string: 'invented',
};

/** An answer with the headers and fields of a profile; the same object if there are none. */
export function withFurtherContent(reply: Reply, operation: OperationId, world: World): Reply {
  const names = world.assumptions.details(named.furtherHeaders, operation);
  const fields = world.assumptions.details(named.furtherFields, operation);
  const isFilled = reply.body !== undefined && reply.status < 300 && fields.length > 0;
  if (names.length === 0 && !isFilled) return reply;
  let { body } = reply;
  for (const field of isFilled ? fields : []) {
    const [pointer = '', type = ''] = field.split(':');
    body = withField(body, pointerKeys(pointer), invented[type]);
  }
  const headers = Object.fromEntries(names.map((name) => [name, 'invented']));
  return { ...reply, body, headers: { ...headers, ...reply.headers } };
}

/** A copy with a field at some keys; `*` stands for each item of a list. */
function withField(value: unknown, [key, ...inner]: readonly string[], field: unknown): unknown {
  if (key === '*' && Array.isArray(value))
    return value.map((item) => withField(item, inner, field));
  if (key === undefined || !isObject(value)) return value;
  const has = Object.hasOwn(value, key);
  if (inner.length === 0) return has ? value : { ...value, [key]: field };
  return has ? { ...value, [key]: withField(value[key], inner, field) } : value;
}
