/**
 * Reads that each credential and binding of a tenant is what its file claims. What is not
 * contradicts: the file may be wrong, or the service, and no run passes before that is known. A
 * credential that opens what it must not is judged all the same; one that is refused on every
 * surface that it should open may be stale, so what depends on it is not tried.
 */

import { type CredentialKind, operation } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Client } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import type { Ask, Probe, SafetyFacts } from './areas.ts';
import { askWith, bearer, restoringAuthorization } from './ask.ts';
import { boundObjects } from './bound-objects.ts';
import { refuseOtherRun } from './marks.ts';
import { restorerOf } from './restorer.ts';

const asking = (client: Client, authorization: string | undefined): Ask =>
  askWith(client, authorization, 'preflight', 'preflight');

/**
 * Rejects with CouldNotRun where the target cannot be reached at all, and with Unsafe where a run of
 * another machine is at work on it.
 */
export async function preflight(
  client: Client,
  facts: SafetyFacts,
  runId: string,
): Promise<PreflightFinding[]> {
  const { target } = client;
  // One call that needs nothing: where nobody answers it, the rest is not begun.
  const [first] = facts.probes;
  if (first !== undefined) await asking(client, undefined)(first.call, {});
  const findings = wrongRoles(target);
  for (const name of target.credentials.keys()) {
    const finding = await checkCredential(client, name, facts.probes);
    if (finding !== undefined) findings.push({ name, kind: 'credential', ...finding });
  }
  const readers = ['admin', 'oauth', 'member', 'scoped'];
  const reader = readers.find((name) => target.credentials.has(name));
  const askAs = (name: string): Ask => asking(client, bearer(target, name));
  const ask = reader === undefined ? undefined : askAs(reader);
  for (const check of facts.checks) findings.push(...(await check({ target, reader, ask, askAs })));
  return [...findings, ...(await checkObjects(client, facts, runId))];
}

/** Reads what the run is going to write: it is there, and no other run is at work on it. */
async function checkObjects(
  client: Client,
  { restore }: SafetyFacts,
  runId: string,
): Promise<PreflightFinding[]> {
  const { target } = client;
  const authorization = restoringAuthorization(target);
  if (authorization === undefined) return [];
  const states = new Map<string, unknown>();
  const findings: PreflightFinding[] = [];
  for (const { binding, object } of boundObjects(target.bindings)) {
    const { key, text } = object;
    if (!client.mayWrite(object)) continue;
    if (!states.has(key))
      states.set(
        key,
        await restorerOf(object, restore)?.read(object, asking(client, authorization)),
      );
    const state = states.get(key);
    refuseOtherRun(text, state, runId);
    if (state !== null) continue;
    const message = `there is no ${text}: the tenant file names what is not there, or the service does not find it`;
    findings.push({ name: binding, kind: 'binding', message });
  }
  return findings;
}

const roles = { member: 'member', memberOauth: 'member', admin: 'admin' };

/** What the tenant file itself contradicts. */
function wrongRoles({ credentials }: Target): PreflightFinding[] {
  return Object.entries(roles).flatMap(([name, role]): PreflightFinding[] => {
    const said = credentials.get(name)?.claims?.role ?? role;
    const message = `the tenant file gives it ${said === 'admin' ? 'the' : 'no'} admin role`;
    return said === role ? [] : [{ name, kind: 'credential', message }];
  });
}

const kinds: Readonly<Record<string, CredentialKind>> = {
  oauth: 'oauth',
  memberOauth: 'oauth',
  embed: 'embed',
  adminEmbed: 'embed',
  scim: 'scim',
  expiredOauth: 'oauth',
  expiredScim: 'scim',
};

/** What is wrong with a credential. Of a kind that no probe takes nothing is said. */
async function checkCredential(
  client: Client,
  name: string,
  probes: readonly Probe[],
): Promise<Pick<PreflightFinding, 'message' | 'judged'> | undefined> {
  const { target } = client;
  const secret = target.credentials.get(name)?.secret ?? '';
  const isExpired = name.startsWith('expired');
  const statuses: number[] = [];
  for (const { call, query } of probes) {
    const { credentials, schemes, deployment } = operation(call).requires;
    const id = target.bindings.deployment?.id;
    if (!credentials.includes(kinds[name] ?? 'apiKey')) continue;
    if (deployment !== undefined && id === undefined) continue;
    const parameters = deployment === undefined ? {} : { [deployment]: id };
    for (const scheme of schemes) {
      const { status } = await asking(client, `${scheme} ${secret}`)(call, parameters, { query });
      statuses.push(status);
      // The description leaves open which of the two a key that was never issued gets.
      const dead = status === 401 || status === 403;
      if (isExpired ? status >= 400 : !dead) return undefined;
    }
  }
  if (statuses.length === 0) return undefined;
  if (isExpired) {
    const message = 'it is accepted: it has not expired, or the service takes expired credentials';
    return { message, judged: true };
  }
  const answered = [...new Set(statuses)].join(', ');
  return {
    message: `it is answered ${answered} wherever it was tried: it is stale or mistyped, or the service refuses a good one`,
  };
}
