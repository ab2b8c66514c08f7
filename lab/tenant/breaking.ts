/** Puts one fault into the tenant: one of the catalogue, or one of the tenant's own. */

import { isObject } from '../../spec/base/json.ts';
import { catalogue } from '../areas/catalogue.ts';
import { broken } from '../deviations/broken.ts';
import type { Deviation } from '../deviations/rows.ts';
import type { Reply, Target } from '../deviations/wire.ts';
import { breaks } from './breaks.ts';
import type { Handle, Service } from './tenant.ts';

/** All faults: the tenant's own come first. */
export const faults: readonly Deviation[] = [...breaks, ...catalogue];

export interface Breaking {
  readonly before: (service: Service) => Handle;
  /** How often the fault took effect. */
  readonly fired: () => number;
}

/**
 * `every`: 3 makes the fault take effect in every third of its calls. Throws an Error for an
 * unknown id.
 */
export function breaking(id: string, every = 1): Breaking {
  const fault = faults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  let fired = (): number => 0;
  return {
    fired: () => fired(),
    before(service) {
      const { handle, effects } = broken(targetOf(service), fault, every);
      fired = effects;
      return async (request) => renamed(await handle(request), 'unitCount', 'measureCount');
    },
  };
}

/** The statement that a refusal rests on, by its code. */
const grounds: Readonly<Record<string, string>> = {
  'E-001': 'AUTH-3',
  'E-003': 'AUTH-4',
  'E-004': 'AUTH-1',
  'E-005': 'META-16',
  'E-015': 'AUTH-22',
  'E-017': 'AUTH-8',
  'E-200': 'ERR-5',
  'E-303': 'UPD-5',
  'E-406': 'STAGE-9',
  'E-450': 'META-15',
  'E-501': 'AUDIT-11',
  'E-600': 'DBT-9',
  'E-601': 'DBT-9',
  'E-700': 'FOLDER-6',
  'E-701': 'FOLDER-8',
  'E-706': 'FOLDER-7',
  'E-901': 'RECIP-20',
  'E-903': 'RECIP-27',
  'E-905': 'RECIP-15',
  'E-908': 'RECIP-16',
  'E-909': 'RECIP-16',
  'E-910': 'RECIP-16',
  'E-912': 'RECIP-21',
  'E-913': 'RECIP-22',
};
const kinds = { key: 'apiKey', oauth: 'oauth', embed: 'embed', scim: 'scim' } as const;

function targetOf({ handle, callers, ...service }: Service): Target {
  return {
    ...service,
    restore: (snapshot) => service.restore(snapshot as ReturnType<typeof service.snapshot>),
    callers: callers.map(({ kind, scope, ...caller }) => ({
      ...caller,
      kind: kinds[kind],
      scope: scope?.map(String),
    })),
    async handle(request) {
      const reply = await handle(request);
      const { status, why = '' } = reply;
      const unusable = request.method === 'GET' ? 'ERR-5' : 'ERR-6';
      const rests = grounds[why] ?? (status === 422 ? unusable : undefined);
      return { ...renamed(reply, 'measureCount', 'unitCount'), why: rests };
    },
  };
}

/** Renames a field. The description writes `unit...`, but a real tenant has the product's name there. */
function renamed<Answer extends Pick<Reply, 'body'>>(
  reply: Answer,
  from: string,
  to: string,
): Answer {
  const { body } = reply;
  if (!isObject(body) || !(from in body)) return reply;
  const { [from]: value, ...rest } = body;
  return { ...reply, body: { ...rest, [to]: value } };
}
