/** Tests the words that compare an answer with an earlier one, each with a pass and a failure. */

import { expect } from 'vitest';
import type { FakeService } from '../testing/fake-service.ts';
import { runYaml } from '../testing/run-yaml.ts';
import { test } from '../testing/service-test.ts';

const rename = (checks: string): string => `
scenario: A folder is renamed
as: admin
path: { deploymentId: "{deployment.numericId}", folderId: "{folder.id}" }
steps:
  - { id: before, call: updateFolder, body: {}, expect: 200 }
  - { id: rename, again: before, body: { name: new } }
  - { id: after, again: before, checks: { FOLDER-5: ${checks} } }
`;
const lists = (checks: string): string => `
scenario: Two pages are compared
as: admin
steps:
  - { id: first, call: listDeployments, query: { limit: 3 } }
  - { id: second, again: first, query: { limit: 3, offset: 1 }, checks: { PAGE-6: ${checks} } }
`;

const holding: readonly [string, string][] = [
  ['unchanged in some fields', rename('{ unchanged: { since: before, of: [position, type] } }')],
  ['unchanged at a place', rename('{ unchanged: { since: rename, at: body.name } }')],
  ['the status of an earlier step', rename('{ answered: { before: 200, rename: 2xx } }')],
  ['a status alone', rename('2xx')],
  ['allowed', rename('allowed')],
  ['added and lost items', lists('{ changed: { since: first, added: 1, lost: { $max: 1 } } }')],
  ['fits', lists('{ fits: [body.pagination.offset, body.data.deployments.id] }')],
  ['the same set', lists('{ same set: ["4", "2", "3"] }')],
  ['listed by id', lists('{ listed: ["2", "4"], not listed: "1" }')],
  ['the list', lists('{ list: { $length: 3, $unique: id } }')],
  ['listed by match', lists('{ listed: { id: "2", name: { $type: string } } }')],
];
const failing: readonly [string, string, string][] = [
  ['a changed field', rename('{ unchanged: { since: before } }'), '/body/name'],
  [
    'a changed value at a path',
    rename('{ unchanged: { since: before, at: body.name } }'),
    '/body/name',
  ],
  ['another status', rename('{ answered: { rename: refused } }'), '/answered/rename'],
  ['an added item', lists('{ changed: { since: first, added: 0 } }'), '/list/added'],
  ['a missing path', lists('{ fits: body.pagination.no }'), '/body/pagination/no'],
  ['another list', lists('{ list: { $length: 4 } }'), '/list'],
  ['another set', lists('{ same set: first }'), '/list'],
  ['an item that is not listed', lists('{ listed: "1" }'), '/list'],
  ['an item that is listed', lists('{ not listed: { id: "4" } }'), '/list'],
];

const judged = async (service: FakeService, text: string) =>
  (await runYaml(service, [text])).report?.statements
    .flatMap((item) => item.checks)
    .filter(({ kind, location }) => kind === 'check' && /^scenarios/.test(location.file)) ?? [];

test.concurrent.for(holding)('%s holds', async ([, text], { service }) => {
  expect((await judged(service, text)).map(({ verdict }) => verdict)).toEqual(['verified']);
});

test.concurrent.for(failing)(
  '%s fails, and the failure has the pointer',
  async ([, text, pointer], { service }) => {
    expect(await judged(service, text)).toMatchObject([{ verdict: 'violated', pointer }]);
  },
);

test.concurrent('a comparison with an earlier step that was refused is not-testable', async ({
  service,
}) => {
  service.intercept = ({ url = '' }) =>
    url.includes('limit=3') && !url.includes('offset') ? { status: 403 } : undefined;
  expect(await judged(service, lists('{ same set: first }'))).toMatchObject([
    { verdict: 'not-testable' },
  ]);
});

test.concurrent('`only` of a step applies to all its checks', async ({ service }) => {
  const text = lists('{ same set: first }').replace('id: second,', 'id: second, only: 4xx,');
  expect(await judged(service, text)).toMatchObject([{ verdict: 'not-testable', unmet: true }]);
});

test.concurrent('`appears within` waits, and `stays` watches', async ({ service }) => {
  const text = (word: string, check: string): string => `
scenario: Waiting
as: admin
path: { deployment_id: "{deployment.id}" }
steps:
  - id: envs
    call: listEnvironments
    ${word}
    checks: { ENV-6: { ${check}: { type: staging } } }
`;
  const path = '/api/v1/deployments/1/environments';
  let polls = 0;
  service.intercept = (request) => {
    if (request.url?.startsWith(path) !== true || ++polls < 3) return undefined;
    const environments = [{ id: '9', name: 'x', type: 'staging', api_credentials: {} }];
    return {
      status: 200,
      body: { data: { environments }, pagination: { offset: 0, limit: 20, total: 1 } },
    };
  };
  expect(await judged(service, text('appears within: 300ms', 'listed'))).toMatchObject([
    { verdict: 'verified' },
  ]);
  polls = 0;
  expect(await judged(service, text('stays: 100ms', 'not listed'))).toMatchObject([
    { verdict: 'violated' },
  ]);
});

test.concurrent('a promise about every answer is also judged on answers without a check', async ({
  service,
}) => {
  const text = `
scenario: A list is refused
steps:
  - { as: none, call: listDeployments }
`;
  service.intercept = ({ headers }) =>
    headers.authorization === undefined ? { status: 401, body: { message: 'no' } } : undefined;
  const { checks } = await runYaml(service, [text]);
  const location = expect.objectContaining({ file: 'conformance/standing.yaml' });
  expect(checks('ERR-1')).toContainEqual(
    expect.objectContaining({ kind: 'check', verdict: 'violated', location }),
  );
  expect(checks('HTTP-1')).toMatchObject([{ verdict: 'deviates' }]);
});

test.concurrent.for<[string, object, string]>([
  ['of another type', { id: '1', name: 'a', created_at: 5 }, 'body.data.deployments.created_at'],
  ['missing', { id: '1', created_at: '2026-01-01T00:00:00.000Z' }, 'body.data.deployments.name'],
])(
  'a field that is %s does not fit, and the others do',
  async ([, deployment, place], { service }) => {
    const pagination = { offset: 0, limit: 3, total: 1 };
    service.intercept = () => ({
      status: 200,
      body: { data: { deployments: [deployment] }, pagination },
    });
    const both = `[{ fits: ${place} }, { fits: [body.pagination, body.data.deployments.id] }]`;
    const verdicts = (await judged(service, lists(both))).map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['violated', 'verified']);
  },
);
