import { expect, test } from 'vitest';
import type { Target } from '../../../../conformance/target/target.ts';
import { completeBindings } from '../../../../conformance/target/tenant.ts';
import { boundFolders } from './folder.ts';

test('a nested folder that is not bound is not one more folder', () => {
  const bindings = { deployment: { id: '1' }, folder: { id: 11 }, lockedFolder: { id: 12 } };
  const bound = (more: object) =>
    boundFolders({ bindings: completeBindings({ ...bindings, ...more }) } as unknown as Target);
  // The tenant file lends `nestedFolder` the id of `folder`.
  expect(completeBindings(bindings).nestedFolder).toEqual({ id: 11, numericId: 11 });
  expect(bound({})).toEqual(['folder', 'lockedFolder']);
  expect(bound({ nestedFolder: { id: 13 } })).toEqual(['folder', 'nestedFolder', 'lockedFolder']);
  expect(bound({ foreignFolder: { id: 21 } })).toEqual(['folder', 'lockedFolder']);
});
