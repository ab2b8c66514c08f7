/** Whether the environment of a tenant file is in the environments list. */

import { objectsIn } from '../../../spec/base/json.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

export const checkEnvironment: PreflightCheck = async ({ target, ask }) => {
  const { environment, deployment } = target.bindings;
  const id = environment?.id;
  if (ask === undefined || deployment?.id === undefined || id === undefined) return [];
  const message = `the environments list holds no ${String(id)}`;
  for (let offset = 0; offset < 1000; offset += 20) {
    const query = { offset, limit: 20 };
    const answer = await ask('listEnvironments', { deployment_id: deployment.id }, { query });
    const items = [...objectsIn(answer.body)].filter(
      (item) => item.id !== undefined && item.type !== undefined,
    );
    if (!answer.ok || items.some((item) => String(item.id) === String(id))) return [];
    // A first page without any proves nothing.
    if (items.length === 0 && offset === 0) return [];
    if (items.length < 20) return [{ name: 'environment', kind: 'binding', message }];
  }
  return [];
};
