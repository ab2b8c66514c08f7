/** Checks whether the audit log has the events of a tenant file, and who may export it. */

import type { Claims } from '../../language/vocabulary.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { swappedFor } from '../../safety/swapped.ts';

const isMember = (name: string): boolean => /^(member|embed$)/.test(name);

export const checkExporters: PreflightCheck = async (context) => {
  if (context.target.features.auditLog !== true) return [];
  // If the file leaves the claim out, an administrator may have the right, and a member may lack it.
  const right = {
    what: 'the audit log',
    has: ({ auditLogManage }: Claims, name: string) => auditLogManage ?? !isMember(name),
    lacks: ({ auditLogManage }: Claims, name: string) => !(auditLogManage ?? !isMember(name)),
    isTold: ({ auditLogManage }: Claims) => auditLogManage !== undefined,
  };
  const query = { start: '2026-01-01', end: '2026-01-01' };
  const findings = await swappedFor(context, right, 'exportAuditLogs', {}, { query });
  for (const [name, { claims = {} }] of context.target.credentials) {
    // Scenarios judge the rights of a member.
    if (claims.role !== 'admin' || claims.auditLogManage !== false) continue;
    const { ok } = await context.askAs(name)('exportAuditLogs', {}, { query });
    const message =
      'the tenant file says auditLogManage: false, and the export is served to it: the tenant file or the service is wrong';
    if (ok) findings.push({ name, kind: 'credential', message, judged: true });
  }
  return findings;
};

/** A period whose start is after its end holds no event. */
export const checkDays: PreflightCheck = async ({ target }) => {
  const { start, end } = target.bindings.audit ?? {};
  if (!(Date.parse(String(start)) > Date.parse(String(end)))) return [];
  const message = `its start (${String(start)}) lies after its end (${String(end)})`;
  return [{ name: 'audit', kind: 'binding', message }];
};

const filters = { eventName: 'type', userEmail: 'user', search: 'text' };

/**
 * Warns of a period without events, and of a filter that no event in the period matches. It is only
 * a warning, because events may have been deleted since the file was written. If the text of the
 * filter occurs anywhere in the period, the claim holds.
 */
export const checkEvents: PreflightCheck = async ({ target, askAs, proven, warn }) => {
  const { audit } = target.bindings;
  const { start, end } = audit ?? {};
  const reader = [...target.credentials].find(([, one]) => one.claims?.auditLogManage === true);
  if (target.features.auditLog !== true || reader === undefined) return [];
  if (audit === undefined || start === undefined || end === undefined) return [];
  const events = async (filter: Readonly<Record<string, string>>) => {
    const query = { start: String(start), end: String(end), ...filter };
    const { ok, csv, wire } = await askAs(reader[0])('exportAuditLogs', {}, { query });
    return ok && csv.wellFormed ? { text: wire.text.toLowerCase(), rows: csv.rows } : undefined;
  };
  const all = await events({});
  if (all === undefined) return [];
  const period = `from ${String(start)} to ${String(end)}`;
  const tell = (name: string, what: string): void =>
    warn(
      `${name}: the export shows no event ${what}${period}, so checks that need such an event are not tried. Choose another value in the tenant file, unless the export leaves events out`,
    );
  if (all.rows.length === 0) {
    tell('audit', '');
    return [];
  }
  let isWhole = true;
  for (const [key, kind] of Object.entries(filters)) {
    const value = audit[key];
    if (value === undefined || all.text.includes(String(value).toLowerCase())) continue;
    const found = await events({ [key]: String(value) });
    if (found?.rows.length !== 0) continue;
    isWhole = false;
    tell(`audit.${key}`, `with the ${kind} ${String(value)} `);
  }
  if (isWhole) proven.add('audit');
  return [];
};
