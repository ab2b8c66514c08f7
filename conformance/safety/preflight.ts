/**
 * Reads that each credential and binding of a tenant is what its file claims. A credential counts
 * as not working only where it is refused on every surface that it should open: refused on one is
 * for the checks to judge.
 */

import { objectsIn } from '../../spec/base/json.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import { wholeList } from '../language/whole-list.ts';
import type { Client } from '../target/client.ts';
import type { Target } from '../target/target.ts';

type Read = (path: string, authorization: string | undefined) => Promise<Answer>;

/** Rejects with CouldNotRun where the target cannot be reached at all. */
export async function preflight(client: Client): Promise<PreflightFinding[]> {
  const { target } = client;
  const read: Read = (path, authorization) => {
    const [bare = '', search = ''] = path.split('?');
    const query = [...new URLSearchParams(search)];
    const request = {
      method: 'GET',
      path: bare,
      query,
      headers: {},
      authorization,
      text: undefined,
      body: undefined,
      plain: false,
    };
    return client.call(request, 'preflight', {
      scenario: 'preflight',
      step: bare,
      kind: 'preflight',
    });
  };
  const findings = claims(target);
  for (const name of target.credentials.keys()) {
    const message = await checkCredential(target, name, read);
    if (message !== undefined) findings.push({ name, kind: 'credential', message });
  }
  findings.push(...(await checkSwapped(target, read)));
  for (const { name, message } of await checkBindings(target, read)) {
    findings.push({ name, kind: 'binding', message });
  }
  return findings;
}

/** What the tenant file itself contradicts. */
function claims(target: Target): PreflightFinding[] {
  const findings: PreflightFinding[] = [];
  const add = (name: string, message: string): void => {
    findings.push({ name, kind: 'credential', message });
  };
  const { deployment, otherDeployment, lockedFolder, folder } = target.bindings;
  const has = (list: readonly unknown[], id: unknown): boolean =>
    list.map(String).includes(String(id));
  const of = (name: string): NonNullable<ReturnType<typeof target.credentials.get>>['claims'] =>
    target.credentials.get(name)?.claims;
  const scope = of('scoped')?.deployments;
  if (scope !== undefined && deployment !== undefined && !has(scope, deployment.id)) {
    add('scoped', `its deployments do not hold the binding deployment (${String(deployment.id)})`);
  }
  if (scope !== undefined && otherDeployment !== undefined && has(scope, otherDeployment.id)) {
    add(
      'scoped',
      `its deployments hold otherDeployment (${String(otherDeployment.id)}), which it must not open`,
    );
  }
  for (const name of ['member', 'memberOauth']) {
    const edits = of(name)?.edits;
    if (of(name)?.role === 'admin') add(name, 'the tenant file gives it the admin role');
    if (edits === undefined) continue;
    if (lockedFolder !== undefined && has(edits, lockedFolder.id)) {
      add(name, `it edits lockedFolder (${String(lockedFolder.id)}), which it must not`);
    }
    if (folder !== undefined && !has(edits, folder.id))
      add(name, `it does not edit folder (${String(folder.id)})`);
  }
  if (of('admin')?.role === 'member') add('admin', 'the tenant file gives it no admin role');
  return findings;
}

async function checkCredential(
  target: Target,
  name: string,
  read: Read,
): Promise<string | undefined> {
  const secret = target.credentials.get(name)?.secret ?? '';
  const deployment = encodeURIComponent(String(target.bindings.deployment?.id ?? ''));
  // What an embed JWT opens besides adding recipients is a silence (AUTH-22).
  if (name === 'embed') return undefined;
  const tries: [string, string][] =
    name === 'scim'
      ? [
          ['/api/scim/v2/Users?count=1', `Bearer ${secret}`],
          ['/api/scim/v2/Users?count=1', `Api-Key ${secret}`],
        ]
      : [['/api/v1/deployments?limit=1', `Bearer ${secret}`]];
  if (name !== 'scim' && deployment !== '') {
    tries.push([`/build/api/v1/deployments/${deployment}/branches`, `Bearer ${secret}`]);
  }
  const statuses: number[] = [];
  for (const [path, authorization] of tries) {
    const { status } = await read(path, authorization);
    statuses.push(status);
    // A key that was never issued may be answered 403 as well; the administrator's never is here.
    const dead = status === 401 || (name === 'admin' && status === 403);
    const settled = name === 'expired' ? status >= 400 : !dead;
    if (settled) return undefined;
  }
  if (name === 'expired') return 'it is accepted wherever it was tried; it has not expired';
  return `it is answered ${[...new Set(statuses)].join(', ')} wherever it was tried`;
}

/**
 * The export opens to one of two: where it serves the one that the tenant file gives no permission,
 * and refuses the one that has it, the file has them swapped.
 */
