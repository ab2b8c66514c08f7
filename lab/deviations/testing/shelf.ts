/** The smallest target for a deviation: it keeps the name of one folder in memory. */
import { type Call, type Reply, type Request, readCall, type Target } from '../wire.ts';

/** A service with one folder; `refused` decides which calls it refuses. */
export function shelf(
  refused: (call: Call | undefined) => Reply | undefined = () => undefined,
): Target {
  let name = 'Sales';
  const callers = [
    { name: 'admin', secret: 'a', kind: 'apiKey', admin: true, expired: false },
    { name: 'member', secret: 'm', kind: 'apiKey', admin: false, expired: false },
  ] as const;
  return {
    callers,
    now: () => 0,
    snapshot: () => name,
    restore: (before) => {
      name = String(before);
    },
    handle(request): Reply {
      const call = readCall(request);
      const refusal = refused(call);
      if (refusal !== undefined) return refusal;
      if (typeof call?.body.name === 'string') name = call.body.name;
      return { status: 200, headers: JSON_TYPE, body: { id: 11, name } };
    },
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

export const refusal = (status: number, why: string): Reply => {
  return { status, headers: JSON_TYPE, body: { error: 'No' }, why };
};

/** A request that updates the folder of the shelf. */
export const update = (body: object, secret = 'a'): Request => ({
  method: 'PUT',
  target: '/api/v1/deployments/1/folders/11',
  headers: { authorization: `Bearer ${secret}` },
  text: JSON.stringify(body),
  secure: true,
});
