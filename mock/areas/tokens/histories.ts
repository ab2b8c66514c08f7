/** Metadata tokens that go wrong only after certain other calls. */
import {
  after,
  everyNth,
  historiesOf,
  leftToTheExplorer,
  other,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';

const histories = historiesOf('tokens');

const makes = 'createMetaSyncToken';
const withLifetime = served(makes, sends('expires_in'));

export const tokenHistories = leftToTheExplorer(
  [
    ...histories(['META-4'], {
      'lifetime-sent-twice-becomes-the-default': after(
        [withLifetime, withLifetime],
        served(makes, sendsNo('expires_in')),
        seesAs(1, 'expires_in'),
      ),
      'lifetime-sticks-behind-a-switch': after(
        [withLifetime, served('updateDeployment')],
        served(makes, sendsNo('expires_in')),
        seesAs(0, 'expires_in'),
      ),
    }),
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
  ],
  ['lifetime-sent-twice-becomes-the-default', 'lifetime-sticks-behind-a-switch'],
);
