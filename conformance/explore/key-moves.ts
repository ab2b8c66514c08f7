/** Keys that are missing, malformed, expired, scoped or sent to another surface. */

import fc from 'fast-check';
import type { OperationId } from '../../spec/contract.ts';
import type { CallData } from './contradiction.ts';
import { type MoveKind, moveKind, type Setting } from './move.ts';
import { walkDeployments } from './page-moves.ts';
import type { Session } from './session.ts';

/** One call of each operation that reads, and writes that would change nothing. */
const calls: readonly (Omit<CallData, 'as'> & { readonly needs: readonly string[] })[] = [
  { call: 'listDeployments', needs: [] },
  { call: 'listEnvironments', path: { deployment_id: '{deployment.id}' }, needs: ['deployment'] },
  { call: 'listVersions', path: { deployment_id: '{deployment.id}' }, needs: ['deployment'] },
  { call: 'listBranches', path: { deployment_id: '{deployment.id}' }, needs: ['deployment'] },
  {
    call: 'createMetaSyncToken',
    path: { deployment_id: '{deployment.id}', environment_id: '{environment.id}' },
    body: { security_context: { lockstep: '{run.id}' }, expires_in: 60 },
    needs: ['deployment', 'environment'],
  },
  {
    call: 'updateFolder',
    path: { deploymentId: '{deployment.numericId}', folderId: '{folder.id}' },
    body: {},
    needs: ['deployment', 'folder'],
  },
  { call: 'listScimUsers', query: { count: 1 }, needs: [] },
];

/** Reads and writes of the other deployment, for a key that is scoped to the first. */
const elsewhere: readonly (Omit<CallData, 'as'> & { readonly needs: readonly string[] })[] = [
  { call: 'listEnvironments', path: { deployment_id: '{otherDeployment.id}' }, needs: [] },
  { call: 'listVersions', path: { deployment_id: '{otherDeployment.id}' }, needs: [] },
  { call: 'listBranches', path: { deployment_id: '{otherDeployment.id}' }, needs: [] },
  {
    call: 'updateFolder',
    path: { deploymentId: '{otherDeployment.numericId}', folderId: '{foreignFolder.id}' },
    body: {},
    needs: ['foreignFolder'],
  },
];

const malformed = (name: string): readonly unknown[] => [
  { header: `{credentials.${name}}` },
  { header: 'Bearer' },
  { credential: name, scheme: 'Basic' },
  { header: `Bearer "{credentials.${name}}"` },
  { header: `Bearer {credentials.${name}} {credentials.${name}}` },
];

async function refuse(
  session: Session,
  data: CallData,
  statement: string,
  status: number,
  because: string,
): Promise<void> {
  const entry = await session.call(data);
  session.expectStatus(entry, statement, status, because);
  if (data.call === 'listScimUsers') judgeScimError(session, entry);
}

/** RFC 7644: the status in an error is that of the answer, as a string. */
function judgeScimError(session: Session, entry: Awaited<ReturnType<Session['call']>>): void {
  const { body, status } = entry.answer;
  if ((body as { status?: unknown } | undefined)?.status === String(status)) return;
  const conditions = { status, body: { status: String(status) } };
  throw session.contradiction(entry, 'SCIM-8', conditions, 'the error names another status');
}

/** Any deployment of the list, for a key that is not scoped. */
async function reach(
  session: Session,
  { index, actor, look }: { index: number; actor: string; look: boolean },
): Promise<void> {
  const list = await session.call({
    as: 'admin',
    call: 'listDeployments',
    query: { offset: index, limit: 1 },
  });
  const { body } = list.answer as { body: { data?: { deployments?: unknown[] } } | undefined };
  if ((body?.data?.deployments ?? []).length === 0) return;
  const id = `{steps.${list.id}.body.data.deployments[0].id}`;
  const operation: OperationId = index % 2 === 0 ? 'listEnvironments' : 'listVersions';
  const entry = await session.call({ as: actor, call: operation, path: { deployment_id: id } });
  if (actor === 'admin') {
    session.expectStatus(entry, 'AUTH-10', 200, 'an unscoped key reaches every deployment');
  }
  if (!entry.answer.ok) return;
  const { reached } = session.model;
  reached.set(actor, (reached.get(actor) ?? new Set()).add(String(session.value(id))));
  if (look) await walkDeployments(session, { actor, size: 50 });
}

