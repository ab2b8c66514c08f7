/** Exports that are no attachment, or not called CSV. */
import { onAnswer } from '../../deviations/does.ts';
import { withHeader } from '../../deviations/from-responses.ts';
import { rowsOf } from '../../deviations/rows.ts';

const breaking = rowsOf('header:exportAuditLogs', ['exportAuditLogs']);

const header = (name: string, value?: string) =>
  onAnswer((reply) => withHeader(reply, name, value));

export const auditHeaders = [
  ...breaking(['AUDIT-2'], {
    'no-disposition': [
      'exportAuditLogs: the file comes without Content-Disposition.',
      header('Content-Disposition'),
    ],
    inline: [
      'exportAuditLogs: the file comes inline.',
      header('Content-Disposition', 'inline; filename="audit-log.csv"'),
    ],
  }),
  ...breaking(['AUDIT-3'], {
    plain: [
      'exportAuditLogs: the file calls itself text/plain.',
      header('Content-Type', 'text/plain; charset=utf-8'),
    ],
    octets: [
      'exportAuditLogs: the file calls itself application/octet-stream.',
      header('Content-Type', 'application/octet-stream'),
    ],
  }),
];
