/** Folder updates: what is sent changes, all else stays; who may not, or names none, is refused. */
import fc from 'fast-check';
import { type FolderName, homes, isBound } from './folder-call.ts';
import { type Refusal, refuse } from './folder-refusal.ts';
import { readFolder, type Update, update } from './folder-update.ts';
import { type MoveKind, moveKind, type Setting } from './move.ts';

export function folderMoves({ target, principals }: Setting): MoveKind[] {
  const bound = (Object.keys(homes) as FolderName[]).filter((name) => isBound(target, name));
  if (bound.length === 0) return [];
  const has = (name: string): boolean => target.credentials.has(name);
  const editors = ['member', 'memberOauth'].filter(has);
  const own = bound.filter((name) => homes[name] === 'deployment');
  /** Those that are most likely to have more than one place to be at. */
  const siblings = own.filter((name) => name !== 'nestedFolder');
  const index = fc.option(fc.nat(9), { nil: undefined, freq: 2 });
  const needs = ['admin', 'deployment.numericId'];
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs, effect: 'reversible' }) as const;
  const parents =
    target.kind === 'mock' && bound.includes('lockedFolder') ? (['null', 'another'] as const) : [];
  /** Who may update which folder. */
  const served = [
    ...[...bound, ...siblings, ...siblings].map((folder) => ({ folder, actor: 'admin' })),
    ...own.flatMap((folder) => principals.map((actor) => ({ folder, actor }))),
    ...editors.flatMap((actor) =>
      own
        .filter((folder) => {
          const { edits } = target.credentials.get(actor)?.claims ?? {};
          return edits?.map(String).includes(String(target.bindings[folder]?.id)) === true;
        })
        .map((folder) => ({ folder, actor })),
    ),
  ];
  const locked = bound.includes('lockedFolder') ? editors : [];
  const refusals: { event: Refusal['event']; actor: string; folder: FolderName }[] = [
    ...[...locked, ...locked, ...locked].map((actor) => ({
      event: 'without authorisation' as const,
      actor,
      folder: 'lockedFolder' as const,
    })),
    ...['none', ...['expired'].filter(has)].flatMap((actor) =>
      own.map((folder) => ({ event: 'without authorisation' as const, actor, folder })),
    ),
    ...bound.map((folder) => ({ event: 'half of it invalid' as const, actor: 'admin', folder })),
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    { event: 'missing', actor: 'admin', folder: own[0] ?? 'folder' },
    ...(bound.includes('foreignFolder')
      ? [
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          { event: 'foreign' as const, actor: 'admin', folder: 'foreignFolder' as const },
          ...[...['scoped', 'scoped', 'scoped'].filter(has), ...editors, ...editors].map(
            (actor) => ({
              event: 'without authorisation' as const,
              actor,
              folder: 'foreignFolder' as const,
            }),
          ),
        ]
      : []),
  ];
  return [
    moveKind(
      about('update folder', 16),
      fc
        .record({
          who: fc.constantFrom(...served),
          name: index,
          position: index,
          // A parent that is taken after all could not be put back on a tenant.
          parent: fc.constantFrom(undefined, undefined, undefined, undefined, ...parents),
        })
        .map(({ who, name, position, parent }) => ({
          ...who,
          name,
          position,
          parent: parent as Update['parent'],
        })),
      update,
    ),
    moveKind(about('read folder', 7), fc.constantFrom(...bound), readFolder),
    moveKind(
      about('update folder in vain', 15),
      fc
        .record({
          refusal: fc.constantFrom(...refusals),
          body: fc.constantFrom<Refusal['body']>('name', 'position', 'both', 'nothing', 'nothing'),
          name: fc.nat(9),
          look: fc.boolean(),
        })
        .map(({ refusal, ...rest }) => ({ ...refusal, ...rest })),
      refuse,
    ),
  ];
}
