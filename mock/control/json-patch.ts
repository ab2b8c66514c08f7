/** JSON Patch (RFC 6902), as far as repairs are written in it. */
import { atPointer, isObject, pointerKeys } from '../../spec/base/json.ts';
import type { PatchOperation } from '../world/explanation.ts';

/** A document after a patch. The document itself stays as it is. */
export function patched(document: unknown, patch: readonly PatchOperation[]): unknown {
  let changed = structuredClone(document);
  for (const step of patch) {
    const value = step.op === 'move' ? atPointer(changed, step.from) : undefined;
    if (step.op === 'move') changed = removed(changed, step.from);
    if (step.op === 'remove') changed = removed(changed, step.path);
    else changed = put(changed, step.path, 'value' in step ? step.value : value, step.op);
  }
  return changed;
}

/** The pointer to the parent of a value, and the value's own key in it. */
export function placeOf(pointer: string): { readonly parent: string; readonly key: string } {
  const parent = pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
  return { parent, key: pointerKeys(pointer).at(-1) ?? '' };
}

function put(root: unknown, path: string, value: unknown, op: PatchOperation['op']): unknown {
  if (path === '') return value;
  const { parent, key } = placeOf(path);
  const target = atPointer(root, parent);
  if (!Array.isArray(target)) {
    if (isObject(target)) Object.assign(target, { [key]: value });
  } else if (op === 'replace') target[Number(key)] = value;
  else target.splice(key === '-' ? target.length : Number(key), 0, value);
  return root;
}

function removed(root: unknown, path: string): unknown {
  const { parent, key } = placeOf(path);
  const target = atPointer(root, parent);
  if (Array.isArray(target)) target.splice(Number(key), 1);
  else if (isObject(target)) Reflect.deleteProperty(target, key);
  return root;
}
