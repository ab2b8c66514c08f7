/** Whether the environment of a tenant file is in the environments list. */

import { objectsIn } from '../../../spec/base/json.ts';
import type { Ask, PreflightCheck } from '../../safety/areas.ts';

export const checkEnvironment: PreflightCheck = async ({ target, ask }) => {
  const { environment, deployment } = target.bindings;
  const id = environment?.id;
  if (ask === undefined || deployment?.id === undefined || id === undefined) return [];
  if (!(await isLacking(String(id), deployment.id, ask))) return [];
  const message = `the environments list holds no ${String(id)}`;
  return [{ name: 'environment', kind: 'binding', message }];
};

async function isLacking(id: string, deployment: unknown, ask: Ask): Promise<boolean> {
  for (let offset = 0; offset < 1000; offset += 20) {
    const query = { offset, limit: 20 };
    const answer = await ask('listEnvironments', { deployment_id: deployment }, { query });
    if (!answer.ok) return false;
    const items = [...objectsIn(answer.body)].filter(
      (item) => item.id !== undefined && item.type !== undefined,
    );
    if (items.some((item) => String(item.id) === id)) return false;
    if (items.length < 20) return items.length > 0 || offset > 0;
  }
  return false;
}
