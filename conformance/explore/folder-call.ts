/** Calls that update a folder: which folders are bound, where they are, what they are sent. */
import type { JsonObject } from '../../spec/base/json.ts';
import type { Target } from '../target/target.ts';
import type { FolderField } from './model.ts';

export const call = 'updateFolder' as const;

export const fields: readonly FolderField[] = [
  'name',
  'position',
  'parentId',
  'type',
  'createdAt',
  'createdBy',
];

/** The bound folders, each with the deployment that it is in. */
export const homes = {
  folder: 'deployment',
  nestedFolder: 'deployment',
  lockedFolder: 'deployment',
  foreignFolder: 'otherDeployment',
} as const;

export type FolderName = keyof typeof homes;

export const pathOf = (folder: FolderName, deployment: string = homes[folder]) => ({
  deploymentId: `{${deployment}.numericId}`,
  folderId: `{${folder}.id}`,
});

export function isBound({ bindings }: Target, name: FolderName): boolean {
  return bindings[name] !== undefined && bindings[homes[name]] !== undefined;
}

/** Names that a careless service would not keep as they are; unique to the run and the folder. */
export const names = [
  'Quarterly Figures of {run.id}',
  ' Two spaces {run.id} around ',
  'R&D <plans> "{run.id}"',
  'Größe über Übersicht {run.id}',
  'all small {run.id}',
] as const;

export function eventOf(body: JsonObject): string {
  if ('parentId' in body) return 'parent sent';
  if ('name' in body) return 'position' in body ? 'rename and move' : 'rename';
  return 'position' in body ? 'move' : 'read';
}
