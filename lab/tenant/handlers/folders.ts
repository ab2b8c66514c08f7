/** Folders and their order among siblings. */

import { bodyOf, type Call } from '../call.ts';
import { type Fields, Refusal, type Reply, reply } from '../exchange.ts';
import { has } from '../habits.ts';
import type { Folder, State } from '../state.ts';

const siblingsOf = ({ folders }: State, { deployment, parent }: Folder): Folder[] =>
  folders.filter((one) => one.deployment === deployment && one.parent === parent);

/** Checks that the folder exists, then the right to edit it, then the body. */
export function folder(call: Call): Reply {
  const { state, deployment, now } = call;
  const named = state.folders.find(({ id }) => id === Number(call.id));
  if (named === undefined) throw new Refusal(404, 'E-700 no such folder here');
  if (named.deployment !== deployment) throw new Refusal(404, 'E-706 no such folder here');
  const { edits } = call.caller;
  if (edits !== undefined && !edits.includes(named.id)) throw new Refusal(403, 'E-701 hands off');
  if (call.text === '') throw new Refusal(411, 'E-702 say something');
  const { name, position } = bodyOf(call, ['name', 'position']);
  const siblings = siblingsOf(state, named);
  if (name !== undefined && !isName(state, name)) throw new Refusal(422, 'E-703 name?');
  if (position !== undefined && !siblings.some((_one, index) => index === position))
    throw new Refusal(422, 'E-704 position?');
  if (siblings.some((one) => one !== named && one.name === name))
    throw new Refusal(409, 'E-705 taken');
  if (typeof position === 'number') {
    // The siblings after the new position move by one.
    const order = siblings.filter((one) => one !== named);
    order.splice(position, 0, named);
    state.folders = [...state.folders.filter((one) => !siblings.includes(one)), ...order];
  }
  if (typeof name === 'string') named.name = name;
  if (name !== undefined || position !== undefined) named.updatedAt = now;
  return reply(200, shown(state, named));
}

function isName(state: State, name: unknown): boolean {
  if (typeof name !== 'string') return false;
  const isLong = name.length > 24 && has(state, 'names-are-short');
  return !isLong && !(/[<>"&]/.test(name) && has(state, 'names-are-plain'));
}

const dateOf = (at: number): string => new Date(at).toUTCString();

/** The folder as an answer shows it, without its author. */
function shown(state: State, one: Folder): Fields {
  const position = siblingsOf(state, one).indexOf(one);
  const few = { id: one.id, name: one.name, position, parentId: one.parent ?? null };
  if (has(state, 'folder-few-fields')) return few;
  return {
    ...few,
    deploymentId: one.deployment,
    type: one.type,
    createdAt: dateOf(one.createdAt),
    updatedAt: dateOf(one.updatedAt),
    updatedBy: 610,
    folderPath: pathOf(state, one),
    icon: 'anchor',
  };
}

/** The chain of ancestors. */
function pathOf(state: State, one: Folder): Fields[] {
  const chain: Fields[] = [];
  for (let next: Folder | undefined = one; next !== undefined; ) {
    const { parent, id, name }: Folder = next;
    if (next !== one || has(state, 'path-ends-with-itself')) chain.unshift({ id, name });
    next = state.folders.find((other) => other.id === parent);
  }
  return has(state, 'path-from-the-parent-up') ? chain.reverse() : chain;
}
