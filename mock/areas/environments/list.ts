import { type PagedList, unusedName } from '../../world/paged-list.ts';

export const environmentList: PagedList = {
  insert({ state, emit }, path) {
    const deployment = /\/deployments\/([^/]+)/.exec(path)?.[1] ?? '1';
    const { branches, environments } = state.tables;
    const name = unusedName([...branches.changes().values(), ...branches.of(deployment)]);
    const made = emit({ type: 'createBranch', name, kind: 'personal', deployment });
    const id = String(made.environmentId);
    environments.moveToFront(id);
    return id;
  },
  remove({ state }, id) {
    const { environments, branches } = state.tables;
    const branchId = environments.get(id)?.branchId;
    // The production environment has no branch, and a deployment always has one.
    if (branchId === undefined || branchId === null) return false;
    environments.delete(id);
    branches.delete(branchId);
    return true;
  },
};
