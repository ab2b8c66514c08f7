/**
 * The objects of a target: lists as an administrator sees them, and the objects that writes change
 * (`x-restore`).
 */
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { type OperationId, operation } from '../../spec/contract.ts';
import { type Asked, trial } from './does.ts';
import { type Items, wholeList } from './pages.ts';
import { objectsOf } from './places.ts';
import { asAdmin } from './refusals.ts';
import { type Call, deploymentOf, isServed, type Other, otherCall, type Reply } from './wire.ts';

/** All items of a list; by default of the deployment that the call names. */
export async function listed(
  { call, target }: Asked,
  id: OperationId,
  deployment = deploymentOf(call),
): Promise<Items> {
  const list = operation(id);
  const { deployment: parameter } = list.requires;
  const path = parameter === undefined ? {} : { [parameter]: deployment };
  const admin = asAdmin({ call: { ...call, operation: list }, target });
  const there = otherCall(call, { ...admin, operation: list, path, query: {}, body: undefined });
  if (list.items !== undefined) return wholeList({ call: there, target });
  return listIn((await target.handle(there)).body);
}

/**
 * The same call, in the deployment that its object really belongs to. Trial calls with this body find the
 * deployment.
 */
export async function inItsDeployment(asked: Asked, body: unknown): Promise<Other | undefined> {
  const { call } = asked;
  for (const { id } of await listed(asked, 'listDeployments')) {
    const path = { ...call.path, [call.operation.requires.deployment ?? '']: String(id) };
    const there = { ...asAdmin(asked), path };
    if (isServed(await trial(asked, { ...there, body }))) return there;
  }
  return undefined;
}

/** The template, with each name in braces replaced by the value that the call sends. */
const filled = (template: unknown, { path, body }: Call): unknown =>
  typeof template === 'string'
    ? template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name] ?? body[name] ?? ''))
    : template;

/** The call that reads the object of a write. */
export function reading({ operation: write, path }: Call): Other | undefined {
  const { read } = write.restore ?? {};
  if (read === undefined) return undefined;
  const reader = operation(read.call);
  const names = reader.parameters.flatMap(({ in: where, name }) => (where === 'path' ? name : []));
  const values = Object.values(path);
  const own = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  return { operation: reader, path: own, query: {}, body: read.body };
}

/** The object of a write, as the service shows it. */
export async function objectOf({ call, target }: Asked): Promise<JsonObject | undefined> {
  const read = reading(call);
  if (read === undefined) return undefined;
  return found(call, await target.handle(otherCall(call, read)));
}

function found(call: Call, { body }: Reply): JsonObject | undefined {
  const find = Object.entries(call.operation.restore?.find ?? {});
  return listIn(body).find((item) =>
    find.some(([name, wanted]) => String(item[name]) === String(filled(wanted, call))),
  );
}

/** The objects in a body, whatever envelope they are in; the body itself if it holds no list. */
function listIn(body: unknown): Items {
  const data = isObject(body) && body.data !== undefined ? body.data : body;
  const isList = (value: unknown) => objectsOf(value).length > 0;
  return objectsOf(isObject(data) ? (Object.values(data).find(isList) ?? [data]) : data);
}

/** The write that would restore the object to its present state. */
export async function puttingBack(asked: Asked): Promise<Other | undefined> {
  const { call } = asked;
  const object = await objectOf(asked);
  if (object === undefined) return undefined;
  const put = Object.entries(call.operation.restore?.put ?? {});
  const now = Object.fromEntries(put.map(([name, from]) => [name, object[from]]));
  return { operation: call.operation, path: call.path, query: {}, body: { ...call.body, ...now } };
}
