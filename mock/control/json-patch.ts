/** The parts of JSON Patch (RFC 6902) that repairs use. */
import { atPointer, isObject, pointerKeys, pointerToken } from '../../spec/base/json.ts';
import type { PatchOperation } from '../world/explanation.ts';

/** A document after a patch. The document itself stays as it is. */
export function patched(document: unknown, patch: readonly PatchOperation[]): unknown {
  // The whole document is a value below a root, like each of its parts.
  const root = { document: structuredClone(document) };
  for (const step of patch) {
    if (step.op === 'remove') take(root, step.path);
    else if (step.op === 'move') put(root, step.path, take(root, step.from));
    else put(root, step.path, step.value, step.op === 'replace' ? 1 : 0);
  }
  return root.document;
}

/** The pointer to the parent of a value, and the value's own key in it. */
export function placeOf(pointer: string): { readonly parent: string; readonly key: string } {
  const parent = pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
  return { parent, key: pointerKeys(pointer).at(-1) ?? '' };
}

/** In a list, inserts the value before the others, or in place of some. */
function put(root: object, path: string, value: unknown, instead = 0): void {
  const { parent, key } = placeOf(`/document${path}`);
  const target = atPointer(root, parent);
  if (Array.isArray(target)) target.splice(Number(key), instead, value);
  else if (isObject(target)) Object.assign(target, { [key]: value });
}

/** Removes a value, and returns it. */
function take(root: object, path: string): unknown {
  const { parent, key } = placeOf(`/document${path}`);
  const target = atPointer(root, parent);
  const value = atPointer(target, pointerToken(key));
  if (Array.isArray(target)) target.splice(Number(key), 1);
  else if (isObject(target)) Reflect.deleteProperty(target, key);
  return value;
}
