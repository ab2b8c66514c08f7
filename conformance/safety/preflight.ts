/**
 * Compares each credential and binding of a tenant with the claims of its file, by reading. If they differ,
 * the file or the service may be wrong, and no run passes before that is known. A credential that opens too
 * much is still judged. A credential that every surface refuses may be stale, so its scenarios are not tried.
 */

import { contract, operation } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import { callTo, pathTo } from '../target/call.ts';
import { type Client, CouldNotRun } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import type { Ask, Preflight, Probe, SafetyFacts } from './areas.ts';
import { askWith, bearer, restoringAuthorization } from './ask.ts';
import { boundObjects } from './bound-objects.ts';
import { contradictionsIn, kindOfCredential } from './claims.ts';
import { refuseOtherRun } from './marks.ts';
import { restorerOf } from './restorer.ts';

const asking = (client: Client, authorization: string | undefined): Ask =>
  askWith(client, authorization, 'preflight', 'preflight');

/**
 * Rejects with CouldNotRun if the target cannot be reached at all, and with Unsafe if a run on another
 * machine works on it.
 */
export async function preflight(
  client: Client,
  facts: SafetyFacts,
  runId: string,
  proven: Set<string> = new Set(),
  warn: Preflight['warn'] = () => {},
): Promise<PreflightFinding[]> {
  const { target } = client;
  // The first call needs nothing: if nobody answers it, the other calls are not made.
  const [first] = facts.probes;
  if (first !== undefined) await asking(client, undefined)(first.call, {});
  const findings = contradictionsIn(target);
  findings.push(...(await checkCredentials(client, facts.probes)));
  const askAs = (name: string): Ask => asking(client, bearer(target, name));
  const mayWrite: Preflight['mayWrite'] = (id, parameters) => {
    const { method, path } = operation(id);
    const { object } = callTo(method.toUpperCase(), pathTo(path, parameters));
    return object !== undefined && client.mayWrite(object);
  };
  for (const check of facts.checks) {
    const known = withoutDoubted(target, findings);
    const reader = readers.find((name) => known.credentials.has(name));
    const ask = reader === undefined ? undefined : askAs(reader);
    findings.push(...(await check({ target: known, reader, ask, askAs, mayWrite, proven, warn })));
  }
  const known = withoutDoubted(target, findings);
  findings.push(...(await checkObjects(client, facts, { target: known, proven }, runId)));
  return findings;
}

/** The first of these that exists makes the reads. */
const readers = ['admin', 'oauth', 'member', 'scoped'];

/** If a claim is found to be wrong, the claims that depend on it stay open. */
function withoutDoubted(target: Target, findings: readonly PreflightFinding[]): Target {
  const doubted = new Set(findings.flatMap(({ name, judged }) => (judged ? [] : [name])));
  const isSure = ([name]: readonly [string, unknown]): boolean => !doubted.has(name);
  return {
    ...target,
    credentials: new Map([...target.credentials].filter(isSure)),
    bindings: Object.fromEntries(Object.entries(target.bindings).filter(isSure)),
  };
}

/** Reads the objects that the run will write: each exists, and no other run works on it. */
async function checkObjects(
  client: Client,
  { restore, objectChecks }: SafetyFacts,
  { target, proven }: Pick<Preflight, 'target' | 'proven'>,
  runId: string,
): Promise<PreflightFinding[]> {
  const authorization = restoringAuthorization(target);
  if (authorization === undefined) return [];
  const states = new Map<string, unknown>();
  const bodies = new Map<string, unknown>();
  const findings: PreflightFinding[] = [];
  for (const { binding, object } of boundObjects(target.bindings)) {
    const { key, text } = object;
    if (!client.mayWrite(object)) continue;
    const look: Ask = async (...call) => {
      const answer = await asking(client, authorization)(...call);
      bodies.set(key, answer.body);
      return answer;
    };
    if (!states.has(key)) states.set(key, await restorerOf(object, restore)?.read(object, look));
    const state = states.get(key);
    refuseOtherRun(text, state, runId);
    const wrong = (message: string) => findings.push({ name: binding, kind: 'binding', message });
    if (state === null)
      wrong(`there is no ${text}: the tenant file is wrong, or the service does not find it`);
    if (state === undefined || state === null) continue;
    proven.add(binding);
    const shown = { binding, body: bodies.get(key) };
    for (const check of objectChecks) {
      const message = check(shown, target.bindings);
      if (message !== undefined) wrong(message);
    }
  }
  return findings;
}

