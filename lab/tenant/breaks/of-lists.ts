/** Single answers that lie: deployments, environments and users. */

import { type Fields, fieldsOf, parameter } from '../exchange.ts';
import { amended, asking, type Break, listed, pagination, redirected, relist } from './break.ts';
import { drop } from './kit.ts';

const lists = ['deployments', 'environments'] as const;

/** Changes each row of a list. */
const each = (
  operation: Parameters<typeof amended>[0],
  change: (row: Fields) => void,
): Break['make'] =>
  amended(operation, (reply) => {
    const rows = listed(reply);
    rows.forEach(change);
    return rows.length > 0 ? reply : undefined;
  });

export const ofLists = [
  {
    id: 'deployment-id-number',
    statements: ['DEPL-2'],
    text: 'A deployment has a number as its id.',
    make: each('deployments', (row) => {
      row.id = Number(row.id);
    }),
  },
  {
    id: 'deployment-name-missing',
    statements: ['DEPL-2'],
    text: 'A deployment has no name.',
    make: each('deployments', (row) => drop(row, 'name')),
  },
  {
    id: 'deployment-created-without-millis',
    statements: ['DEPL-3'],
    text: 'created_at has no milliseconds.',
    make: each('deployments', (row) => {
      row.created_at = String(row.created_at).replace(/[.]\d+/, '');
    }),
  },
  {
    id: 'deployments-bare',
    statements: ['DEPL-1'],
    text: 'The deployments stand right under data.',
    make: amended('deployments', (reply) => {
      fieldsOf(reply.body).data = listed(reply);
      return reply;
    }),
  },
  {
    id: 'scoped-sees-all',
    statements: ['DEPL-4'],
    text: 'A scoped key is shown all deployments.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      if (call.operation !== 'deployments' || pagination(done).total !== 2 || !scene.fires())
        return done;
      const rows = scene.state.deployments
        .slice(0, 3)
        .map(({ id, name }) => ({ id: String(id), name, created_at: '2026-01-01T00:00:00.000Z' }));
      pagination(done).total = 3;
      return relist(done, () => rows);
    },
  },
  {
    id: 'total-of-the-page',
    statements: ['PAGE-5'],
    text: 'total counts the page.',
    make: amended(lists, (reply) => {
      pagination(reply).total = listed(reply).length;
      return reply;
    }),
  },
  {
    id: 'limit-ignored',
    statements: ['PAGE-4'],
    text: 'A page has twenty items whatever limit is sent.',
    make: redirected(lists, (call) =>
      call.query.has('limit') ? asking(call, (query) => query.delete('limit')) : undefined,
    ),
  },
  {
    id: 'default-limit-ten',
    statements: ['PAGE-2'],
    text: 'A page has ten items where no limit is sent.',
    make: redirected(lists, (call) =>
      call.query.has('limit') ? undefined : asking(call, (query) => query.set('limit', '10')),
    ),
  },
  {
    id: 'offset-ignored',
    statements: ['PAGE-6', 'PAGE-4'],
    text: 'Each page is the first one.',
    make: redirected(lists, (call) =>
      Number(parameter(call, 'offset')) > 0
        ? asking(call, (query) => query.delete('offset'))
        : undefined,
    ),
  },
  {
    id: 'pages-overlap',
    statements: ['PAGE-6'],
    text: 'A later page begins one item early and says otherwise.',
    make: (scene) => (call, serve) => {
      const offset = Number(parameter(call, 'offset'));
      if (!lists.some((one) => one === call.operation) || !(offset > 0) || !scene.fires())
        return serve(call);
      const done = serve(asking(call, (query) => query.set('offset', String(offset - 1))));
      if (done.status < 300) pagination(done).offset = offset;
      return done;
    },
  },
  {
    id: 'pagination-of-texts',
    statements: ['PAGE-3'],
    text: 'pagination holds texts.',
    make: amended(lists, (reply) => {
      pagination(reply).total = String(pagination(reply).total);
      return reply;
    }),
  },
  {
    id: 'environment-type-ignored',
    statements: ['ENV-6'],
    text: 'The filter by type does nothing.',
    make: redirected('environments', (call) =>
      call.query.has('type') ? asking(call, (query) => query.delete('type')) : undefined,
    ),
  },
  {
    id: 'environment-type-on-first-page',
    statements: ['ENV-7'],
    text: 'The filter by type holds for the first page only.',
    make: redirected('environments', (call) =>
      call.query.has('type') && Number(parameter(call, 'offset')) > 0
        ? asking(call, (query) => query.delete('type'))
        : undefined,
    ),
  },
  {
    id: 'environment-type-short',
    statements: ['ENV-3'],
    text: 'The type production is spelt prod.',
    make: each('environments', (row) => {
      row.type = row.type === 'production' ? 'prod' : (row.type ?? null);
    }),
  },
  {
    id: 'environment-port-text',
    statements: ['ENV-5'],
    text: 'The port is a text.',
    make: each('environments', (row) => {
      fieldsOf(fieldsOf(row.api_credentials).sql).port = '15432';
    }),
  },
  {
    id: 'environment-without-rest',
    statements: ['ENV-4'],
    text: 'There is no address of the REST API.',
    make: each('environments', (row) => drop(fieldsOf(row.api_credentials), 'rest')),
  },
  {
    id: 'scim-total-text',
    statements: ['SCIM-3'],
    text: 'totalResults is a text.',
    make: amended('users', (reply) => {
      fieldsOf(reply.body).totalResults = '33';
      return reply;
    }),
  },
  {
    id: 'scim-from-zero',
    statements: ['SCIM-4'],
    text: 'startIndex counts from 0.',
    make: redirected('users', (call) =>
      call.query.has('startIndex')
        ? asking(call, (query) =>
            query.set('startIndex', String(Number(query.get('startIndex')) + 1)),
          )
        : undefined,
    ),
  },
  {
    id: 'scim-count-ignored',
    statements: ['SCIM-6'],
    text: 'count does nothing.',
    make: redirected('users', (call) =>
      call.query.has('count') ? asking(call, (query) => query.delete('count')) : undefined,
    ),
  },
  {
    id: 'scim-user-without-schemas',
    statements: ['SCIM-10'],
    text: 'A user has no schemas.',
    make: each('users', (row) => drop(row, 'schemas')),
  },
] as const satisfies readonly Break[];
