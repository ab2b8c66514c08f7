/** Exports of the audit log that go wrong only after certain other calls. */
import {
  after,
  historiesOf,
  other,
  refused,
  refusesWith,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';

const histories = historiesOf('audit');

const exports = 'exportAuditLogs';

/** What was sent before the last export holds for one that sends none. */
const sticks = (name: string) =>
  after(
    [served(exports, sends(name)), served(exports)],
    served(exports, sendsNo(name)),
    seesAs(0, name),
  );

/** Of three that are sent, the last counts as the first. */
const isOfTwoBefore = (name: string) =>
  after(
    [served(exports, sends(name)), served(exports, other(name))],
    served(exports, sends(name), (call, [first]) => call.sent[name] !== first?.sent[name]),
    seesAs(0, name),
  );

export const auditHistories = [
  ...histories(['AUDIT-7', 'AUDIT-10'], {
    'search-of-two-before': isOfTwoBefore('search'),
  }),
  ...histories(['AUDIT-8', 'AUDIT-10'], {
    'event-name-of-two-before': isOfTwoBefore('eventName'),
  }),
  ...histories(['AUDIT-9', 'AUDIT-10'], {
    'user-email-sticks': sticks('userEmail'),
  }),
  ...histories(['AUDIT-1'], {
    'export-refused-behind-a-refusal-and-a-list': after(
      [refused(exports), served('listVersions')],
      served(exports),
      refusesWith(403, 'AUDIT-11'),
    ),
  }),
];