/** Says nothing of a kind that no probe accepts. Rejects with CouldNotRun if the address is wrong. */
async function checkCredentials(
  client: Client,
  probes: readonly Probe[],
): Promise<PreflightFinding[]> {
  const { target } = client;
  const findings: PreflightFinding[] = [];
  const answered: number[] = [];
  for (const name of target.credentials.keys()) {
    const { statuses, works } = await tryCredential(client, name, probes);
    if (!name.startsWith('expired')) answered.push(...statuses);
    const finding = (message: string, judged?: true): void =>
      void findings.push({ name, kind: 'credential', message, ...(judged && { judged }) });
    if (name.startsWith('expired')) {
      if (works)
        finding(
          'it is accepted: it has not expired, or the service accepts expired credentials',
          true,
        );
    } else if (!works && statuses.length > 0) {
      const told = [...new Set(statuses)].join(', ');
      finding(
        `it is answered ${told} wherever it was tried: it is stale or mistyped, or the service refuses a good one`,
      );
    }
  }
  if (isElsewhere(target, answered)) throw new CouldNotRun(wrongAddress(target, answered));
  return findings;
}

/**
 * Whether no probe found the service. Below a path, a service may ask for the credential before it looks
 * for the path, so that some probes are refused with 401 or 403 and the others find nothing.
 */
function isElsewhere({ baseUrl }: Target, answered: readonly number[]): boolean {
  const isBelow = new URL(baseUrl).pathname.length > 1;
  const served = (status: number): boolean => !(isBelow ? [401, 403, 404] : [404]).includes(status);
  return answered.includes(404) && !answered.some(served);
}

function wrongAddress({ baseUrl }: Target, answered: readonly number[]): string {
  const { pathname } = new URL(baseUrl);
  const paths = [...contract.operations.values()].map(({ path }) => path);
  const isOfEach = pathname.length > 1 && paths.some((path) => path.startsWith(`${pathname}/`));
  const hint = isOfEach ? `, as each call adds ${pathname} itself` : '';
  const statuses = [...new Set(answered)]
    .sort()
    .join(', ')
    .replace(/, (?=\d+$)/, ' or ');
  return `every probe is answered ${statuses} at ${baseUrl}: the tenant file's baseUrl is not the address of the service${hint}, or the service has none of its paths`;
}

/** Asks until an answer tells: a working key opens something, an expired key is refused. */
async function tryCredential(
  client: Client,
  name: string,
  probes: readonly Probe[],
): Promise<{ readonly statuses: readonly number[]; readonly works: boolean }> {
  const { target } = client;
  const secret = target.credentials.get(name)?.secret ?? '';
  const isExpired = name.startsWith('expired');
  // AUTH-26: no read is promised to it, so a good one may get 403.
  const mayLackReads = name === 'memberOauth';
  const statuses: number[] = [];
  for (const { call, query } of probes) {
    const { credentials, schemes, deployment } = operation(call).requires;
    const id = target.bindings.deployment?.id;
    if (!credentials.includes(kindOfCredential(name))) continue;
    if (deployment !== undefined && id === undefined) continue;
    const parameters = deployment === undefined ? {} : { [deployment]: id };
    for (const scheme of schemes) {
      const { status } = await asking(client, `${scheme} ${secret}`)(call, parameters, { query });
      statuses.push(status);
      // The description does not say which of the two a key that was never issued gets.
      const dead = status === 401 || (status === 403 && !mayLackReads);
      if (isExpired && status >= 400) return { statuses, works: false };
      if (!isExpired && !dead && status !== 404) return { statuses, works: true };
    }
  }
  // If the object is not found, the answer does not tell about the caller.
  return { statuses, works: isExpired ? statuses.length > 0 : statuses.includes(404) };
}
