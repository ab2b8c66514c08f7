/** Errors of the SCIM API that are no Error message of RFC 7644. */
import type { JsonObject } from '../../../spec/base/json.ts';
import type { Deviation } from '../../deviations/deviation.ts';
import { ofErrors } from '../../deviations/from-responses.ts';

const wrong = (kind: string, text: string, change: (body: JsonObject) => unknown) =>
  ofErrors(kind, 'listScimUsers', text, ['SCIM-8'], change);

export const scimErrors: readonly Deviation[] = [
  wrong('management', 'is { error }', ({ detail }) => ({ error: detail })),
  wrong('number', 'has the status as a number', (body) => ({
    ...body,
    status: Number(body.status),
  })),
  wrong('schema', 'does not name its schema', ({ schemas: _, ...body }) => body),
  wrong('no-status', 'has no status', ({ status: _, ...body }) => body),
];
