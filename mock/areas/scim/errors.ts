/** Errors of the SCIM API that are no Error message of RFC 7644. */
import { without } from '../../deviations/changes.ts';
import { ofErrors } from '../../deviations/from-responses.ts';

const wrong = ofErrors('listScimUsers');

export const scimErrors = [
  wrong('management', 'is { error }', ['SCIM-8'], ({ detail }) => ({ error: detail })),
  wrong('number', 'has the status as a number', ['SCIM-8'], (body) => ({
    ...body,
    status: Number(body.status),
  })),
  wrong('schema', 'does not name its schema', ['SCIM-8'], without('schemas')),
  wrong('no-status', 'has no status', ['SCIM-8'], without('status')),
];
