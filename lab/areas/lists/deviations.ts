import { again, by, isScoped, sends, sendsNo, sendsValue } from '../../deviations/conditions.ts';
import { all, type Does } from '../../deviations/does.ts';
import { listed } from '../../deviations/objects.ts';
import { begins, type Items, paged, pageIn, pageRows, relisted } from '../../deviations/pages.ts';
import { ignores, seesToo } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';

/** Rows for the pages of a list with `offset` and `limit`. `name` is the first word of each id. */
const ofPages = (name: string): readonly Row[] => [
  ...pageRows(name, { pages: 'PAGE-6', total: 'PAGE-5', size: 'PAGE-4', told: 'PAGE-11' }),
  ...[10, 21, 25, 100].map(
    (limit): Row => [
      `${name}default-limit-${limit}`,
      'PAGE-2',
      seesToo({ limit }),
      sendsNo('limit'),
    ],
  ),
  [`${name}default-offset-unsaid`, 'PAGE-1', begins(() => 1), sendsNo('offset')],
  [`${name}limit-said-is-twenty`, 'PAGE-11', paged(() => ({ limit: 20 }))],
  [`${name}limit-said-counts`, 'PAGE-11', paged(({ items }) => ({ limit: items.length }))],
];

const isOfType = (type: unknown) => sendsValue('type', (sent) => sent === type);
const developmentOrStaging = paged((page, { all: whole }) =>
  pageIn(
    page,
    whole.filter(({ type }) => type === 'development' || type === 'staging'),
  ),
);

/** The list also has an environment of another deployment. */
const foreign: Does = async (call, target) => {
  const { deployment_id: own = '' } = call.path;
  for (const { id } of await listed({ call, target }, 'listDeployments')) {
    const [other] =
      id === own ? [] : await listed({ call, target }, 'listEnvironments', String(id));
    if (other !== undefined) return relisted((list) => [...list, other])(call, target);
  }
  return target.handle(call);
};

/** Lists other deployments; `every` holds all of the account. */
const lists =
  (which: (own: Items, every: Items) => Items): Does =>
  async (call, target) => {
    const every = await listed({ call, target }, 'listDeployments');
    return relisted((own) => which(own, every))(call, target);
  };
const everything = lists((_own, every) => every);
const totalOfAccount: Does = async (call, target) => {
  const { length } = await listed({ call, target }, 'listDeployments');
  return paged(() => ({ total: length }))(call, target);
};
const isBehind = all(
  isScoped,
  sendsValue('offset', (offset) => Number(offset) > 0),
);

const ofDeployments: readonly Row[] = [
  ...ofPages('deployments-'),
  ['scoped-key-lists-all-behind-the-first-page', 'DEPL-4', everything, isBehind],
  ['scoped-key-lists-all-the-second-time', 'DEPL-4', everything, all(isScoped, again())],
  ['scoped-key-total-of-the-account', 'DEPL-6', totalOfAccount, isScoped],
  ['scoped-key-misses-its-own', 'DEPL-4', lists((own) => own.slice(1)), isScoped],
  ['oauth-token-lists-one', 'DEPL-4', lists((own) => own.slice(0, 1)), by('oauth')],
];
const totalOfAll = paged((_page, done) => ({ total: done.all.length }));
const isTyped = all(sends('type'), sendsNo('limit'));
const ofEnvironments: readonly Row[] = [
  ...ofPages('environments-'),
  ['filter-default-limit-100', 'PAGE-2', seesToo({ limit: 100 }), isTyped],
  ['filter-ignored', 'ENV-6', ignores('type')],
  ['filter-development-gives-staging', 'ENV-6', developmentOrStaging, isOfType('development')],
  ['an-environment-of-another-deployment', 'ENV-11', foreign],
  ['filter-total-of-all-types', 'ENV-7', totalOfAll, sends('type')],
];

export const listDeviations = [
  ...table('lists', ['listDeployments'], ofDeployments),
  ...table('lists', ['listEnvironments'], ofEnvironments),
];
