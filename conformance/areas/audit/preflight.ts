/** Whether a tenant file has swapped two credentials, one of which may export the audit log. */

import type { PreflightCheck } from '../../safety/areas.ts';
import { swappedFor } from '../../safety/swapped.ts';

export const checkExporters: PreflightCheck = async (context) => {
  if (context.target.features.auditLog !== true) return [];
  const right = {
    what: 'the audit log',
    has: ({ auditLogManage }: { readonly auditLogManage?: boolean }) => auditLogManage === true,
    lacks: ({ auditLogManage }: { readonly auditLogManage?: boolean }) => auditLogManage === false,
  };
  const query = { start: '2026-01-01', end: '2026-01-01' };
  return swappedFor(context, right, 'exportAuditLogs', {}, { query });
};

/** A period whose start is after its end holds no event. */
export const checkDays: PreflightCheck = async ({ target }) => {
  const { start, end } = target.bindings.audit ?? {};
  if (!(Date.parse(String(start)) > Date.parse(String(end)))) return [];
  const message = `its start (${String(start)}) lies after its end (${String(end)})`;
  return [{ name: 'audit', kind: 'binding', message }];
};