export function keyMoves({ target }: Setting): MoveKind[] {
  const has = (name: string): boolean => target.credentials.has(name);
  const bound = (needs: readonly string[]): boolean =>
    needs.every((name) => target.bindings[name] !== undefined);
  const effectOf = (data: Omit<CallData, 'as'>) =>
    data.body === undefined ? ('none' as const) : ('reversible' as const);
  const kinds: MoveKind[] = [];
  const own = calls.filter((item) => bound(item.needs));
  for (const effect of ['none', 'reversible'] as const) {
    const some = own.filter((item) => effectOf(item) === effect);
    if (some.length === 0) continue;
    const data = fc.constantFrom(...some);
    const word = effect === 'none' ? 'read' : 'write';
    kinds.push(
      moveKind(
        { kind: `${word} without a key`, weight: 1.5, needs: [], effect },
        data,
        (session, { needs: _needs, ...item }) =>
          refuse(session, { ...item, as: 'none' }, 'AUTH-1', 401, 'no credential was sent'),
      ),
      moveKind(
        { kind: `${word} with a malformed key`, weight: 4, needs: ['admin'], effect },
        fc.record({ data, form: fc.nat(4) }),
        (session, { data: { needs: _needs, ...item }, form }) => {
          const name = item.call === 'listScimUsers' && has('scim') ? 'scim' : 'admin';
          const because = 'the credential is malformed';
          return refuse(session, { ...item, as: malformed(name)[form] }, 'AUTH-3', 401, because);
        },
      ),
    );
    if (!has('expired')) continue;
    kinds.push(
      moveKind(
        { kind: `${word} with an expired key`, weight: 2, needs: ['expired'], effect },
        fc.constantFrom(...some.filter((item) => item.call !== 'listScimUsers')),
        (session, { needs: _needs, ...item }) =>
          refuse(session, { ...item, as: 'expired' }, 'AUTH-4', 401, 'the credential has expired'),
      ),
    );
  }
  const other = elsewhere.filter((item) => bound(item.needs));
  for (const effect of ['none', 'reversible'] as const) {
    const some = other.filter((item) => effectOf(item) === effect);
    if (some.length === 0) continue;
    kinds.push(
      moveKind(
        {
          kind: `${effect === 'none' ? 'read' : 'write'} elsewhere with a scoped key`,
          weight: 2.5,
          needs: ['scoped', 'otherDeployment.id'],
          effect,
        },
        fc.constantFrom(...some),
        (session, { needs: _needs, ...item }) =>
          refuse(session, { ...item, as: 'scoped' }, 'AUTH-8', 403, 'the key is scoped elsewhere'),
      ),
    );
  }
  const reads = ['listEnvironments', 'listVersions', 'listBranches'] as const;
  kinds.push(
    moveKind(
      {
        kind: 'read with another kind of key',
        weight: 2,
        needs: ['deployment.id'],
        effect: 'none',
      },
      fc.record({
        actor: fc.constantFrom(
          ...['admin', 'oauth', 'scoped', 'member', 'memberOauth'].filter(has),
          ...(has('admin') ? [] : ['none']),
        ),
        call: fc.constantFrom(...reads),
      }),
      async (session, { actor, call }) => {
        const entry = await session.call({
          as: actor,
          call,
          path: { deployment_id: '{deployment.id}' },
        });
        if (actor === 'none') return;
        const kinds: Record<string, string> = {
          scoped: 'AUTH-9',
          oauth: 'AUTH-5',
          memberOauth: 'AUTH-5',
        };
        const statement = kinds[actor] ?? (call === 'listBranches' ? 'AUTH-6' : 'AUTH-2');
        session.expectStatus(entry, statement, 200, `${actor} may read the deployment`);
      },
    ),
    moveKind(
      { kind: 'reach any deployment', weight: 2.5, needs: ['admin'], effect: 'none' },
      fc.record({
        index: fc.nat(50),
        actor: fc.constantFrom('admin', ...['oauth'].filter(has)),
        look: fc.boolean(),
      }),
      reach,
    ),
  );
  return kinds;
}