async function checkSwapped(target: Target, read: Read): Promise<PreflightFinding[]> {
  const [admin, member] = ['admin', 'member'].map((name) => target.credentials.get(name));
  if (target.features.auditLog !== true || admin === undefined || member === undefined) return [];
  if (admin.claims?.auditLogManage !== true || member.claims?.auditLogManage !== false) return [];
  const status = async (secret: string): Promise<number> =>
    (await read('/api/v1/audit-logs/export?start=2026-01-01&end=2026-01-01', `Bearer ${secret}`))
      .status;
  if ((await status(admin.secret)) !== 403 || (await status(member.secret)) !== 200) return [];
  const message = 'the audit log refuses admin and serves member: the tenant file has them swapped';
  return ['admin', 'member'].map((name) => ({ name, kind: 'credential', message }));
}

async function checkBindings(
  target: Target,
  read: Read,
): Promise<{ name: string; message: string }[]> {
  const findings: { name: string; message: string }[] = [];
  const reader = ['admin', 'oauth', 'member', 'scoped'].find((name) =>
    target.credentials.has(name),
  );
  if (reader === undefined) return [];
  const authorization = `Bearer ${target.credentials.get(reader)?.secret ?? ''}`;
  const { bindings } = target;
  for (const name of ['deployment', 'otherDeployment']) {
    const id = bindings[name]?.id;
    if (id === undefined || (name === 'otherDeployment' && reader === 'scoped')) continue;
    const path = encodeURIComponent(String(id));
    const statuses: number[] = [];
    for (const place of [
      `/api/v1/deployments/${path}/versions`,
      `/api/v1/deployments/${path}/environments`,
      `/build/api/v1/deployments/${path}/branches`,
    ]) {
      statuses.push((await read(place, authorization)).status);
      if (statuses.at(-1) !== 404) break;
    }
    if (statuses.every((status) => status === 404))
      findings.push({ name, message: `there is no deployment ${String(id)}` });
  }
  const deployment = bindings.deployment?.id;
  if (deployment === undefined) return findings;
  const base = encodeURIComponent(String(deployment));
  for (const [name, message] of await checkBranches(base, authorization, bindings, read)) {
    findings.push({ name, message });
  }
  const sync = bindings.dbtSync?.id;
  const numeric = bindings.deployment?.numericId;
  if (sync !== undefined && numeric !== undefined) {
    const path = `/api/v1/deployments/${String(numeric)}/dbt-sync/${encodeURIComponent(String(sync))}/result`;
    const { status } = await read(path, authorization);
    if (status === 404)
      findings.push({ name: 'dbtSync', message: `there is no completed sync ${String(sync)}` });
  }
  const environment = bindings.environment?.id;
  if (
    environment !== undefined &&
    (await lacksEnvironment(base, String(environment), authorization, read))
  ) {
    findings.push({
      name: 'environment',
      message: `the environments list holds no ${String(environment)}`,
    });
  }
  return findings;
}

const kinds = ['production', 'shared', 'personal'];

/**
 * The shape of the branches list is a silence (BRANCH-1): a branch is missing only from a list that
 * is known to be whole and that calls each of its items by a name.
 */
async function checkBranches(
  deployment: string,
  authorization: string,
  bindings: Target['bindings'],
  read: Read,
): Promise<[string, string][]> {
  const answer = await read(`/build/api/v1/deployments/${deployment}/branches`, authorization);
  const list = answer.ok ? (wholeList(answer.body) ?? []) : [];
  if (list.length === 0 || linksOn(answer) || list.some(({ name }) => typeof name !== 'string')) {
    return [];
  }
  return kinds.flatMap((kind): [string, string][] => {
    const binding = `${kind}Branch`;
    const wanted = bindings[binding]?.name;
    if (wanted === undefined) return [];
    const found = list.find(({ name }) => name === wanted);
    if (found === undefined) {
      const elsewhere = list.some((item) => Object.values(item).includes(wanted));
      return elsewhere ? [] : [[binding, `the branches list holds no ${String(wanted)}`]];
    }
    const other = [found.type, found.kind]
      .map((value) => String(value).toLowerCase())
      .find((value) => kinds.includes(value) && value !== kind);
    if (other === undefined) return [];
    return [[binding, `the branches list calls ${String(wanted)} ${other}, not ${kind}`]];
  });
}

function linksOn({ wire }: Answer): boolean {
  return [wire.headers.link].flat().some((link) => /next/i.test(link ?? ''));
}

async function lacksEnvironment(
  deployment: string,
  id: string,
  authorization: string,
  read: Read,
): Promise<boolean> {
  for (let offset = 0; offset < 1000; offset += 20) {
    const answer = await read(
      `/api/v1/deployments/${deployment}/environments?offset=${offset}&limit=20`,
      authorization,
    );
    if (!answer.ok) return false;
    const items = [...objectsIn(answer.body)].filter(
      (item) => item.id !== undefined && item.type !== undefined,
    );
    if (items.some((item) => String(item.id) === id)) return false;
    if (items.length < 20) return items.length > 0 || offset > 0;
  }
  return false;
}
