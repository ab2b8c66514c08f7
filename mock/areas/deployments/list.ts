import { type PagedList, unusedName } from '../../world/paged-list.ts';

export const deploymentList: PagedList = {
  insert({ state, emit }) {
    const { deployments } = state.tables;
    const name = unusedName(deployments.changes().values());
    const id = String(emit({ type: 'createDeployment', name }).id);
    deployments.moveToFront(id);
    return id;
  },
  remove({ state, emit }, id) {
    const keys = state.tables.credentials.rows();
    if (keys.some(({ deployments }) => deployments?.includes(id) === true)) return false;
    emit({ type: 'deleteDeployment', deployment: id });
    return true;
  },
};
