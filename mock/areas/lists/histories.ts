/** Lists that go wrong only after certain other calls. */
import { isObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { field } from '../../deviations/changes.ts';
import {
  after,
  again,
  everyNth,
  historiesOf,
  refused,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';
import { cut, repaged } from './page.ts';

const histories = historiesOf('lists');

const deployments = 'listDeployments';
const environments = 'listEnvironments';

const oneLate = repaged((page, { whole }) => ({ items: cut(page, whole, page.offset + 1) }));
const oneMore = answersBody(
  field('pagination', (said) =>
    isObject(said) ? { ...said, total: Number(said.total) + 1 } : undefined,
  ),
);

export const listHistories = [
  ...histories(['ENV-6'], {
    'filter-of-two-lists-before': after(
      [served(environments, sends('type')), served(environments)],
      served(environments, sends('type'), (call, [first]) => call.sent.type !== first?.sent.type),
      seesAs(0, 'type'),
    ),
    'filter-passed-over-after-three': everyNth(
      4,
      served(environments, sends('type')),
      seesAs(-1, 'type'),
    ),
  }),
  ...histories(['PAGE-2', 'PAGE-4'], {
    'limit-sent-twice-sticks': after(
      [served(deployments, sends('limit')), served(deployments, again('limit'))],
      served(deployments, sendsNo('limit')),
      seesAs(0, 'limit'),
    ),
  }),
  ...histories(['PAGE-6'], {
    'later-page-skips-after-a-write': after(
      [served(deployments), served('updateFolder')],
      served(deployments, sends('offset')),
      oneLate,
    ),
    'later-page-skips-after-a-refused-write': after(
      [refused('setStagingEnvironment'), served(environments)],
      served(environments, sends('offset')),
      oneLate,
    ),
  }),
  ...histories(['PAGE-5'], {
    'every-ninth-total-one-more': everyNth(9, served(deployments), oneMore),
    'total-one-more-between-others': after(
      [served(environments), served('listVersions')],
      served(environments),
      oneMore,
    ),
  }),
];
