/** Whether a tenant file has swapped the administrator and the member. */

import type { PreflightCheck } from '../../safety/areas.ts';

/**
 * The export opens to one of two: where it serves the one that the tenant file gives no permission,
 * and refuses the one that has it, the file may have them swapped. Who may do what is judged all the
 * same, as nobody knows which of the two is wrong.
 */
export const checkSwapped: PreflightCheck = async ({ target, askAs }) => {
  const [admin, member] = ['admin', 'member'].map((name) => target.credentials.get(name)?.claims);
  if (target.features.auditLog !== true) return [];
  if (admin?.auditLogManage !== true || member?.auditLogManage !== false) return [];
  const status = async (name: string): Promise<number> => {
    const query = { start: '2026-01-01', end: '2026-01-01' };
    return (await askAs(name)('exportAuditLogs', {}, { query })).status;
  };
  if ((await status('admin')) !== 403 || (await status('member')) !== 200) return [];
  const message =
    'the audit log refuses admin and serves member: the tenant file has them swapped, or the service does';
  return ['admin', 'member'].map((name) => ({ name, kind: 'credential', message, judged: true }));
};
