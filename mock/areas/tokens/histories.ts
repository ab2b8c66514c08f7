/** Metadata tokens that go wrong only after certain other calls. */
import {
  after,
  everyNth,
  historiesOf,
  other,
  seesAs,
  sends,
  served,
} from '../../deviations/history.ts';

const histories = historiesOf('tokens');

const makes = 'createMetaSyncToken';
const withLifetime = served(makes, sends('expires_in'));

export const tokenHistories = [
  ...histories(['META-5'], {
    'lifetime-of-two-before': after(
      [withLifetime, served(makes)],
      served(
        makes,
        sends('expires_in'),
        (call, [first]) => call.sent.expires_in !== first?.sent.expires_in,
      ),
      seesAs(0, 'expires_in'),
    ),
  }),
  ...histories(['META-7'], {
    'context-of-two-before': after(
      [served(makes), served(makes, other('security_context'))],
      served(makes, other('security_context')),
      seesAs(0, 'security_context'),
    ),
    'every-fifth-context-of-the-first': everyNth(5, served(makes), seesAs(0, 'security_context')),
  }),
];
