/** Folders and their order among siblings. */

import { bodyOf, type Fields, type KnownCall, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { Folder, State } from '../state.ts';

export const siblingsOf = ({ folders }: State, { deployment, parent }: Folder): Folder[] =>
  folders.filter((one) => one.deployment === deployment && one.parent === parent);

/** Looks for the folder first, for the right to edit it second, and at the body last. */
export function folder(call: KnownCall, state: State, now: number): Reply {
  knowsOnly(call, []);
  const found = state.folders.find(
    ({ id, deployment }) => id === Number(call.path[1]) && deployment === Number(call.path[0]),
  );
  if (found === undefined) throw new Refusal(404, 'E-700 no such folder here');
  const { edits } = call.caller;
  if (edits !== undefined && !edits.includes(found.id)) throw new Refusal(403, 'E-701 hands off');
  if (call.request.text === '') throw new Refusal(411, 'E-702 say something');
  const { name, position } = bodyOf(call, ['name', 'position']);
  if (name !== undefined && typeof name !== 'string') throw new Refusal(422, 'E-703 name?');
  const siblings = siblingsOf(state, found);
  if (position !== undefined) {
    const fits = typeof position === 'number' && Number.isInteger(position);
    if (!fits || position < 0 || position >= siblings.length)
      throw new Refusal(422, 'E-704 position?');
  }
  if (siblings.some((one) => one !== found && one.name === name))
    throw new Refusal(409, 'E-705 taken');
  if (typeof position === 'number') {
    // Others make room.
    const order = siblings.filter((one) => one !== found);
    order.splice(position, 0, found);
    state.folders = [...state.folders.filter((one) => !siblings.includes(one)), ...order];
  }
  if (typeof name === 'string') found.name = name;
  if (name !== undefined || position !== undefined) found.updatedAt = now;
  return reply(200, shown(state, found));
}

const dateOf = (at: number): string => new Date(at).toUTCString();

/** The path of an odd tenant ends with the folder itself; who made it is not told. */
export function shown(state: State, one: Folder): Fields {
  const chain: Fields[] = [];
  for (let next: Folder | undefined = one; next !== undefined; ) {
    const { parent, id, name }: Folder = next;
    if (next !== one || state.habits === 'odd') chain.unshift({ id, name });
    next = state.folders.find((other) => other.id === parent);
  }
  return {
    id: one.id,
    deploymentId: one.deployment,
    name: one.name,
    position: siblingsOf(state, one).indexOf(one),
    type: one.type,
    createdAt: dateOf(one.createdAt),
    updatedAt: dateOf(one.updatedAt),
    updatedBy: 610,
    parentId: one.parent ?? null,
    folderPath: chain,
    icon: 'anchor',
  };
}
