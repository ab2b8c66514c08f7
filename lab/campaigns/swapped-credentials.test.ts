/** A tenant file that swaps admin and member contradicts the target. */
import { expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { preflight } from '../../conformance/safety/preflight.ts';
import { Client } from '../../conformance/target/client.ts';
import { Guard } from '../../conformance/target/guard.ts';
import type { Transport } from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import { inProcessTarget } from '../exam/in-process.ts';

const service = await createService();

/** Swaps two credentials in every request. */
const swapped =
  (send: Transport): Transport =>
  (request) => {
    const found = /^Bearer (\w+)-(admin|member)$/.exec(request.headers.authorization ?? '');
    if (found === null) return send(request);
    const other = found[2] === 'admin' ? 'member' : 'admin';
    const authorization = `Bearer ${found[1]}-${other}`;
    return send({ ...request, headers: { ...request.headers, authorization } });
  };

async function findings(around?: (send: Transport) => Transport): Promise<string[]> {
  const target = await inProcessTarget(service, around === undefined ? {} : { around });
  const client = new Client(target, new Guard(), { patienceMs: 1000 });
  return (await preflight(client, safetyFacts, 'r1')).map(
    ({ name, message }) => `${name}: ${message}`,
  );
}

test('the audit log shows that admin and member are swapped', async () => {
  const message =
    'the audit log refuses admin and serves member: the tenant file or the service has them swapped';
  expect(await findings(swapped)).toEqual([`admin: ${message}`, `member: ${message}`]);
});

test('if they are not swapped, nothing is reported', async () => {
  expect(await findings()).toEqual([]);
});
