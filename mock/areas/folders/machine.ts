/** A folder's name, position and place. Statements FOLDER-2, FOLDER-3, FOLDER-4, FOLDER-5, FOLDER-11, FOLDER-15. */
import type { FolderRow } from '../../world/rows.ts';

export type FolderChanges = Partial<Pick<FolderRow, 'name' | 'position'>>;

/** Every cell that an update can enter. */
export const cells = ['name', 'position', 'name and position', 'nothing'].map(
  (sent) => `folder: ${sent}`,
);

/** The folder with only the sent fields changed. The parent never changes. */
export function updateFolder(
  folder: FolderRow,
  changes: FolderChanges,
  by: { readonly userId: number; readonly at: string },
): FolderRow {
  const name = changes.name ?? folder.name;
  const position = changes.position ?? folder.position;
  if (name === folder.name && position === folder.position) return folder;
  return { ...folder, name, position, updatedAt: by.at, updatedBy: by.userId };
}

/** The other folders in the same place. */
export function siblingsOf(folder: FolderRow, all: readonly FolderRow[]): FolderRow[] {
  return all.filter(
    (other) =>
      other.id !== folder.id &&
      other.deploymentId === folder.deploymentId &&
      other.parentId === folder.parentId,
  );
}

/** The siblings that move up or down by one when a folder goes to another position (FOLDER-20). */
export function makeRoom(siblings: readonly FolderRow[], from: number, to: number): FolderRow[] {
  const step = Math.sign(from - to);
  return siblings
    .filter(({ position }) => step * (position - to) >= 0 && step * (from - position) > 0)
    .map((other) => ({ ...other, position: other.position + step }));
}

/** Ancestors from the top down, without the folder itself. */
export function ancestorsOf(
  folder: FolderRow,
  get: (id: number) => FolderRow | undefined,
): FolderRow[] {
  const chain: FolderRow[] = [];
  const seen = new Set([folder.id]);
  let parent = folder.parentId === null ? undefined : get(folder.parentId);
  while (parent !== undefined && !seen.has(parent.id)) {
    chain.unshift(parent);
    seen.add(parent.id);
    parent = parent.parentId === null ? undefined : get(parent.parentId);
  }
  return chain;
}
